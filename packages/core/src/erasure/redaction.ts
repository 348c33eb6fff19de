/** What one erasure removes, the documents that it reads as text, and the result for one document. */

import { decompress } from '../curator/backup-archive.ts'
import { LARGEST_BACKUP_BYTES } from '../curator/curator-options.ts'
import { mapTexts, someText } from '../shared/json-texts.ts'
import { pause } from '../shared/pause.ts'
import type { ErasedKind } from './forget-receipt.ts'
import type { TextMatcher } from './text-matcher.ts'

export interface Erasure extends TextMatcher {
  /** The texts to erase; none if an entry was not found. */
  readonly texts: readonly string[]
  /** Id of the session to forget: all its records and proposals are removed, whatever they contain. */
  readonly sessionId?: string | undefined
  /** Epoch milliseconds. */
  readonly at?: number
}

export type Redacted =
  | { readonly kind: 'clean' }
  | {
      readonly kind: 'changed'
      /** `undefined`: the document is removed. */
      readonly next: Uint8Array | undefined
      readonly counted: ErasedKind
      readonly count: number
    }
  | { readonly kind: 'remaining'; readonly reason: string }

export interface ReadDocument {
  /** `undefined` if the bytes are not UTF-8. */
  readonly text: string | undefined
  /** The text, with U+FFFD for bytes that are not UTF-8. */
  readonly loose: string
}

/** A redaction of a long document, with a step for some of its lines. */
export type Steps = Generator<void, Redacted>

/** Redacts a document of one kind. */
export type Redactor = (document: ReadDocument, erasure: Erasure) => Redacted

/** The same, of a long document perhaps in steps. */
export type SteppedRedactor = (document: ReadDocument, erasure: Erasure) => Redacted | Steps

export const redactAtOnce = (redacted: Redacted | Steps): Redacted => {
  if ('kind' in redacted) return redacted
  for (;;) {
    const step = redacted.next()
    if (step.done) return step.value
  }
}

/** Other work runs between the steps. */
export const redactInSteps = async (redacted: Redacted | Steps): Promise<Redacted> => {
  if ('kind' in redacted) return redacted
  for (;;) {
    const step = redacted.next()
    if (step.done) return step.value
    await pause()
  }
}

export const CLEAN: Redacted = { kind: 'clean' }

export const remains = (reason: string): Redacted => ({ kind: 'remaining', reason })

export const changed = (next: string | undefined, counted: ErasedKind, count = 1): Redacted => ({
  kind: 'changed',
  next: next === undefined ? undefined : new TextEncoder().encode(next),
  counted,
  count,
})

export const NOT_TEXT = 'It is not valid UTF-8, so it is not rewritten. Repair it or delete it, then forget again.'

export const NAMES_SESSION = 'The id of a session contains the text. Forget that session to erase its id.'

export const isOfSession = (data: unknown, { sessionId }: Erasure): boolean =>
  sessionId !== undefined && typeof data === 'object' && data !== null && Reflect.get(data, 'sessionId') === sessionId

/** Whether the id of a record, or of its session, contains the text. */
export const namesMatch = (data: unknown, { matches }: Erasure): boolean =>
  typeof data === 'object' &&
  data !== null &&
  [Reflect.get(data, 'sessionId'), Reflect.get(data, 'id')].some((id: unknown) => typeof id === 'string' && matches(id))

/** For documents of which no other byte may change: one that is not UTF-8 is left as it is. */
export const asText =
  (redact: (text: string, erasure: Erasure) => Redacted | Steps): SteppedRedactor =>
  ({ text, loose }, erasure) =>
    text === undefined ? (erasure.matches(loose) ? remains(NOT_TEXT) : CLEAN) : redact(text, erasure)

/** Keys of ids, hashes and words with a fixed meaning, in the JSON of the library: these are not texts. */
const FIXED: ReadonlySet<string> = new Set([
  ...['id', 'sessionId', 'pendingId', 'runId', 'backupId', 'messageId', 'archive', 'backup'],
  ...['version', 'stamp', 'mark', 'base', 'sha256', 'archiveSha256', 'turnKey'],
  ...['actor', 'verdict', 'origin', 'action', 'target', 'role', 'code', 'kind', 'state', 'why', 'method', 'phase', 'readBy', 'createdBy'],
])

/** Whether any text in JSON data of the library contains the text to erase. */
export const matchesInside = (data: unknown, { matches }: Pick<Erasure, 'matches'>): boolean =>
  someText(data, matches, (key) => FIXED.has(key))

/** A copy with the matches cut, except in the texts at the keys in `stays`. */
export const cutInside = (data: unknown, { cut }: Erasure, stays: ReadonlySet<string>): unknown =>
  mapTexts(data, cut, (key) => FIXED.has(key) || stays.has(key))

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const loose = new TextDecoder('utf-8', { ignoreBOM: true })

export const readText = (bytes: Uint8Array): ReadDocument => {
  try {
    const text = strict.decode(bytes)
    return { text, loose: text }
  } catch {
    return { text: undefined, loose: loose.decode(bytes) }
  }
}

/** `undefined` if the bytes are not a complete gzip file, or unpack to more than `LARGEST_BACKUP_BYTES`. */
export const gunzip = async (bytes: Uint8Array): Promise<Uint8Array | undefined> => {
  try {
    return new Uint8Array(await new Response(decompress(bytes, () => LARGEST_BACKUP_BYTES)).arrayBuffer())
  } catch {
    return undefined
  }
}
