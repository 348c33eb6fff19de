/** Parses JSON from storage. Bytes with too many values or too deep nesting, or too many bytes, are refused before parsing. */
import { HermesError } from './hermes-error.ts'
import { err, ok, type Result } from './result.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Maximum size of a document to read. */
export interface JsonLimits {
  readonly maxBytes: number
  readonly maxValues: number
}

/** For single documents: a session, a proposal, the grants. */
export const DOCUMENT_LIMITS: JsonLimits = { maxBytes: 4_194_304, maxValues: 50_000 }

/** For documents that grow with the library: usage, runs, backup manifests. Enough for twenty thousand skills. */
export const LIBRARY_LIMITS: JsonLimits = { maxBytes: 10_485_760, maxValues: 400_000 }

/** Maximum nesting of objects and lists, so that recursion over the data is safe. */
export const MAX_JSON_DEPTH = 64

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c

/** With the bit set that distinguishes `{` from `[`, and `}` from `]`. */
const OPENING = 0x7b
const CLOSING = 0x7d
const BRACE_BIT = 0x20

/** The offset after the closing quote of a string, given the offset after its opening one. */
const skipText = (bytes: Uint8Array, from: number): number => {
  for (let at = from; ; ) {
    const quote = bytes.indexOf(QUOTE, at)
    if (quote === -1) return bytes.length
    let backslashes = 0
    while (quote - backslashes > from && bytes[quote - backslashes - 1] === BACKSLASH) backslashes++
    at = quote + 1
    if (backslashes % 2 === 0) return at
  }
}

/** Why the bytes may not be parsed, as a clause; `undefined` if they may. The scan only knows strings, brackets and commas, all of which are single bytes in UTF-8. */
export const whyBeyond = (bytes: Uint8Array, { maxBytes, maxValues }: JsonLimits): string | undefined => {
  if (bytes.length > maxBytes) return `is larger than ${maxBytes} bytes`
  let depth = 0
  let values = 1
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0
    at++
    if (byte === QUOTE) at = skipText(bytes, at)
    else if (byte === COMMA) values++
    else if ((byte | BRACE_BIT) === OPENING) {
      depth++
      values++
      if (depth > MAX_JSON_DEPTH) return `is nested deeper than ${MAX_JSON_DEPTH} levels`
    } else if ((byte | BRACE_BIT) === CLOSING) depth--
    if (values > maxValues) return `holds more than ${maxValues} values`
  }
  return undefined
}

/**
 * `over_limit` beyond a limit, `unreadable` for anything but UTF-8 JSON; the message is a clause such as `is nested deeper than 64
 * levels`. `parse` must throw a SyntaxError for invalid JSON; default `JSON.parse`.
 */
export const parseBoundedJson = (
  bytes: Uint8Array,
  limits: JsonLimits,
  parse: (text: string) => unknown = (text) => JSON.parse(text),
): Result<unknown> => {
  const beyond = whyBeyond(bytes, limits)
  if (beyond !== undefined) return err(new HermesError('over_limit', beyond))
  try {
    return ok(parse(decoder.decode(bytes)))
  } catch (cause) {
    return err(new HermesError('unreadable', 'is not JSON in UTF-8', { cause }))
  }
}
