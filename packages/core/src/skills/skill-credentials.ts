/** Refuses credentials in files of a skill, whoever writes them; those already in the file may stay (DESIGN 5). */

import { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { findNewCredentials } from '../threats/credentials/find-credentials.ts'
import { decodeSkillText } from './skill-text.ts'

const textOf = (bytes: Uint8Array | undefined): string => (bytes === undefined ? '' : (decodeSkillText(bytes) ?? ''))

/** `blocked` if the new bytes are text with a credential that the old ones did not hold; the message names its kind, never its value. */
export const checkNoNewCredential = (path: string, before: Uint8Array | undefined, next: Uint8Array): Result<Uint8Array> => {
  const kinds = findNewCredentials(textOf(before), textOf(next))
  if (!kinds) return ok(next)
  const message =
    `'${path}' was not saved because it would hold ${kinds.join(' and ')}. Skills are sent to the model, so secrets are never kept in them: ` +
    'keep this one in a password manager, and write only where it is. For an example, write a placeholder such as <your key>.'
  return { ok: false, error: new HermesError('blocked', message, { details: { path, kinds } }) }
}
