/** Between the bytes of a skill's file and its text: strict UTF-8 both ways, so that no character is lost on the way. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'

/** `undefined` where the bytes are not UTF-8. A byte order mark stays: a change of another place must not drop it. */
export const decodeSkillText = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Refuses with `invalid` what is no text, or holds half a character, which UTF-8 cannot keep. */
export const encodeSkillText = (text: string, path: string): Result<Uint8Array> => {
  if (typeof text !== 'string') {
    return err(new HermesError('invalid', `The content of '${path}' must be text, but a value of type ${typeof text} was passed.`))
  }
  if (/\p{Surrogate}/u.test(text)) {
    const message = `The content of '${path}' holds half a character (a lone surrogate), which no file can keep. Send the text anew.`
    return err(new HermesError('invalid', message, { details: { path } }))
  }
  return ok(new TextEncoder().encode(text))
}
