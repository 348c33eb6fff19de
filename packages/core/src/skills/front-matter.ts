/** The front matter of a SKILL.md: where it is, and what it says if it is simple, one `key: text` a line. That is most of it, read in a tenth of a YAML parser's time. */
import { lazyPattern } from '../shared/lazy-pattern.ts'

export interface SkillText {
  /** Byte order marks. */
  readonly marks: string
  /** The opening fence with its line end, `''` without front matter. */
  readonly opening: string
  readonly yaml: string
  /** The closing fence with its line end. */
  readonly closing: string
  readonly body: string
  readonly fault?: 'no_front_matter' | 'unclosed_front_matter'
}

const FENCE = '---'

const isFence = (line: string): boolean => line.startsWith(FENCE) && line.slice(FENCE.length).trim() === ''

const lineEndAfter = (text: string, from: number): number => {
  const found = text.indexOf('\n', from)
  return found === -1 ? text.length : found + 1
}

/** The fences of Python Hermes, and a closing fence on the very last line (reference skills-curator 2). */
export const splitSkillText = (text: string): SkillText => {
  let start = 0
  while (text.charCodeAt(start) === 0xfeff) start++
  const marks = text.slice(0, start)
  const without = (fault: NonNullable<SkillText['fault']>): SkillText => ({
    marks,
    opening: '',
    yaml: '',
    closing: '',
    body: text.slice(start),
    fault,
  })
  if (!text.startsWith(FENCE, start)) return without('no_front_matter')
  const inside = lineEndAfter(text, start)
  for (let line = inside; line < text.length; ) {
    const next = lineEndAfter(text, line)
    if (isFence(text.slice(line, next))) {
      return {
        marks,
        opening: text.slice(start, inside),
        yaml: text.slice(inside, line),
        closing: text.slice(line, next),
        body: text.slice(next),
      }
    }
    line = next
  }
  return without('unclosed_front_matter')
}

export interface FrontMatter {
  /** As data; the last of duplicate keys counts. */
  readonly data: Readonly<Record<string, unknown>>
  /** Scalar values as written: `1.0` and `yes` are not converted. */
  readonly texts: ReadonlyMap<string, string>
  /** `yaml`: as written. `repaired`: with some values quoted. `lines`: as text, line by line. */
  readonly readAs: 'yaml' | 'repaired' | 'lines'
  readonly duplicates: readonly string[]
  /** Why it is not valid YAML; `not_a_mapping` if it is valid but has no keys. */
  readonly fault?: { readonly code: 'yaml' | 'not_a_mapping'; readonly reason: string }
}

/** UTF-16 units. Longer front matter is read only in part, line by line. */
export const MAX_FRONT_MATTER_CHARS = 32_768

/** A top-level key that YAML reads as text. */
const KEY = /^[A-Za-z][A-Za-z0-9_-]*$/

/** Words and numbers that YAML 1.1 does not read as text. */
const NOT_TEXT = /^(?:y|yes|n|no|on|off|true|false|null|nan|inf|[+-]?\.?[0-9].*|[+-]?\.(?:nan|inf))$/i

/** Must begin with a letter: other first characters may be YAML syntax. */
const PLAIN = lazyPattern(String.raw`^\p{L}[\p{L}\p{N}\p{M} .,;!?()/'"+*=&%$@<>|_-]*$`, 'u')

/** No characters that YAML would read as an escape. */
const QUOTED = lazyPattern(String.raw`^"([^"\\\p{C}\u2028\u2029]*)"$|^'([^'\p{C}\u2028\u2029]*)'$`, 'u')

/** White space of YAML, and the carriage return of a line end. */
const AROUND = /^ +| *\r?$/g

const readValue = (written: string): string | undefined => {
  const quoted = QUOTED.read().exec(written)
  if (quoted) return quoted[1] ?? quoted[2]
  return PLAIN.read().test(written) && !NOT_TEXT.test(written) ? written : undefined
}

/** Each key with its text, in the order written; `undefined` if any line is of another form or a key is repeated. */
export const readPlainFrontMatter = (yaml: string): ReadonlyMap<string, string> | undefined => {
  const texts = new Map<string, string>()
  for (const line of yaml.split('\n')) {
    if (line === '') continue
    const colon = line.indexOf(': ')
    const key = line.slice(0, Math.max(colon, 0))
    const value = readValue(line.slice(colon + 2).replace(AROUND, ''))
    if (!KEY.test(key) || NOT_TEXT.test(key) || texts.has(key) || value === undefined) return undefined
    texts.set(key, value)
  }
  return texts.size > 0 ? texts : undefined
}

/** `undefined` if it needs a YAML parser. */
export const readSimpleFrontMatter = (yaml: string): FrontMatter | undefined => {
  const texts = yaml.length > MAX_FRONT_MATTER_CHARS ? undefined : readPlainFrontMatter(yaml)
  return texts && { data: Object.fromEntries(texts), texts, readAs: 'yaml', duplicates: [] }
}
