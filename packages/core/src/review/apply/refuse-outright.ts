/** What no gate is asked about: texts too long to be an entry, and the values of credentials. The same for every gate, a host's own included. */
import { longestOpText, MAX_OP_CHARS, type MemoryOp } from '../../memory/memory-op.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { holdsCredential } from '../../threats/credentials/find-credentials.ts'

/** `over_limit` where a text is longer than any entry may be. */
export const tooLong = (ops: readonly MemoryOp[]): HermesError | undefined => {
  const chars = Math.max(0, ...ops.map(longestOpText))
  if (chars <= MAX_OP_CHARS) return undefined
  const message = `This text has ${chars.toLocaleString('en')} characters; nothing longer than ${MAX_OP_CHARS.toLocaleString('en')} is even looked at. An entry is a sentence or two: keep the fact, leave the rest out.`
  return new HermesError('over_limit', message, { details: { chars, maxChars: MAX_OP_CHARS } })
}

const HOLDS_CREDENTIAL =
  'It holds a password, a key or a token. Memory is sent to the model in every conversation, so secrets are never kept in it: keep this one in a password manager, and remember only where it is.'

/** A reason where new content carries a credential; asked after `tooLong`. */
export const carriesCredential = (ops: readonly MemoryOp[]): string | undefined =>
  ops.some((op) => op.action !== 'remove' && holdsCredential(op.content)) ? HOLDS_CREDENTIAL : undefined
