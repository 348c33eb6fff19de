/** Reads front matter as YAML 1.1, like Python Hermes; if that fails, reads as much as possible (reference skills-curator 2). */
import { isAlias, isMap, isScalar, type YAMLMap } from 'yaml'
import { parseBoundedYaml, type YamlLimits } from '../../shared/bounded-yaml.ts'
import { isQuoted, readLines, splitInline, toBlocks, toLines } from './front-matter-lines.ts'
import { type FrontMatter, MAX_FRONT_MATTER_CHARS, readSimpleFrontMatter } from './front-matter-plain.ts'

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
    return { code: 'yaml', reason: cause instanceof Error ? cause.message : String(cause) }
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
