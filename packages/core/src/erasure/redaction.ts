/** What one erasure takes out of documents, and what a document looks like after it. Pure. */
import type { ErasedKind } from './forget-receipt.ts'
import type { TextMatcher } from './text-matcher.ts'

export interface Erasure extends TextMatcher {
  /** The session that is forgotten as a whole: records and proposals of it go, whatever they hold. */
  readonly sessionId?: string | undefined
}

export type Redacted =
  | { readonly kind: 'clean' }
  | {
      readonly kind: 'changed'
      /** `undefined`: the document goes. */
      readonly next: Uint8Array | undefined
      readonly counted: ErasedKind
      readonly count: number
      /** Entries of memory that went, of which the provenance may hold a fingerprint. */
      readonly entries?: readonly string[]
    }
  | { readonly kind: 'remaining'; readonly reason: string }

export interface ReadDocument {
  /** Undefined where the bytes are not UTF-8. */
  readonly text: string | undefined
  /** With U+FFFD for what is not UTF-8. */
  readonly loose: string
}

/** What is left of a document of one kind. */
export type Redactor = (document: ReadDocument, erasure: Erasure) => Redacted

export const CLEAN: Redacted = { kind: 'clean' }

export const remains = (reason: string): Redacted => ({ kind: 'remaining', reason })

export const changed = (next: string | undefined, counted: ErasedKind, count = 1, entries: readonly string[] = []): Redacted => ({
  kind: 'changed',
  next: next === undefined ? undefined : new TextEncoder().encode(next),
  counted,
  count,
  entries,
})

export const NOT_TEXT = 'It is not valid UTF-8, so nothing is taken out of it. Repair it or delete it, then forget again.'

export const NAMES_SESSION = 'The id of a session holds the text. Forget that session as a whole to be rid of it.'

export const isOfSession = (data: unknown, { sessionId }: Erasure): boolean =>
  sessionId !== undefined && typeof data === 'object' && data !== null && Reflect.get(data, 'sessionId') === sessionId

/** Its own id, or that of the session it speaks of, holds the text. */
export const namesMatch = (data: unknown, { matches }: Erasure): boolean =>
  typeof data === 'object' &&
  data !== null &&
  [Reflect.get(data, 'sessionId'), Reflect.get(data, 'id')].some((id: unknown) => typeof id === 'string' && matches(id))

/** For kinds of which a rewrite must not change another byte. */
export const asText =
  (redact: (text: string, erasure: Erasure) => Redacted): Redactor =>
  ({ text, loose }, erasure) =>
    text === undefined ? (erasure.matches(loose) ? remains(NOT_TEXT) : CLEAN) : redact(text, erasure)
