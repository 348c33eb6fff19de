/** Front matter of every kind: read as YAML 1.1, like Python Hermes, and line by line where it is broken (reference skills-curator 2). Loaded where simple reading is not enough. */

import { isAlias, isMap, isScalar, type YAMLMap } from 'yaml'
import { parseBoundedYaml, type YamlLimits } from '../shared/bounded-yaml.ts'
import { messageOf } from '../shared/hermes-error.ts'
import { type FrontMatter, MAX_FRONT_MATTER_CHARS, readSimpleFrontMatter } from './front-matter.ts'

// As lines, with the lines of each top-level key: that needs no valid YAML, so that broken skills can be read and repaired.

export interface FrontMatterBlock {
  readonly key: string
  /** Index of the line with the key. */
  readonly start: number
  /** Index after the last line of the value; trailing comments and blank lines are not part of it. */
  readonly end: number
  /** Offset in the first line after the colon. */
  readonly valueAt: number
}

/** Each line includes its line end. */
export const toLines = (text: string): readonly string[] => (text === '' ? [] : text.split(/(?<=\n)/))

const quotedKey = /^(?:"([^"\\]*)"|'([^']*)')[ \t]*:(?=\s|$)/

const keyOf = (line: string): { readonly key: string; readonly valueAt: number } | undefined => {
  if (line === '' || /^[\s#]|^[-?](?:\s|$)/.test(line)) return undefined
  const quoted = quotedKey.exec(line)
  if (quoted) return { key: quoted[1] ?? quoted[2] ?? '', valueAt: quoted[0].length }
  const colon = line.search(/:(?:\s|$)/)
  return colon < 1 ? undefined : { key: line.slice(0, colon).trimEnd(), valueAt: colon + 1 }
}

const isOutside = (line: string): boolean => line.trim() === '' || line.startsWith('#')

export const toBlocks = (lines: readonly string[]): readonly FrontMatterBlock[] => {
  const starts = lines.flatMap((line, start) => {
    const found = keyOf(line)
    return found ? [{ ...found, start }] : []
  })
  return starts.map(({ key, start, valueAt }, index) => {
    let end = starts[index + 1]?.start ?? lines.length
    while (end > start + 1 && isOutside(lines[end - 1] ?? '')) end--
    return { key, start, end, valueAt }
  })
}

export interface InlineValue {
  /** White space before the value. */
  readonly lead: string
  readonly value: string
  /** White space, comment and line end after it. */
  readonly tail: string
}

const quotedValue = /^(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^']|'')*')(?=\s|$)/

const commentAt = (text: string, from: number): number => {
  for (let at = text.indexOf('#', from); at !== -1; at = text.indexOf('#', at + 1)) {
    if (at === 0 || text[at - 1] === ' ' || text[at - 1] === '\t') return at
  }
  return text.length
}

/** Splits the text after the colon as YAML would. */
export const splitInline = (rest: string): InlineValue => {
  const trimmed = rest.trimStart()
  const lineEnd = trimmed === '' ? 0 : rest.length - trimmed.length
  const quoted = quotedValue.exec(trimmed)?.[0]
  const value = quoted ?? trimmed.slice(0, commentAt(trimmed, 0)).trimEnd()
  return { lead: rest.slice(0, lineEnd), value, tail: rest.slice(lineEnd + value.length) }
}

const isQuoted = (value: string): boolean => quotedValue.exec(value)?.[0].length === value.length && value !== ''

const unquote = (value: string): string => {
  if (!isQuoted(value)) return value
  if (value.startsWith("'")) return value.slice(1, -1).replaceAll("''", "'")
  return value.slice(1, -1).replace(/\\(["\\])/g, '$1')
}

/** The last resort: `key: value` lines as text. Continuation lines are joined to their value; nested values are skipped. */
const readLines = (yaml: string): ReadonlyMap<string, string> => {
  const lines = toLines(yaml)
  const values = new Map<string, string>()
  for (const { key, start, end, valueAt } of toBlocks(lines)) {
    const { value } = splitInline((lines[start] ?? '').slice(valueAt))
    const more = lines.slice(start + 1, end).map((line) => line.trim())
    if (/^[|>][-+0-9]*$/.test(value)) values.set(key, more.join(value.startsWith('|') ? '\n' : ' '))
    else if (value !== '') values.set(key, [unquote(value), ...more].join(' ').trim())
  }
  return values
}

/** A hundred lines have about a thousand tokens. Front matter beyond this is read line by line, since parsing it would block the host. */
const LIMITS: YamlLimits = { maxChars: MAX_FRONT_MATTER_CHARS, maxTokens: 4_000 }

const MAX_ALIASES = 100
const TIMESTAMP = 'tag:yaml.org,2002:timestamp'

interface Refusal {
  readonly code: 'yaml' | 'not_a_mapping'
  readonly reason: string
  /** Too long for YAML, so that a repair would not help. */
  readonly isOverLimit?: true
}

type Attempt = { readonly map: Omit<FrontMatter, 'readAs'> } | Refusal

const lineAt = (yaml: string, at: number): number => yaml.slice(0, at).split('\n').length + 1

const textsOf = (map: YAMLMap, data: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> => {
  const texts = new Map<string, string>()
  for (const { key, value } of map.items) {
    const name = isScalar(key) ? String(key.value) : undefined
    if (name === undefined) continue
    const plain = data[name]
    texts.delete(name)
    if (typeof plain === 'string') texts.set(name, plain)
    else if (plain !== null && isScalar(value)) texts.set(name, value.source ?? String(plain))
    else if (plain !== null && typeof plain !== 'object' && isAlias(value)) texts.set(name, String(plain))
  }
  return texts
}

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}

/** Detects cycles: walking cyclic data would not end. */
const holdsItself = (data: unknown): boolean => {
  try {
    JSON.stringify(data)
    return false
  } catch {
    return true
  }
}

const readYaml = (yaml: string): Attempt => {
  try {
    const parsed = parseBoundedYaml(yaml, LIMITS, {
      version: '1.1',
      // Parser warnings must not appear on the host's console.
      logLevel: 'error',
      // Dates stay text, as written.
      customTags: (tags) => tags.filter((tag) => typeof tag === 'string' || tag.tag !== TIMESTAMP),
    })
    if (!parsed.ok) return { code: 'yaml', reason: parsed.error.message, isOverLimit: true }
    const document = parsed.value
    const duplicates = document.errors.filter(({ code }) => code === 'DUPLICATE_KEY')
    // Unknown tags are refused, as by a safe loader.
    const [fault] = [...document.errors.filter(({ code }) => code !== 'DUPLICATE_KEY'), ...document.warnings]
    if (fault) return { code: 'yaml', reason: `line ${lineAt(yaml, fault.pos[0])}: ${fault.message}` }
    if (!isMap(document.contents)) return { code: 'not_a_mapping', reason: 'it holds no `key: value` lines' }
    const data = asRecord(document.toJS({ maxAliasCount: MAX_ALIASES }))
    if (holdsItself(data)) return { code: 'yaml', reason: 'an anchor holds itself' }
    const twice = duplicates.map(({ pos }) => yaml.slice(pos[0]).split(/[:\s]/, 1)[0] ?? '')
    return { map: { data, texts: textsOf(document.contents, data), duplicates: twice } }
  } catch (cause) {
    // Unknown or too many aliases.
    return { code: 'yaml', reason: messageOf(cause) }
  }
}

/** Quotes values that hold a colon or begin with a reserved character. */
const quoteValues = (yaml: string): string => {
  const lines = [...toLines(yaml)]
  for (const { start, end, valueAt } of toBlocks(lines)) {
    const line = lines[start] ?? ''
    const { lead, value, tail } = splitInline(line.slice(valueAt))
    if (end > start + 1 || isQuoted(value) || !/:(?:\s|$)|^[@`%]/.test(value) || /^[[{&*!|>]/.test(value)) continue
    lines[start] = `${line.slice(0, valueAt)}${lead === '' ? ' ' : lead}'${value.replaceAll("'", "''")}'${tail}`
  }
  return lines.join('')
}

export const readFrontMatter = (yaml: string): FrontMatter => readSimpleFrontMatter(yaml) ?? readAnyFrontMatter(yaml)

/** The first lines within the limit. */
const readableBeginning = (yaml: string): string => {
  const beginning = yaml.slice(0, MAX_FRONT_MATTER_CHARS)
  return yaml.length <= MAX_FRONT_MATTER_CHARS ? yaml : beginning.slice(0, beginning.lastIndexOf('\n') + 1)
}

/** For front matter of every kind; for simple front matter the result is the same. */
export const readAnyFrontMatter = (yaml: string): FrontMatter => {
  const attempt = readYaml(yaml)
  if ('map' in attempt) return { ...attempt.map, readAs: 'yaml' }
  const { code, reason, isOverLimit } = attempt
  const fault = { code, reason }
  if (code === 'yaml' && !isOverLimit) {
    const repaired = readYaml(quoteValues(yaml))
    if ('map' in repaired) return { ...repaired.map, readAs: 'repaired', fault }
  }
  const texts = code === 'yaml' ? readLines(readableBeginning(yaml)) : new Map<string, string>()
  return { data: Object.fromEntries(texts), texts, readAs: 'lines', duplicates: [], fault }
}
