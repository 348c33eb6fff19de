/** What one erasure removes, how it reads a document, and what becomes of the document. Pure. */
import { joined } from '../shared/joined-bytes.ts'
import { mapTexts, parseJson, someText } from '../shared/json-texts.ts'
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

export interface Changed {
  readonly kind: 'changed'
  /** `undefined`: the document is removed. */
  readonly next: Uint8Array | undefined
  readonly counted: ErasedKind
  readonly count: number
  /** Nothing of the text remains in it, so that it need not be searched again. */
  readonly isFinal?: boolean
}

export type Redacted = { readonly kind: 'clean' } | Changed | { readonly kind: 'remaining'; readonly reason: string }

/** A redaction of a long document, with a step for some of its lines. */
export type Steps = Generator<void, Redacted>

/** Redacts a document of one kind, a long one perhaps in steps. */
export type Redactor = (document: ReadDocument, erasure: Erasure) => Redacted | Steps

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const loose = new TextDecoder('utf-8', { ignoreBOM: true })

export class ReadDocument {
  readonly bytes: Uint8Array
  #loose: string | undefined

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** The text, with U+FFFD for bytes that are not UTF-8. */
  get loose(): string {
    this.#loose ??= loose.decode(this.bytes)
    return this.#loose
  }

  /** `undefined` if the bytes are not UTF-8. */
  get text(): string | undefined {
    if (!this.loose.includes('\ufffd')) return this.loose
    try {
      return strict.decode(this.bytes)
    } catch {
      return undefined
    }
  }
}

export const CLEAN: Redacted = { kind: 'clean' }

export const remains = (reason: string): Redacted => ({ kind: 'remaining', reason })

export const changed = (next: string | Uint8Array | undefined, counted: ErasedKind, count = 1): Redacted => ({
  kind: 'changed',
  next: typeof next === 'string' ? encoder.encode(next) : next,
  counted,
  count,
})

/** Removes the document if it holds what is to be erased. */
export const removedIf = (isHeld: boolean, counted: ErasedKind): Redacted => (isHeld ? changed(undefined, counted) : CLEAN)

export const redactAtOnce = (redacted: Redacted | Steps): Redacted => {
  if ('kind' in redacted) return redacted
  for (;;) {
    const step = redacted.next()
    if (step.done) return step.value
  }
}

export const NAMES_SESSION = 'The id of a session or the name of a project contains the text. Forget that session to erase its id.'

export const isOfSession = (data: unknown, { sessionId }: Erasure): boolean =>
  sessionId !== undefined && typeof data === 'object' && data !== null && Reflect.get(data, 'sessionId') === sessionId

/** Whether the id of a record or of its session, or the name of its project, contains the text. */
export const namesMatch = (data: unknown, { matches }: Erasure): boolean =>
  typeof data === 'object' &&
  data !== null &&
  [Reflect.get(data, 'sessionId'), Reflect.get(data, 'id'), Reflect.get(data, 'project')].some(
    (id: unknown) => typeof id === 'string' && matches(id),
  )

/** Keys of ids, hashes and words with a fixed meaning, in the JSON of the library: these are not texts. */
const FIXED: ReadonlySet<string> = new Set([
  ...['id', 'sessionId', 'project', 'pendingId', 'runId', 'backupId', 'messageId', 'archive', 'backup'],
  ...['version', 'stamp', 'mark', 'base', 'sha256', 'archiveSha256', 'turnKey'],
  ...['actor', 'origin', 'action', 'target', 'role', 'code', 'kind', 'state', 'why', 'method', 'phase', 'readBy', 'createdBy'],
])

/** Whether any text in JSON data of the library contains the text to erase. */
export const matchesInside = (data: unknown, { matches }: Pick<Erasure, 'matches'>): boolean =>
  someText(data, matches, (key) => FIXED.has(key))

/** A copy with the matches cut, except in the texts at the keys in `stays`. */
export const cutInside = (data: unknown, { cut }: Erasure, stays: ReadonlySet<string>): unknown =>
  mapTexts(data, cut, (key) => FIXED.has(key) || stays.has(key))

/** Whether JSON of the library, or what is left of it, contains the text. */
export const holds = (text: string, erasure: Erasure): boolean => {
  const data = parseJson(text)
  return data === undefined ? erasure.matches(text) : matchesInside(data, erasure)
}

// Documents of lines.

const LINE_FEED = 0x0a
/** Bytes that are redacted in one step. */
const BLOCK_BYTES = 32_768

const encoder = new TextEncoder()

/** Behind the next line feed. */
const lineEnd = (bytes: Uint8Array, from: number): number => {
  const found = from < bytes.length ? bytes.indexOf(LINE_FEED, from) : -1
  return found < 0 ? bytes.length : found + 1
}

/**
 * Redacts line by line; every other byte stays as it is. `piecesOf`: the records in a line, of which there are several where the end of one was lost. `redact`:
 * the record to keep, perhaps another one; `undefined` removes it.
 */
export function* redactLines(
  { bytes }: ReadDocument,
  { mayHold, sessionId }: Erasure,
  counted: ErasedKind,
  piecesOf: (line: string) => readonly string[],
  redact: (piece: string) => string | undefined,
): Steps {
  const quotedId = sessionId === undefined ? undefined : JSON.stringify(sessionId)
  const isSuspect = (text: string) => mayHold(text) || (quotedId !== undefined && text.includes(quotedId))
  const kept: Uint8Array[] = []
  let count = 0
  const redactLine = (line: Uint8Array): Uint8Array => {
    const text = loose.decode(line)
    if (!isSuspect(text)) return line
    const pieces = piecesOf(text)
    const next = pieces.map(redact)
    const touched = next.filter((piece, index) => piece !== pieces[index]).length
    count += touched
    return touched === 0 ? line : encoder.encode(next.map((piece) => (piece === undefined ? '' : `${piece}\n`)).join(''))
  }
  for (let start = 0; start < bytes.length; ) {
    const end = lineEnd(bytes, start + BLOCK_BYTES)
    if (isSuspect(loose.decode(bytes.subarray(start, end))))
      for (let at = start, next = at; at < end; at = next) {
        next = lineEnd(bytes, at)
        kept.push(redactLine(bytes.subarray(at, next)))
      }
    else kept.push(bytes.subarray(start, end))
    start = end
    yield
  }
  if (count === 0) return CLEAN
  const next = joined(kept)
  return changed(next.length === 0 ? undefined : next, counted, count)
}
