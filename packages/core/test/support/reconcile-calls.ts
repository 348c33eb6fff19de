/** What a reviewer's tool calls show of it: which skill was said to take another one's place, and where its name turns up (reference skills-curator 14). Pure. */

export interface SkillToolCall {
  readonly name: string
  /** As a JSON text or as data. */
  readonly arguments: unknown
}

type Arguments = Readonly<Record<string, unknown>>

const isMap = (value: unknown): value is Arguments => typeof value === 'object' && value !== null && !Array.isArray(value)

const toArguments = (value: unknown): Arguments | undefined => {
  if (typeof value !== 'string') return isMap(value) ? value : undefined
  try {
    const data: unknown = JSON.parse(value)
    return isMap(data) ? data : undefined
  } catch {
    return undefined
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Of the tool for skills alone; a call whose arguments cannot be read says nothing. */
export const skillCalls = (calls: readonly SkillToolCall[]): readonly Arguments[] =>
  calls
    .filter(({ name }) => name === 'skill_manage')
    .map((call) => toArguments(call.arguments))
    .filter((each) => each !== undefined)

/** By skill, what the last call that put it away declared: the successor, or `''` for none. Undeclared: absent. */
export const declaredSuccessors = (calls: readonly Arguments[]): ReadonlyMap<string, string> => {
  const declared = new Map<string, string>()
  for (const call of calls) {
    const name = textOf(call['name'])
    const into = call['absorbed_into']
    const isLeaving = call['action'] === 'delete' || call['action'] === 'archive'
    if (isLeaving && name !== '' && typeof into === 'string') declared.set(name, into.trim())
  }
  return declared
}

const normal = (text: string): string => text.toLowerCase().replaceAll('_', '-')

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A part of a path that is the name, whatever its extension and however its words are joined. */
const isInPath = (path: string, name: string): boolean =>
  path.split('/').some((part) => normal(part.replace(/\.[^.]*$/, '')) === normal(name))

/** Whole: `git` is no part of `git-helpers`. */
const isInText = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\p{L}\\p{N}_-])${escaped(normal(name))}(?![\\p{L}\\p{N}_-])`, 'u').test(normal(text))

const TEXTS = ['file_content', 'content', 'new_string', 'new_text'] as const

/** The first skill that is still there and was given something that names this one. */
export const findAbsorber = (calls: readonly Arguments[], name: string, isThere: (name: string) => boolean): string | undefined => {
  const call = calls.find((each) => {
    const target = textOf(each['name'])
    if (target === name || !isThere(target)) return false
    return isInPath(textOf(each['file_path']), name) || TEXTS.some((key) => isInText(textOf(each[key]), name))
  })
  return call && textOf(call['name'])
}
