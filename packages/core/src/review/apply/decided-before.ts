/** What a person has decided between two reviews of the same turns: the second one proposes it again, and must not ask again. */
import type { Journal } from '../../journal/journal.ts'
import type { Clock } from '../../shared/clock.ts'
import type { HermesError } from '../../shared/hermes-error.ts'

export const DECIDED = 'The same proposal has waited and was decided, so nobody is asked again.'

/** Failed reviews of the same turns follow one another sooner. */
const RECENT_MS = 7 * 86_400_000

export interface DecidedBeforeDeps {
  readonly journal: Pick<Journal, 'list'>
  readonly clock: Clock
  readonly onFailure: (error: HermesError, operation: string) => void
}

/** For a review that reads turns again. False if the journal cannot be read: asking twice loses nothing. */
export const decidedBefore =
  ({ journal, clock, onFailure }: DecidedBeforeDeps) =>
  async (pendingId: string): Promise<boolean> => {
    const listed = await journal.list({ id: pendingId, since: clock() - RECENT_MS, limit: 1 })
    if (!listed.ok) onFailure(listed.error, 'read journal')
    return listed.ok && listed.value.some(({ kind }) => kind !== 'held')
  }
