/**
 * Reads a reviewer's tool calls: which skill was declared to replace another one, and where its name occurs (reference skills-curator 14).
 * Pure.
 */

export interface SkillToolCall {
  readonly name: string
  /** A JSON string or an object. */
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

/** The calls of the skill tool; a call whose arguments cannot be read is ignored. */
export const skillCalls = (calls: readonly SkillToolCall[]): readonly Arguments[] =>
  calls
    .filter(({ name }) => name === 'skill_manage')
    .map((call) => toArguments(call.arguments))
    .filter((each) => each !== undefined)

/** For each skill, the successor that the last call archiving it declared, or `''` for none. Absent if nothing was declared. */
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

/** Whether a part of the path is the name, ignoring the extension and the separators of its words. */
const isInPath = (path: string, name: string): boolean =>
  path.split('/').some((part) => normal(part.replace(/\.[^.]*$/, '')) === normal(name))

/** Matches whole names: `git` is not in `git-helpers`. */
const isInText = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\p{L}\\p{N}_-])${escaped(normal(name))}(?![\\p{L}\\p{N}_-])`, 'u').test(normal(text))

const TEXTS = ['file_content', 'content', 'new_string', 'new_text'] as const

/** The first existing skill that was given a text or a file that names this one. */
export const findAbsorber = (calls: readonly Arguments[], name: string, isThere: (name: string) => boolean): string | undefined => {
  const call = calls.find((each) => {
    const target = textOf(each['name'])
    if (target === name || !isThere(target)) return false
    return isInPath(textOf(each['file_path']), name) || TEXTS.some((key) => isInText(textOf(each[key]), name))
  })
  return call && textOf(call['name'])
}
