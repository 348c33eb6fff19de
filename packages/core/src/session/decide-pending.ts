/** What waits, and the decision of a person or of the host's code about it: never a tool that the proposing agent can call (DESIGN 3 and 5). */
import type { Journal, JournalRecordInput } from '../journal/journal.ts'
import type { Pending, PendingProposal } from '../journal/pending.ts'
import type { MemoryOpOutcome } from '../memory/memory-op.ts'
import type { MemoryStore } from '../memory/memory-store.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'

export interface PendingDecisions {
  /** Oldest first. */
  list(): Promise<Result<readonly PendingProposal[]>>
  /**
   * Writes it, on the authority of whoever approves: the entry counts as the user's own. `not_found` for an unknown id; where the store refuses, it goes on
   * waiting.
   */
  approve(id: string): Promise<Result<MemoryOpOutcome>>
  /** Drops it from the queue; the journal keeps it. `not_found` for an unknown id. */
  reject(id: string): Promise<Result<PendingProposal>>
}

export interface PendingDecisionDeps {
  readonly pending: Pending
  readonly journal: Journal
  readonly createMemoryStore: () => MemoryStore
}

const recordsOf = (held: PendingProposal, fate: Pick<JournalRecordInput, 'verdict' | 'reason'>, previous: readonly string[]) => {
  const taken = [...previous]
  return held.ops.map((op): JournalRecordInput => {
    const before = op.action === 'add' ? [] : taken.splice(0, 1)
    return {
      ...(held.sessionId === undefined ? {} : { sessionId: held.sessionId }),
      actor: 'host',
      ...fate,
      target: held.target,
      op,
      rationale: held.rationale,
      score: held.score,
      evidence: held.evidence.map(({ messageId, quote }) => ({ messageId, quote })),
      pendingId: held.id,
      ...(fate.verdict === 'applied' ? { origin: 'user' } : {}),
      ...(before.length > 0 ? { previous: before } : {}),
    }
  })
}

export const pendingDecisions = ({ pending, journal, createMemoryStore }: PendingDecisionDeps): PendingDecisions => {
  const find = async (id: string): Promise<Result<PendingProposal>> => {
    const held = await pending.get(id)
    if (!held.ok) return held
    if (held.value) return ok(held.value)
    return err(new HermesError('not_found', `Nothing waits under the id '${id.slice(0, 80)}'. List what waits to see the ids.`))
  }

  return {
    list: () => pending.list(),
    async approve(id) {
      const held = await find(id)
      if (!held.ok) return held
      const { target, ops, sessionId } = held.value
      const [only, ...more] = ops
      const source = { origin: 'user', ...(sessionId === undefined ? {} : { sessionId }) } as const
      const applied = await createMemoryStore().apply(target, only && more.length === 0 ? only : ops, source)
      if (!applied.ok) return applied
      // The entry first, the queue last: a crash in between leaves a proposal that can be approved once more, to no effect.
      const written = await journal.append(
        recordsOf(held.value, { verdict: 'applied', reason: 'A person approved it.' }, applied.value.previous),
      )
      const removed = await pending.remove(id)
      return !written.ok ? written : !removed.ok ? removed : applied
    },
    async reject(id) {
      const held = await find(id)
      if (!held.ok) return held
      const written = await journal.append(recordsOf(held.value, { verdict: 'rejected', reason: 'A person rejected it.' }, []))
      if (!written.ok) return written
      const removed = await pending.remove(id)
      return removed.ok ? held : removed
    },
  }
}
