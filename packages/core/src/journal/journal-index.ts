/**
 * `journal/index/<YYYY-MM>.json`: for each compacted day, a filter of the texts in its records, so that a search can skip other days.
 * Derived from the day documents and bound to their stamps: if an entry is missing, damaged or outdated, its day is read.
 */
import * as z from 'zod/mini'
import { canonicalJson } from '../shared/canonical-json.ts'
import { ok, type Result } from '../shared/result.ts'
import type { StorageBackend, StoredDocument } from '../storage/storage-backend.ts'
import { UNCHANGED } from '../storage/storage-backend.ts'
import { JOURNAL_FOLDER } from '../storage/storage-paths.ts'
import { mayHoldText } from './text-filter.ts'

export const INDEX_FOLDER = `${JOURNAL_FOLDER}/index`

const MONTH_LENGTH = '2026-03'.length

export const monthOf = (day: string): string => day.slice(0, MONTH_LENGTH)

const indexPath = (month: string): string => `${INDEX_FOLDER}/${month}.json`

const indexSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    version: z.literal(1),
    days: z.record(
      z.string(),
      z.object({
        /** The stamp of the day document that the filter was made from. */
        stamp: z.string(),
        /** Base64. */
        filter: z.string(),
      }),
    ),
  }),
)

export interface IndexedDay {
  readonly stamp: string
  readonly filter: Uint8Array
}

export type IndexedDays = ReadonlyMap<string, IndexedDay>

const toBytes = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

const toBase64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

const decode = (document: StoredDocument | undefined): IndexedDays => {
  if (!document) return new Map()
  try {
    const { days } = indexSchema.parse(JSON.parse(new TextDecoder().decode(document.bytes)))
    return new Map(Object.entries(days).map(([day, { stamp, filter }]) => [day, { stamp, filter: toBytes(filter) }]))
  } catch {
    return new Map()
  }
}

const encode = (days: IndexedDays): Uint8Array => {
  const stored = Object.fromEntries([...days].map(([day, { stamp, filter }]) => [day, { stamp, filter: toBase64(filter) }]))
  return new TextEncoder().encode(canonicalJson({ version: 1, days: stored } satisfies z.infer<typeof indexSchema>))
}

/** Empty if there is none or it cannot be read. */
export const readIndexedMonth = async (storage: StorageBackend, month: string): Promise<IndexedDays> => {
  const document = await storage.read(indexPath(month))
  return document.ok ? decode(document.value) : new Map()
}

/** Adds new entries and drops the days for which `exists` is false; an index without days is removed. */
export const updateIndexedMonth = async (
  storage: StorageBackend,
  month: string,
  made: IndexedDays,
  exists: (day: string) => boolean,
): Promise<Result<void>> => {
  const updated = await storage.update(indexPath(month), (document) => {
    const current = decode(document)
    const next = new Map([...current, ...made].filter(([day]) => exists(day)))
    if (next.size === 0) return document ? undefined : UNCHANGED
    return made.size === 0 && next.size === current.size ? UNCHANGED : encode(next)
  })
  return updated.ok ? ok(undefined) : updated
}

/** Queries the index of a home; each month is read once. `stamp`: the present stamp of the day document. */
export const openJournalIndex = (storage: StorageBackend) => {
  const months = new Map<string, Promise<IndexedDays>>()
  return {
    /** False only if no record of this day document holds the text. */
    mayHold: async (day: string, stamp: string | undefined, text: string): Promise<boolean> => {
      const month = monthOf(day)
      const reading = months.get(month) ?? readIndexedMonth(storage, month)
      months.set(month, reading)
      const indexed = (await reading).get(day)
      return indexed === undefined || indexed.stamp !== stamp || mayHoldText(indexed.filter, text)
    },
  }
}
