/** Converts between bytes and text of a skill's file: strict UTF-8 both ways, so that no character is lost. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'

/** `undefined` if the bytes are not UTF-8. A byte order mark is kept: a change elsewhere must not drop it. */
export const decodeSkillText = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** `invalid` for anything but text, and for lone surrogates, which UTF-8 cannot encode. */
export const encodeSkillText = (text: string, path: string): Result<Uint8Array> => {
  if (typeof text !== 'string') {
    return err(new HermesError('invalid', `The content of '${path}' must be text, but a value of type ${typeof text} was passed.`))
  }
  if (/[\ud800-\udfff]/u.test(text)) {
    const message = `The content of '${path}' holds half a character (a lone surrogate), which cannot be stored in a file. Send the text again.`
    return err(new HermesError('invalid', message, { details: { path } }))
  }
  return ok(new TextEncoder().encode(text))
}
