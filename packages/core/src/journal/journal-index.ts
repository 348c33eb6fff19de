/**
 * `journal/index/<YYYY-MM>.json`: for each compacted day, a filter of the texts in its records, so that a search can skip other days.
 * Derived from the day documents and bound to their stamps: if an entry is missing, damaged or outdated, its day is read.
 */

import * as z from 'zod/mini'
import { fromBase64, toBase64 } from '../shared/base64.ts'
import { canonicalJson } from '../shared/canonical-json.ts'
import { ok, type Result } from '../shared/result.ts'
import { readDocument, UNCHANGED, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend, StoredDocument } from '../storage/storage-backend.ts'
import { JOURNAL_FOLDER } from '../storage/storage-paths.ts'

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

const decode = (document: StoredDocument | undefined): IndexedDays => {
  if (!document) return new Map()
  try {
    const { days } = indexSchema.parse(JSON.parse(new TextDecoder().decode(document.bytes)))
    return new Map(Object.entries(days).map(([day, { stamp, filter }]) => [day, { stamp, filter: fromBase64(filter) }]))
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
  const document = await readDocument(storage, indexPath(month))
  return document.ok ? decode(document.value) : new Map()
}

/** Adds new entries and drops the days for which `exists` is false; an index without days is removed. */
export const updateIndexedMonth = async (
  storage: StorageBackend,
  month: string,
  made: IndexedDays,
  exists: (day: string) => boolean,
): Promise<Result<void>> => {
  const updated = await updateDocument(storage, indexPath(month), (document) => {
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

// A Bloom filter over the trigrams of texts: tells that none of them contains a text, or that one may. About 10 bits for each distinct trigram, so that a day of
// records takes a few kilobytes.

const BITS_PER_TRIGRAM = 10
const HASHES = 7
const BITS_PER_BYTE = 8
const MIN_CHARS = 3

/** Three UTF-16 units as one exact number. */
const trigramAt = (text: string, index: number): number =>
  text.charCodeAt(index) * 0x1_0000_0000 + text.charCodeAt(index + 1) * 0x1_0000 + text.charCodeAt(index + 2)

const addTrigrams = (text: string, trigrams: Set<number>): void => {
  const folded = text.toLowerCase()
  for (let index = 0; index + MIN_CHARS <= folded.length; index++) trigrams.add(trigramAt(folded, index))
}

/** A 32-bit hash of a number (the finalizer of MurmurHash3). */
const mix = (value: number, seed: number): number => {
  let mixed = ((value % 0x1_0000_0000) ^ Math.imul(Math.floor(value / 0x1_0000_0000) ^ seed, 0x9e3779b1)) >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Derives all positions from two hashes. */
const positionsOf = (trigram: number, bits: number): readonly number[] => {
  const first = mix(trigram, 0x2545f491)
  const step = mix(trigram, 0x6a09e667) | 1
  return Array.from({ length: HASHES }, (_, index) => ((first + index * step) >>> 0) % bits)
}

interface TextFilterBuilder {
  readonly add: (text: string) => void
  readonly build: () => Uint8Array
}

export const buildTextFilter = (): TextFilterBuilder => {
  const trigrams = new Set<number>()
  return {
    add: (text) => addTrigrams(text, trigrams),
    build: () => {
      const filter = new Uint8Array(Math.max(1, Math.ceil((trigrams.size * BITS_PER_TRIGRAM) / BITS_PER_BYTE)))
      for (const trigram of trigrams) {
        for (const position of positionsOf(trigram, filter.length * BITS_PER_BYTE)) {
          const byte = Math.floor(position / BITS_PER_BYTE)
          filter[byte] = (filter[byte] ?? 0) | (1 << (position % BITS_PER_BYTE))
        }
      }
      return filter
    },
  }
}

/** False only if no added text contains this one, ignoring case. True for texts of fewer than three characters. */
export const mayHoldText = (filter: Uint8Array, text: string): boolean => {
  const trigrams = new Set<number>()
  addTrigrams(text, trigrams)
  const bits = filter.length * BITS_PER_BYTE
  return [...trigrams].every((trigram) =>
    positionsOf(trigram, bits).every(
      (position) => ((filter[Math.floor(position / BITS_PER_BYTE)] ?? 0) & (1 << (position % BITS_PER_BYTE))) !== 0,
    ),
  )
}
