/** Items as rows and as the JSON that the functions of the schema take. */
import type { IndexHit, RecallIndexHome, RecallItem } from '@hermes/recall'
import type { Row } from '../drivers/driver.ts'

/** An item with its number in the table. */
export interface NumberedItem {
  readonly no: string
  readonly item: RecallItem
}

/** Single words, which no client renames; texts, which no client converts. `from`: the table or its alias. */
export const itemColumns = (from: string): string =>
  ['no::text', 'kind', 'id', 'source', 'project', 'at::text', 'automated::text', 'said', 'answer']
    .map((column) => `${from}.${column}`)
    .join(', ')

/** Condition for the items that a session sees. `$n`: its project, `''` for none, null for all. */
export const isSeen = ($n: string): string => `(${$n}::text is null or project is null or project = ${$n}::text)`

const KINDS: Readonly<Record<string, RecallItem['kind']>> = { turn: 'turn', entry: 'entry', skill: 'skill' }

export const toItem = (row: Row): RecallItem => ({
  id: String(row['id']),
  kind: KINDS[String(row['kind'])] ?? 'turn',
  source: String(row['source']),
  ...(typeof row['project'] === 'string' ? { project: row['project'] } : {}),
  at: Number(row['at']),
  automated: row['automated'] === 'true',
  user: String(row['said']),
  answer: String(row['answer']),
})

export const toNumberedItem = (row: Row): NumberedItem => ({ no: String(row['no']), item: toItem(row) })

export const toHit = (row: Row): IndexHit => ({ ...toItem(row), score: Number(row['score']) })

const countOf = (terms: readonly string[]): Readonly<Record<string, number>> => {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return Object.fromEntries(counts)
}

/** What `hermes_recall_add` takes for an item, as JSON. */
export const newEntry = ({ termsOf }: Pick<RecallIndexHome, 'termsOf'>, item: RecallItem): string =>
  JSON.stringify({ ...item, terms: countOf(termsOf(item)) })

/** What `hermes_recall_derive` takes for an item, as JSON. */
export const derivedEntry = ({ termsOf }: Pick<RecallIndexHome, 'termsOf'>, { no, item }: NumberedItem): string =>
  JSON.stringify({ no, terms: countOf(termsOf(item)) })

const MOST_ENTRIES = 200
const MOST_CHARS = 500_000
const LONGEST_STRETCH_MS = 10

const yieldToOthers = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** Writes entries in groups of bounded size, and lets others run in between. Resolves to the sum of the answers. */
export const inGroups = async <T>(
  all: readonly T[],
  toEntry: (one: T) => string,
  write: (entries: string) => Promise<number>,
): Promise<number> => {
  let sum = 0
  let group: string[] = []
  let chars = 0
  let stretch = performance.now()
  const flush = async (): Promise<void> => {
    if (group.length > 0) sum += await write(`[${group.join(',')}]`)
    group = []
    chars = 0
  }
  for (const one of all) {
    const entry = toEntry(one)
    if (group.length >= MOST_ENTRIES || chars + entry.length > MOST_CHARS) await flush()
    group.push(entry)
    chars += entry.length
    if (performance.now() - stretch < LONGEST_STRETCH_MS) continue
    await yieldToOthers()
    stretch = performance.now()
  }
  await flush()
  return sum
}
