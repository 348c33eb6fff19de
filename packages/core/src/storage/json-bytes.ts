/** The bytes of a JSON document, without a check of its shape. */
import { type JsonLimits, whyBeyond } from '../shared/bounded-json.ts'
import { canonicalJson } from '../shared/canonical-json.ts'
import { HermesError } from '../shared/hermes-error.ts'

const encoder = new TextEncoder()

/** Throws a HermesError, `over_limit`, for a value that could not be read back. */
export const jsonBytesWithin = (path: string, value: unknown, limits: JsonLimits): Uint8Array => {
  const bytes = encoder.encode(canonicalJson(value))
  const beyond = whyBeyond(bytes, limits)
  if (beyond === undefined) return bytes
  const message = `'${path}' was left unchanged: its new content ${beyond}. Make it smaller, then try again.`
  throw new HermesError('over_limit', message, { details: { path } })
}
