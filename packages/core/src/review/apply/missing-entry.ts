/** What a review wants removed and stands nowhere, such as what made room meanwhile, is no question for a gate or a person. */
import { locateEntry } from '../../memory/entry-list.ts'
import type { MemoryProposal } from '../../proposal/review-proposal.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import type { DisposeDeps } from './dispose-deps.ts'

const GONE = 'No entry holds the text that was to be removed. It may have made room for others meanwhile.'

/** `not_found`, for a removal alone. Undefined where the entries cannot be read: the store then says so. */
export const missingEntry = async (
  [{ op, target }, ...more]: readonly [MemoryProposal, ...MemoryProposal[]],
  { store, actor = 'review' }: DisposeDeps,
): Promise<HermesError | undefined> => {
  if (actor !== 'review' || more.length > 0 || op.action !== 'remove') return undefined
  const entries = await store.current?.(target)
  if (!entries?.ok || locateEntry(entries.value, op.oldText.trim()).kind !== 'none') return undefined
  return new HermesError('not_found', GONE)
}
