/** Changes single keys of front matter and keeps every other byte: comments, order, quoting, line ends and unknown keys. */
import { stringify } from 'yaml'
import { canonicalJson } from '../../shared/canonical-json.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { type FrontMatter, MAX_FRONT_MATTER_CHARS, readFrontMatter } from './front-matter.ts'
import { type FrontMatterBlock, splitInline, toBlocks, toLines } from './front-matter-lines.ts'
import { splitSkillText } from './front-matter-split.ts'

export type FrontMatterValue = string | number | boolean | null | readonly FrontMatterValue[] | { readonly [key: string]: FrontMatterValue }

/** The new value of each changed key; `undefined` removes the key. */
export type FrontMatterChanges = Readonly<Record<string, FrontMatterValue | undefined>>

const equal = (a: unknown, b: unknown): boolean => canonicalJson(a ?? null) === canonicalJson(b ?? null)

/** From valid to broken. */
const READINGS: readonly FrontMatter['readAs'][] = ['yaml', 'repaired', 'lines']

const has = (data: FrontMatter['data'], key: string): boolean => Object.hasOwn(data, key)

/** `key: value` with its line end, in YAML 1.1, so that Python reads the same value. */
const toYaml = (key: string, value: FrontMatterValue, lineEnd: string): string =>
  stringify(Object.fromEntries([[key, value]]), { version: '1.1', lineWidth: 0 }).replaceAll('\n', lineEnd)

/** The first line with its value replaced; a comment after it is kept. Undefined if the old or the new value is not one line. */
const replaceInline = (line: string, { start, end, valueAt }: FrontMatterBlock, written: string): string | undefined => {
  const rest = splitInline(line.slice(valueAt))
  const value = /^[^\n]*?: ([^\n]+?)\r?\n$/.exec(written)?.[1]
  if (end > start + 1 || value === undefined || /^[|>&]/.test(value) || /^[|>&!*]/.test(rest.value)) return undefined
  return `${line.slice(0, valueAt)}${rest.lead.trim() === '' && rest.lead !== '' && rest.value !== '' ? rest.lead : ' '}${value}${rest.tail}`
}

const withoutKey = (yaml: string, key: string): string => {
  const lines = toLines(yaml)
  const gone = toBlocks(lines).filter((block) => block.key === key)
  return lines.filter((_, index) => !gone.some(({ start, end }) => index >= start && index < end)).join('')
}

const withKey = (yaml: string, key: string, value: FrontMatterValue, lineEnd: string): string => {
  const lines = toLines(yaml)
  // The last of duplicate keys counts.
  const block = toBlocks(lines).findLast((each) => each.key === key)
  const written = toYaml(key, value, lineEnd)
  if (!block) return yaml + written
  const inline = replaceInline(lines[block.start] ?? '', block, written)
  return [...lines.slice(0, block.start), inline ?? written, ...lines.slice(block.end)].join('')
}

/**
 * Checks that the requested values are read back and nothing else changed. An edit may make broken front matter valid, so there only the
 * requested values are checked; it may never break valid front matter.
 */
const isAsMeant = (before: FrontMatter, after: FrontMatter, changes: FrontMatterChanges): boolean => {
  for (const [key, value] of Object.entries(changes)) {
    const stands =
      after.readAs === 'lines' && typeof value !== 'object' ? after.texts.get(key) === String(value) : equal(after.data[key], value)
    if (value === undefined ? has(after.data, key) : !stands) return false
  }
  if (READINGS.indexOf(after.readAs) > READINGS.indexOf(before.readAs) || after.duplicates.length > before.duplicates.length) return false
  if (before.readAs !== after.readAs) return true
  const others = (data: FrontMatter['data']) => Object.entries(data).filter(([key]) => !Object.hasOwn(changes, key))
  return equal(Object.fromEntries(others(before.data)), Object.fromEntries(others(after.data)))
}

/**
 * The whole text of a SKILL.md with some keys changed. Keys that already have their value are not touched; new keys are appended. Works
 * on broken YAML too. `invalid` without front matter or if only a person can edit it safely; `over_limit`.
 */
export const editFrontMatter = (text: string, changes: FrontMatterChanges): Result<string> => {
  const { marks, opening, yaml, closing, body, fault } = splitSkillText(text)
  if (fault)
    return err(
      new HermesError('invalid', "The skill has no front matter to change. Write the whole SKILL.md, beginning with a line '---'."),
    )
  if (yaml.length > MAX_FRONT_MATTER_CHARS) {
    const message = `The front matter is longer than ${MAX_FRONT_MATTER_CHARS} characters, so no part of it is changed. Shorten it by hand.`
    return err(new HermesError('over_limit', message))
  }
  const lineEnd = opening.endsWith('\r\n') ? '\r\n' : '\n'
  const before = readFrontMatter(yaml)
  let next = yaml
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) next = withoutKey(next, key)
    else if (!has(before.data, key) || !equal(before.data[key], value)) next = withKey(next, key, value, lineEnd)
  }
  if (next !== yaml && !isAsMeant(before, readFrontMatter(next), changes)) {
    const keys = Object.keys(changes).map((key) => `'${key.slice(0, 40)}'`)
    const message = `${keys.join(', ')} cannot be changed alone: the front matter is written in an unusual way. Edit the whole SKILL.md, with one 'key: value' a line.`
    return err(new HermesError('invalid', message))
  }
  return ok(marks + opening + next + closing + body)
}
