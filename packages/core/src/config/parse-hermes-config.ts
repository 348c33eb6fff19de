/**
 * Reads the settings of `config.yaml` that Hermes for TypeScript uses (seeds 001 and 003). Python Hermes may use the same file: its sections are ignored, its keys
 * inside our sections are accepted, and any other key inside our sections gets a warning.
 */

import type * as z from 'zod/mini'
import { checkShape } from '../shared/check-shape.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { readDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { FOREIGN_KEYS, FREE_MAPPINGS, nearKey, OWN_KEYS, toCamelCase, toSnakeCase } from './config-keys.ts'
import { type ConfigEntry, plainData, readConfigYaml } from './config-yaml.ts'
import { EMPTY_CONFIG, type HermesConfig, hermesConfigSchema } from './hermes-config.ts'

export interface ConfigNote {
  /** Counted from 1. */
  readonly line: number
  /** As in the file, such as `memory.nudge_interval`. */
  readonly key: string
  readonly message: string
}

/** Returns the end of a sentence: `is the text "10"; write it without quotes`. */
const describeValue = (value: unknown): string => {
  if (value === undefined) return 'refers to nothing'
  if (value === null) return 'is empty'
  if (typeof value === 'string') {
    const isQuotedData = /^(?:true|false|yes|no|on|off|-?\d+)$/i.test(value)
    return `is the text "${value.slice(0, 40)}"${isQuotedData ? '; write it without quotes' : ''}`
  }
  if (typeof value !== 'object') return `is ${String(value)}`
  return Array.isArray(value) ? 'is a list' : value instanceof Date ? 'is a date' : 'is a mapping'
}

/** One `invalid` error for all problems, which must be in the order of the file. */
const refuseConfig = (problems: readonly ConfigNote[]): HermesError => {
  const [first, ...more] = problems
  const others =
    more.length === 0 ? '' : ` ${more.length} more in line${more.length > 1 ? 's' : ''} ${more.map(({ line }) => line).join(', ')}.`
  return new HermesError(
    'invalid',
    `config.yaml, line ${first?.line}: '${first?.key}' ${first?.message}. Correct it, or remove it to use the default.${others}`,
    { details: { path: 'config.yaml', problems } },
  )
}

export interface ConfigSetting {
  readonly line: number
  readonly key: string
  readonly value: boolean | number | string
}

export interface ConfigReading {
  readonly config: HermesConfig
  /** In the order of the file. */
  readonly settings: readonly ConfigSetting[]
  /** Settings without effect, or probably not with the intended effect. */
  readonly warnings: readonly ConfigNote[]
  /** Keys inside our sections that only Python Hermes reads. */
  readonly foreignKeys: readonly string[]
  /** Keys beside our sections. They may be sections of Python Hermes. */
  readonly unreadKeys: readonly string[]
}

const EMPTY_READING: ConfigReading = { config: EMPTY_CONFIG, settings: [], warnings: [], foreignKeys: [], unreadKeys: [] }

type Tree = { [key: string]: unknown }

interface Findings {
  readonly lines: Map<string, number>
  readonly values: Map<string, unknown>
  readonly warnings: ConfigNote[]
  readonly problems: ConfigNote[]
  readonly foreignKeys: string[]
  readonly unreadKeys: string[]
}

const didYouMean = (near: string | undefined, prefix: string): string =>
  near === undefined ? 'Hermes has no such setting' : `did you mean '${prefix}${near}'?`

/** A misspelt section gets a warning; any other may be a section of Python Hermes. */
const noteOtherSection = (
  { key, line }: ConfigEntry,
  own: readonly string[],
  seen: ReadonlySet<string>,
  { warnings, unreadKeys }: Findings,
): void => {
  const near = nearKey(key, own)
  if (near !== undefined && !seen.has(near)) warnings.push({ line, key, message: `has no effect: did you mean '${near}'?` })
  else unreadKeys.push(key)
}

/** Its keys are told, its values are not: they may be credentials. */
const readFreeMapping = (
  entry: ConfigEntry,
  full: string,
  nested: readonly ConfigEntry[],
  { lines, values, problems }: Findings,
): unknown => {
  const data = plainData(entry)
  const message = 'must have at most 1,000 values and must not contain itself'
  if (data === undefined) problems.push({ line: entry.line, key: full, message })
  lines.set(full, entry.line)
  values.set(full, nested.map(({ key }) => key).join(', '))
  return data ?? {}
}

const readMapping = (entries: readonly ConfigEntry[], path: string, findings: Findings): Tree => {
  const tree: Tree = {}
  const prefix = path === '' ? '' : `${path}.`
  const own = OWN_KEYS[path] ?? []
  const seen = new Set(entries.map(({ key }) => key))
  for (const entry of entries) {
    const { key, line, value } = entry
    const full = `${prefix}${key}`
    if (!own.includes(key)) {
      if (path === '') noteOtherSection(entry, own, seen, findings)
      else if (FOREIGN_KEYS[path]?.includes(key)) findings.foreignKeys.push(full)
      else findings.warnings.push({ line, key: full, message: `has no effect: ${didYouMean(nearKey(key, own), prefix)}` })
      continue
    }
    if (entry.isRepeated) findings.warnings.push({ line, key: full, message: 'is set a second time; only this value has an effect' })
    const nested = entry.entries()
    if (FREE_MAPPINGS.has(full) && nested) tree[toCamelCase(key)] = readFreeMapping(entry, full, nested, findings)
    else if (OWN_KEYS[full] && nested) tree[toCamelCase(key)] = readMapping(nested, full, findings)
    else if (OWN_KEYS[full] && value !== null) {
      findings.problems.push({ line, key: full, message: `must be a mapping of settings, but ${describeValue(value)}` })
    } else if (value !== null) {
      const items = entry.items()
      const read = items ? items.map((item) => item.value) : value
      findings.lines.set(full, line)
      findings.values.set(full, read)
      for (const [index, item] of items?.entries() ?? []) {
        findings.lines.set(`${full}[${index}]`, item.line)
        findings.values.set(`${full}[${index}]`, item.value)
      }
      tree[toCamelCase(key)] = read
    }
  }
  return tree
}

const noteOrder = ({ curator: { staleAfterDays, archiveAfterDays } }: HermesConfig, { lines, warnings }: Findings): void => {
  if (staleAfterDays === undefined || typeof archiveAfterDays !== 'number' || archiveAfterDays >= staleAfterDays) return
  const message = `is shorter than 'curator.stale_after_days' (${staleAfterDays}), so skills are archived before they are stale`
  warnings.push({ line: lines.get('curator.archive_after_days') ?? 1, key: 'curator.archive_after_days', message })
}

const noteLooseOptions = ({ memory: { provider = '', providerOptions } }: HermesConfig, { lines, warnings }: Findings): void => {
  if (provider !== '' || providerOptions === undefined) return
  const key = 'memory.provider_options'
  warnings.push({ line: lines.get(key) ?? 1, key, message: "has no effect: 'memory.provider' names no provider" })
}

const toProblem = ({ path, message }: z.core.$ZodIssue, { lines, values }: Findings): ConfigNote => {
  const parts = path.map((part, index) =>
    typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${toSnakeCase(String(part))}`,
  )
  const key = parts.join('')
  return { line: lines.get(key) ?? 1, key, message: `must be ${message}, but ${describeValue(values.get(key))}` }
}

const byLine = <T extends { readonly line: number }>(items: readonly T[]): readonly T[] => [...items].sort((a, b) => a.line - b.line)

/** Pure. Fails with `invalid` if the text is not YAML or a value has the wrong type; `details.problems` lists the `line`, `key` and `message` of each problem. */
export const parseHermesConfig = (text: string): Result<ConfigReading> => {
  const entries = readConfigYaml(text)
  if (!entries.ok) return entries
  const findings: Findings = { lines: new Map(), values: new Map(), warnings: [], problems: [], foreignKeys: [], unreadKeys: [] }
  const tree = readMapping(entries.value, '', findings)
  const filled = { ...EMPTY_CONFIG, ...tree, curator: { ...EMPTY_CONFIG.curator, ...Object(tree['curator']) } }
  const parsed = checkShape(hermesConfigSchema, filled)
  const problems = [...findings.problems, ...(parsed.success ? [] : parsed.error.issues.map((issue) => toProblem(issue, findings)))]
  if (!parsed.success || problems.length > 0) return err(refuseConfig(byLine(problems)))
  noteOrder(parsed.data, findings)
  noteLooseOptions(parsed.data, findings)
  const settings = [...findings.values].flatMap(([key, value]): readonly ConfigSetting[] =>
    typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string'
      ? [{ line: findings.lines.get(key) ?? 1, key, value }]
      : [],
  )
  const { foreignKeys, unreadKeys } = findings
  return ok({ config: parsed.data, settings: byLine(settings), warnings: byLine(findings.warnings), foreignKeys, unreadKeys })
}

const CONFIG_PATH = 'config.yaml'

/** Returns an empty reading if there is no file. Fails with `unreadable` if the file is not UTF-8, and with the errors of `parseHermesConfig`. */
export const readHermesConfig = async (storage: StorageBackend): Promise<Result<ConfigReading>> => {
  const document = await readDocument(storage, CONFIG_PATH)
  if (!document.ok) return document
  if (!document.value) return ok(EMPTY_READING)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(document.value.bytes)
  } catch (cause) {
    const message = `'${CONFIG_PATH}' is not UTF-8 text. Save it as UTF-8, or remove it to use the defaults.`
    return err(new HermesError('unreadable', message, { cause, details: { path: CONFIG_PATH } }))
  }
  return parseHermesConfig(text)
}
