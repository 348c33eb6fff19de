/** Changes one text of front matter and keeps every other byte: comments, order, quoting, line ends and unknown keys. */
import { stringify } from 'yaml'
import { canonicalJson } from '../shared/canonical-json.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { type FrontMatter, MAX_FRONT_MATTER_CHARS, splitSkillText } from './front-matter.ts'
import { type FrontMatterBlock, readFrontMatter, splitInline, toBlocks, toLines } from './front-matter-yaml.ts'

/** From valid to broken. */
const READINGS: readonly FrontMatter['readAs'][] = ['yaml', 'repaired', 'lines']

/** `key: value` with its line end, in YAML 1.1, so that Python reads the same value. */
const toYaml = (key: string, value: string, lineEnd: string): string =>
  stringify(Object.fromEntries([[key, value]]), { version: '1.1', lineWidth: 0 }).replaceAll('\n', lineEnd)

/** The first line with its value replaced; a comment after it is kept. Undefined if the old or the new value is not one line. */
const replaceInline = (line: string, { start, end, valueAt }: FrontMatterBlock, written: string): string | undefined => {
  const rest = splitInline(line.slice(valueAt))
  const value = /^[^\n]*?: ([^\n]+?)\r?\n$/.exec(written)?.[1]
  if (end > start + 1 || value === undefined || /^[|>&]/.test(value) || /^[|>&!*]/.test(rest.value)) return undefined
  return `${line.slice(0, valueAt)}${rest.lead.trim() === '' && rest.lead !== '' && rest.value !== '' ? rest.lead : ' '}${value}${rest.tail}`
}

const withKey = (yaml: string, key: string, value: string, lineEnd: string): string => {
  const lines = toLines(yaml)
  // The last of duplicate keys counts.
  const block = toBlocks(lines).findLast((each) => each.key === key)
  const written = toYaml(key, value, lineEnd)
  if (!block) return yaml + written
  const inline = replaceInline(lines[block.start] ?? '', block, written)
  return [...lines.slice(0, block.start), inline ?? written, ...lines.slice(block.end)].join('')
}

/**
 * Checks that the text is read back and nothing else changed. An edit may make broken front matter valid, so there only the text is
 * checked; it may never break valid front matter.
 */
const isAsMeant = (before: FrontMatter, after: FrontMatter, key: string, value: string): boolean => {
  if ((after.readAs === 'lines' ? after.texts.get(key) : after.data[key]) !== value) return false
  if (READINGS.indexOf(after.readAs) > READINGS.indexOf(before.readAs) || after.duplicates.length > before.duplicates.length) return false
  const others = ({ data }: FrontMatter) => canonicalJson({ ...data, [key]: value })
  return before.readAs !== after.readAs || others(before) === others(after)
}

/**
 * The whole text of a SKILL.md with one text of its front matter changed; a new key is appended. Works on broken YAML too. `invalid`
 * without front matter or if only a person can edit it safely; `over_limit`.
 */
export const editFrontMatter = (text: string, key: string, value: string): Result<string> => {
  const { marks, opening, yaml, closing, body, fault } = splitSkillText(text)
  if (fault)
    return err(
      new HermesError('invalid', "The skill has no front matter to change. Write the whole SKILL.md, beginning with a line '---'."),
    )
  if (yaml.length > MAX_FRONT_MATTER_CHARS) {
    const message = `The front matter is longer than ${MAX_FRONT_MATTER_CHARS} characters, so no part of it is changed. Shorten it by hand.`
    return err(new HermesError('over_limit', message))
  }
  const before = readFrontMatter(yaml)
  if (before.data[key] === value) return ok(text)
  const next = withKey(yaml, key, value, opening.endsWith('\r\n') ? '\r\n' : '\n')
  if (isAsMeant(before, readFrontMatter(next), key, value)) return ok(marks + opening + next + closing + body)
  const message = `'${key.slice(0, 40)}' cannot be changed alone: the front matter is written in an unusual way. Edit the whole SKILL.md, with one 'key: value' a line.`
  return err(new HermesError('invalid', message))
}
