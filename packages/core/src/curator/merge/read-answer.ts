/**
 * Parses the model's answer to a consolidation, in the format of the seeds: prose, then one fenced YAML block (seed 001, 3). Lenient
 * about the text around the block, strict inside it; malformed entries are dropped and reported. Never throws.
 */
import { type Document, isScalar, visit } from 'yaml'
import { withoutThinking } from '../../model/answer-text.ts'
import { parseBoundedYaml, type YamlLimits } from '../../shared/bounded-yaml.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { CONSOLIDATION_METHODS, type ConsolidationMethod } from '../report.ts'

interface FencedBlock {
  /** The words after the opening fence, such as `yaml`. */
  readonly info: string
  readonly body: string
  /** Offset of the opening fence in the text. */
  readonly start: number
  /** False for a block that runs to the end of the text. */
  readonly isClosed: boolean
}

const opening = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})[ \t]*(.*?)[ \t]*$/

export const fencedBlocks = (text: string): readonly FencedBlock[] => {
  const blocks: FencedBlock[] = []
  let open: { readonly mark: string; readonly info: string; readonly start: number; readonly lines: string[] } | undefined
  let at = 0
  for (const line of text.split('\n')) {
    const plain = line.endsWith('\r') ? line.slice(0, -1) : line
    const fence = opening.exec(plain)
    const [, mark = '', info = ''] = fence ?? []
    if (!open) {
      if (fence) open = { mark, info, start: at, lines: [] }
    } else if (fence && info === '' && mark.startsWith(open.mark)) {
      blocks.push({ info: open.info, body: open.lines.join('\n'), start: open.start, isClosed: true })
      open = undefined
    } else open.lines.push(line)
    at += line.length + 1
  }
  if (open) blocks.push({ info: open.info, body: open.lines.join('\n'), start: open.start, isClosed: false })
  return blocks
}

export interface SaidConsolidation {
  readonly from: string
  readonly into: string
  readonly reason: string
  readonly method?: ConsolidationMethod
  /** How sure the model is, 0 to 1. */
  readonly score?: number
}

export interface SaidPruning {
  readonly name: string
  readonly reason: string
  readonly score?: number
}

export interface SaidUmbrella {
  readonly name: string
  readonly category?: string
  /** The whole SKILL.md. */
  readonly content?: string
  readonly files: readonly { readonly path: string; readonly content: string }[]
}

export interface ConsolidationAnswer {
  readonly consolidations: readonly SaidConsolidation[]
  readonly prunings: readonly SaidPruning[]
  readonly umbrellas: readonly SaidUmbrella[]
  /** Descriptions of entries that could not be read. */
  readonly leftOut: readonly string[]
  /** The text before the block, shortened. */
  readonly prose: string
}

/** UTF-16 units; above any answer within the token budget. */
const MAX_ANSWER = 400_000
const MAX_PROSE = 4_000
const MAX_NAME = 200
const MAX_REASON = 2_000
/** For each list; one call shows about a dozen skills. */
const MAX_ENTRIES = 40
/** Enough for a plan about every skill of one call, with whole skills in it. */
const YAML_LIMITS: YamlLimits = { maxChars: 1_000_000, maxTokens: 20_000 }
const KEYS = ['consolidations', 'prunings', 'umbrellas'] as const

type Fields = ReadonlyMap<string, unknown>

const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? new Map(Object.entries(value)) : undefined

const isPlan = (value: unknown): value is object => KEYS.some((key) => fieldsOf(value)?.has(key))

/** The YAML parser's own check is quadratic in the keys of a map. */
const holdsKeyTwice = (document: Document.Parsed): boolean => {
  let isFound = false
  visit(document, {
    Map: (_, { items }) => {
      const keys = items.map(({ key }) => (isScalar(key) ? String(key.value) : key))
      if (new Set(keys).size === keys.length) return undefined
      isFound = true
      return visit.BREAK
    },
  })
  return isFound
}

/** Refuses aliases: a plan needs none, and nested aliases can expand without limit. */
const readYaml = (text: string): unknown => {
  try {
    const parsed = parseBoundedYaml(text, YAML_LIMITS, { logLevel: 'error', stringKeys: true, uniqueKeys: false })
    if (!parsed.ok) return undefined
    const document = parsed.value
    const isSound = document.errors.length === 0 && document.warnings.length === 0 && !holdsKeyTwice(document)
    return isSound ? document.toJS({ maxAliasCount: 0 }) : undefined
  } catch {
    return undefined
  }
}

/** For providers that always answer in JSON. */
const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const text = (value: unknown, max: number): string | undefined => {
  const trimmed = typeof value === 'string' ? value.trim() : ''
  return trimmed === '' ? undefined : trimmed.slice(0, max)
}

const nameOf = (value: unknown): string | undefined => {
  const name = text(value, MAX_NAME + 1)
  return name !== undefined && name.length <= MAX_NAME ? name : undefined
}

const scoreOf = (fields: Fields): { readonly score?: number } => {
  const score = fields.get('score')
  return typeof score === 'number' && score >= 0 && score <= 1 ? { score } : {}
}

const readConsolidation = (fields: Fields): SaidConsolidation | undefined => {
  const from = nameOf(fields.get('from'))
  const into = nameOf(fields.get('into'))
  if (from === undefined || into === undefined) return undefined
  const said = text(fields.get('method'), MAX_NAME)?.toLowerCase()
  const method = CONSOLIDATION_METHODS.find((known) => known === said)
  return { from, into, reason: text(fields.get('reason'), MAX_REASON) ?? '', ...(method ? { method } : {}), ...scoreOf(fields) }
}

const readPruning = (fields: Fields): SaidPruning | undefined => {
  const name = nameOf(fields.get('name'))
  return name === undefined ? undefined : { name, reason: text(fields.get('reason'), MAX_REASON) ?? '', ...scoreOf(fields) }
}

const readFile = (value: unknown): SaidUmbrella['files'][number] | undefined => {
  const fields = fieldsOf(value)
  const path = text(fields?.get('path'), 1_024)
  const content = fields?.get('content')
  return path !== undefined && typeof content === 'string' ? { path, content } : undefined
}

/** An umbrella with an unreadable file is dropped: its text may point to the file. */
const readUmbrella = (fields: Fields): SaidUmbrella | undefined => {
  const name = nameOf(fields.get('name'))
  const content = fields.get('content') ?? undefined
  const category = text(fields.get('category'), MAX_NAME)
  const listed = fields.get('files') ?? []
  if (name === undefined || (content !== undefined && typeof content !== 'string') || !Array.isArray(listed)) return undefined
  const files = listed.slice(0, MAX_ENTRIES + 1).flatMap((file) => readFile(file) ?? [])
  if (files.length !== listed.length || files.length > MAX_ENTRIES) return undefined
  const written = content === undefined || content.trim() === '' ? {} : { content: `${content.trim()}\n` }
  return { name, ...(category === undefined ? {} : { category }), ...written, files }
}

const readList = <T>(
  plan: Fields,
  key: (typeof KEYS)[number],
  read: (fields: Fields) => T | undefined,
  leftOut: string[],
): readonly T[] => {
  const list = plan.get(key) ?? []
  if (!Array.isArray(list)) {
    leftOut.push(`'${key}' is not a list.`)
    return []
  }
  if (list.length > MAX_ENTRIES) leftOut.push(`Of '${key}' only the first ${MAX_ENTRIES} of ${list.length} entries were looked at.`)
  return list.slice(0, MAX_ENTRIES).flatMap((item, index) => {
    const fields = fieldsOf(item)
    const entry = fields && read(fields)
    if (entry === undefined) leftOut.push(`Entry ${index + 1} of '${key}' is incomplete.`)
    return entry ?? []
  })
}

const toAnswer = (plan: object, prose: string): ConsolidationAnswer => {
  const fields: Fields = new Map(Object.entries(plan))
  const leftOut: string[] = []
  const consolidations = readList(fields, 'consolidations', readConsolidation, leftOut)
  const prunings = readList(fields, 'prunings', readPruning, leftOut)
  const umbrellas = readList(fields, 'umbrellas', readUmbrella, leftOut)
  return { consolidations, prunings, umbrellas, leftOut, prose: prose.trim().slice(0, MAX_PROSE) }
}

const isYaml = ({ info }: FencedBlock): boolean => /^(?:ya?ml|json)?$/i.test(info)

const unparseable = (why: string, answer: string): HermesError =>
  new HermesError('unparseable', `${why} Nothing was done.`, { details: { answer: answer.slice(0, 500) } })

/** The last block that holds a plan, so that a plan quoted earlier as an example does not count. `unparseable` if there is none. */
export const parseConsolidationAnswer = (answer: string): Result<ConsolidationAnswer> => {
  if (answer.trim() === '') return err(unparseable('The answer is empty.', answer))
  if (answer.length > MAX_ANSWER)
    return err(unparseable(`The answer is longer than ${MAX_ANSWER.toLocaleString('en')} characters.`, answer))
  for (const spoken of withoutThinking(answer)) {
    const whole = readJson(spoken)
    if (isPlan(whole)) return ok(toAnswer(whole, text(fieldsOf(whole)?.get('summary'), MAX_PROSE) ?? ''))
    const blocks = fencedBlocks(spoken)
    // A truncated block may parse, with a text cut in half.
    if (blocks.at(-1)?.isClosed === false) return err(unparseable('The answer was cut off inside its block.', answer))
    for (const block of blocks.filter(isYaml).reverse()) {
      const plan = /^\s*\{/.test(block.body) ? (readJson(block.body) ?? readYaml(block.body)) : readYaml(block.body)
      if (isPlan(plan)) return ok(toAnswer(plan, spoken.slice(0, block.start)))
    }
  }
  return err(unparseable("The answer holds no YAML block with 'consolidations' or 'prunings' that can be read.", answer))
}
