/** The maximum size of a support file (reference skills-curator 6). */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { isLongerThan } from './skill-document-fields.ts'
import { decodeSkillText } from './skill-text.ts'

export const MAX_SUPPORT_FILE_BYTES = 1_048_576

/** Code points, for a text file. */
const MAX_SUPPORT_FILE_CHARS = 100_000

const limitExceeded = (bytes: Uint8Array): string | undefined => {
  if (bytes.length > MAX_SUPPORT_FILE_BYTES) return `${MAX_SUPPORT_FILE_BYTES} bytes`
  if (bytes.length <= MAX_SUPPORT_FILE_CHARS) return undefined
  return isLongerThan(decodeSkillText(bytes) ?? '', MAX_SUPPORT_FILE_CHARS) ? `${MAX_SUPPORT_FILE_CHARS} characters` : undefined
}

/** `over_limit`; a file that is already too large may shrink. */
export const checkSupportFileSize = (path: string, next: Uint8Array, before: Uint8Array | undefined): Result<Uint8Array> => {
  const limit = limitExceeded(next)
  if (limit === undefined || (before && next.length < before.length && limitExceeded(before) !== undefined)) return ok(next)
  const message = `'${path}' would be longer than ${limit}, the limit for a file of a skill. Split it into several files.`
  return err(new HermesError('over_limit', message, { details: { path, bytes: next.length } }))
}
