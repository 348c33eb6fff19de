/**
 * Reads what a reviewer claims to have done: the plan in the YAML block of its answer (seed 003, reference skills-curator 13 and 14). Pure.
 */
import { parseBoundedYaml } from '../../src/shared/bounded-yaml.ts'

export interface ClaimedMerge {
  readonly from: string
  readonly into: string
  /** `''` if none was given. */
  readonly reason: string
}

interface ClaimedPruning {
  readonly name: string
  readonly reason: string
}

export interface ClaimedPlan {
  readonly consolidations: readonly ClaimedMerge[]
  readonly prunings: readonly ClaimedPruning[]
}

const NO_PLAN: ClaimedPlan = { consolidations: [], prunings: [] }

const block = /^[ \t]*```[ \t]*ya?ml[ \t]*\r?\n([\s\S]*?)^[ \t]*```/gim

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Without aliases: a few lines of them could expand to fill the memory. */
const readBlock = (text: string): unknown => {
  try {
    const parsed = parseBoundedYaml(text, { maxChars: 1_000_000, maxTokens: 20_000 }, { logLevel: 'silent' })
    return parsed.ok && parsed.value.errors.length === 0 ? parsed.value.toJS({ maxAliasCount: 0 }) : undefined
  } catch {
    return undefined
  }
}

const word = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined)

const items = (list: unknown): readonly Readonly<Record<string, unknown>>[] => (Array.isArray(list) ? list.filter(isMap) : [])

const toPlan = (data: Readonly<Record<string, unknown>>): ClaimedPlan => ({
  consolidations: items(data['consolidations']).flatMap((item) => {
    const [from, into] = [word(item['from']), word(item['into'])]
    return from === undefined || into === undefined ? [] : [{ from, into, reason: word(item['reason']) ?? '' }]
  }),
  prunings: items(data['prunings']).flatMap((item) => {
    const name = word(item['name'])
    return name === undefined ? [] : [{ name, reason: word(item['reason']) ?? '' }]
  }),
})

/**
 * The plan in the first block that contains one, so that an example quoted before it is ignored. Empty if there is no such block or if it
 * is not YAML; items without names are omitted. Invents nothing.
 */
export const readClaimedPlan = (answer: string): ClaimedPlan => {
  for (const [, text = ''] of answer.matchAll(block)) {
    const data = readBlock(text)
    if (isMap(data) && ('consolidations' in data || 'prunings' in data)) return toPlan(data)
  }
  return NO_PLAN
}
