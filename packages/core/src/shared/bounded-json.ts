/** The one way JSON from storage is parsed: bytes that are too many, hold too many values or nest too deep are refused before anything is built of them. */
import { HermesError } from './hermes-error.ts'
import { err, ok, type Result } from './result.ts'

/** How much of a document is read at most. */
export interface JsonLimits {
  readonly maxBytes: number
  readonly maxValues: number
}

/** For documents about one thing: a session, a proposal, what was granted. */
export const DOCUMENT_LIMITS: JsonLimits = { maxBytes: 4_194_304, maxValues: 50_000 }

/** For documents that grow with the library: usage, runs, manifests of backups. Enough for twenty thousand skills. */
export const LIBRARY_LIMITS: JsonLimits = { maxBytes: 10_485_760, maxValues: 400_000 }

/** Objects and lists inside each other; whatever walks the data may do so by recursion. */
export const MAX_JSON_DEPTH = 64

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c

/** With the bit that tells `{` from `[`, and `}` from `]`, set. */
const OPENING = 0x7b
const CLOSING = 0x7d
const BRACE_BIT = 0x20

/** After the closing quote of a text, given the place after its opening one. */
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

/** Half a sentence, or undefined. The walk knows nothing of JSON but texts, brackets and commas, all of which are single bytes in UTF-8. */
const whyBeyond = (bytes: Uint8Array, { maxBytes, maxValues }: JsonLimits): string | undefined => {
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
 * `over_limit` for what is beyond a limit, `unreadable` for what is no JSON in UTF-8; the message is half a sentence, such as `is nested
 * deeper than 64 levels`. `parse`: default `JSON.parse`; it throws a SyntaxError for what is no JSON.
 */
export const parseBoundedJson = (
  bytes: Uint8Array,
  limits: JsonLimits,
  parse: (text: string) => unknown = (text) => JSON.parse(text),
): Result<unknown> => {
  const beyond = whyBeyond(bytes, limits)
  if (beyond !== undefined) return err(new HermesError('over_limit', beyond))
  try {
    return ok(parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch (cause) {
    return err(new HermesError('unreadable', 'is not JSON in UTF-8', { cause }))
  }
}
