/** The searchable texts of a record: what was proposed or written, what was there before, and names. Pure. */
import type { JournalRecord } from './journal-record.ts'

const KEYS = ['content', 'oldText', 'newText', 'name', 'category', 'filePath', 'absorbedInto'] as const

export const textsOfRecord = ({ op, previous = [], evicted = [], raw, upkeep }: JournalRecord): readonly string[] => {
  const own = op ? KEYS.map((key): unknown => Reflect.get(op, key)).filter((text) => typeof text === 'string') : []
  const gone = evicted.map(({ text }) => text)
  return [...own, ...previous, ...gone, ...[raw, upkeep?.subject, upkeep?.before, upkeep?.after].filter((text) => text !== undefined)]
}
