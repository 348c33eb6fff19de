/**
 * Proposals that are refused without asking the gate: overlong texts, credentials, and removals of missing entries. Applies with every gate, a host's own
 * included.
 */

import { locateEntry } from '../../memory/memory-document.ts'
import { longestOpText, MAX_OP_CHARS, type MemoryOp } from '../../memory/memory-op.ts'
import type { MemoryProposal } from '../../proposal/review-proposal.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { holdsCredential } from '../../threats/credentials/find-credentials.ts'
import type { DisposeDeps } from './dispose-deps.ts'

/** `over_limit` if a text is longer than any entry may be. */
export const tooLong = (ops: readonly MemoryOp[]): HermesError | undefined => {
  const chars = Math.max(0, ...ops.map(longestOpText))
  if (chars <= MAX_OP_CHARS) return undefined
  const message = `This text has ${chars.toLocaleString('en')} characters, but at most ${MAX_OP_CHARS.toLocaleString('en')} are checked. An entry is a sentence or two: keep the fact, leave the rest out.`
  return new HermesError('over_limit', message, { details: { chars, maxChars: MAX_OP_CHARS } })
}

const HOLDS_CREDENTIAL =
  'It holds a password, a key or a token. Memory is sent to the model in every conversation, so secrets are never kept in it: keep this one in a password manager, and remember only where it is.'

/** A reason if new content contains a credential; called after `tooLong`. */
export const carriesCredential = (ops: readonly MemoryOp[]): string | undefined =>
  ops.some((op) => op.action !== 'remove' && holdsCredential(op.content)) ? HOLDS_CREDENTIAL : undefined

const GONE = 'No entry contains the text to remove. That entry may have been archived to make room.'

/**
 * `not_found` if a review removes text that no entry holds, such as an entry that was evicted meanwhile. Undefined if the entries cannot be read: the store
 * then reports that.
 */
export const missingEntry = async (
  [{ op, target }, ...more]: readonly [MemoryProposal, ...MemoryProposal[]],
  { store, actor = 'review' }: DisposeDeps,
): Promise<HermesError | undefined> => {
  if (actor !== 'review' || more.length > 0 || op.action !== 'remove') return undefined
  const entries = await store.current?.(target)
  if (!entries?.ok || locateEntry(entries.value, op.oldText.trim()).kind !== 'none') return undefined
  return new HermesError('not_found', GONE)
}
