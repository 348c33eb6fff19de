/** Lists pending proposals and applies the decision of a person or of the host's code. Never a tool that the proposing agent can call (DESIGN 3 and 5). */
import type { HostActor } from '../journal/host-recorder.ts'
import { evictedBy } from '../journal/host-writes.ts'
import type { Journal, JournalRecordInput } from '../journal/journal.ts'
import type { Pending, PendingProposal } from '../journal/pending.ts'
import type { HeldMerge, PendingMemoryProposal, PendingSkillProposal } from '../journal/pending-proposal.ts'
import type { MemoryOpOutcome, OpFacts } from '../memory/memory-op.ts'
import type { MemoryStore } from '../memory/memory-store.ts'
import { renewFieldOps } from '../memory/profile-entry.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { withLazy } from '../shared/lazy.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { SkillOpOutcome } from '../skills/skill-op.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { WritableSkills } from './apply/disposal-options.ts'

export interface PendingDecisions {
  /** Oldest first. */
  list(): Promise<Result<readonly PendingProposal[]>>
  /**
   * Applies the proposal with the authority of the approver: the entry counts as the user's own. Errors: `not_found` for an unknown id; `drift` if the
   * skill's file has changed since; `rejected` if the skill may not be archived. If the store refuses the change, the proposal stays pending.
   */
  approve(id: string): Promise<Result<MemoryOpOutcome | SkillOpOutcome>>
  /** Removes the proposal from the queue; the journal keeps it. `not_found` for an unknown id. */
  reject(id: string): Promise<Result<PendingProposal>>
  /**
   * Takes a decision back: the proposal waits again as before. Does not undo what an approval wrote. Takes a proposal as `list` or `reject` returned it,
   * never one that an agent has made; `invalid` for anything else.
   */
  putBack(proposal: PendingProposal): Promise<Result<PendingProposal>>
}

/** The stores of one decision. */
export interface DecisionStores {
  readonly pending: Pending
  readonly journal: Journal
  readonly createMemoryStore: (onFailure: (error: HermesError) => void, project: string | undefined) => MemoryStore
  /** Undefined if skills are switched off; proposals for skills then stay pending. */
  readonly skills: WritableSkills | undefined
}

interface ApprovedMerge extends Pick<JournalRecordInput, 'files'> {
  readonly outcome: SkillOpOutcome
  /** The journal's lines of the skills that were archived, for the lines of the decision. */
  readonly archived: readonly Pick<JournalRecordInput, 'op' | 'reason'>[]
}

export interface PendingDecisionDeps {
  /** Does the work over stores of its own and writes in one update what it wrote there; may do it again. */
  readonly inOneUpdate: <T>(work: (stores: DecisionStores) => Promise<Result<T>>) => Promise<Result<T>>
  readonly pending: Pick<Pending, 'list'>
  /** Recorded in the journal as the one who decided. Default `host`. */
  readonly actor?: HostActor
  /** Carries out a merge of skills over the storage of the decision. */
  readonly approveMerge?: (
    held: PendingSkillProposal & { readonly merge: HeldMerge },
    over: StorageBackend,
  ) => Promise<Result<ApprovedMerge>>
}

const APPROVED = 'A person approved it.'

interface Written extends Pick<JournalRecordInput, 'files'> {
  readonly outcome: MemoryOpOutcome | SkillOpOutcome
  /** Text that the operations replaced or removed, one for each such operation. */
  readonly previous: readonly string[]
  /** Facts about memory entries, one for each operation. */
  readonly facts?: readonly OpFacts[] | undefined
  /** Memory entries that were evicted to make room. */
  readonly evicted?: MemoryOpOutcome['evicted']
  /** Skills that were archived with a merge. */
  readonly archived?: ApprovedMerge['archived']
}

const projectOf = ({ project }: PendingProposal): Pick<JournalRecordInput, 'project'> => (project === undefined ? {} : { project })

const recordsOf = (
  held: PendingProposal,
  decided: Pick<JournalRecordInput, 'kind' | 'reason' | 'actor'>,
  { previous, facts, evicted, files, archived = [] }: Omit<Written, 'outcome'>,
) => {
  const taken = [...previous]
  const isPartial = held.target === 'skill' && (held.files !== undefined || held.merge !== undefined)
  const partial = isPartial ? ({ partial: true } as const) : {}
  const records = [...held.ops].map((op, index): JournalRecordInput => {
    const known = facts?.[index]
    const before = op.action === 'add' ? [] : taken.splice(0, 1)
    return {
      ...(held.sessionId === undefined ? {} : { sessionId: held.sessionId }),
      ...decided,
      target: held.target,
      ...projectOf(held),
      op,
      rationale: held.rationale,
      score: held.score,
      evidence: held.evidence.map(({ messageId, quote }) => ({ messageId, quote })),
      pendingId: held.id,
      ...partial,
      ...(held.target === 'skill' && held.model !== undefined ? { model: held.model } : {}),
      ...(decided.kind === 'applied' ? { origin: 'user' } : {}),
      ...(before.length > 0 ? { previous: before } : {}),
      ...(known ? { facts: known } : {}),
      ...(index === 0 ? { ...evictedBy(evicted), ...(files ? { files } : {}) } : {}),
    }
  })
  return [
    ...records,
    ...archived.map(
      (each): JournalRecordInput => ({ ...decided, target: held.target, ...projectOf(held), pendingId: held.id, ...partial, ...each }),
    ),
  ]
}

const writeMemory = async ({ target, ops, sessionId }: PendingMemoryProposal, store: MemoryStore): Promise<Result<Written>> => {
  const [only, ...more] = ops
  const source = { origin: 'user', reason: APPROVED, ...(sessionId === undefined ? {} : { sessionId }) } as const
  const applied = await store.apply(target, only && more.length === 0 ? only : ops, source)
  if (!applied.ok) return applied
  const { previous, facts, evicted } = applied.value
  return ok({ outcome: applied.value, previous, facts, evicted })
}

const writeHeldSkill = async (
  held: PendingSkillProposal,
  { skills }: DecisionStores,
  { approveMerge }: PendingDecisionDeps,
): Promise<Result<Written>> => {
  if (!skills) return err(new HermesError('disabled', 'Skills are switched off here. Switch them on to approve this, or reject it.'))
  const { merge } = held
  const toWritten = (outcome: SkillOpOutcome): Written => ({ outcome, previous: outcome.previous === undefined ? [] : [outcome.previous] })
  if (merge && approveMerge) {
    const merged = await approveMerge({ ...held, merge }, skills.storage)
    if (!merged.ok) return merged
    const { outcome, ...rest } = merged.value
    return ok({ ...toWritten(outcome), ...rest })
  }
  const applied = await withLazy(
    'The code that writes skills',
    () => import('./apply/approve-skill.ts'),
    ({ applyApprovedSkill }) => applyApprovedSkill(held, skills),
  )
  return applied.ok ? ok(toWritten(applied.value)) : applied
}

/** A field of the profile may have another value by now than when it was proposed. */
const renewed = async (held: PendingProposal, store: MemoryStore): Promise<PendingProposal> => {
  if (held.target !== 'profile') return held
  const entries = await store.current(held.target)
  return entries.ok ? { ...held, ops: renewFieldOps(entries.value, held.ops) } : held
}

const find = async (pending: Pending, id: string): Promise<Result<PendingProposal>> => {
  const held = await pending.get(id)
  if (!held.ok) return held
  if (held.value) return ok(held.value)
  return err(
    new HermesError('not_found', `No proposal with the id '${id.slice(0, 80)}' is waiting. List the pending proposals to see their ids.`),
  )
}

/** Each decision is one update. */
export const pendingDecisions = (deps: PendingDecisionDeps): PendingDecisions => {
  const { inOneUpdate, pending: waiting, actor = 'host' } = deps

  /** The result if both can be written. */
  const withRecords = async <T>(
    { journal }: DecisionStores,
    records: readonly JournalRecordInput[],
    rest: () => Promise<Result<unknown>>,
    value: T,
  ): Promise<Result<T>> => {
    const written = await journal.append(records)
    const done = written.ok ? await rest() : written
    return done.ok ? ok(value) : done
  }

  return {
    list: () => waiting.list(),
    async approve(id) {
      // What memory refuses is a value here, so that the copy of a file that it saved on the way, which the error names, is written.
      const decided = await inOneUpdate<Result<MemoryOpOutcome | SkillOpOutcome>>(async (stores) => {
        const found = await find(stores.pending, id)
        if (!found.ok) return found
        const store = stores.createMemoryStore(() => {}, found.value.project)
        const held = await renewed(found.value, store)
        const applied = held.target === 'skill' ? await writeHeldSkill(held, stores, deps) : await writeMemory(held, store)
        if (!applied.ok) return held.target === 'skill' ? applied : ok(applied)
        const { outcome, ...taken } = applied.value
        const records = recordsOf(held, { actor, kind: 'applied', reason: APPROVED }, taken)
        return withRecords(stores, records, () => stores.pending.remove(id), ok(outcome))
      })
      return decided.ok ? decided.value : decided
    },
    reject: (id) =>
      inOneUpdate(async (stores) => {
        const held = await find(stores.pending, id)
        if (!held.ok) return held
        const decided = { actor, kind: 'rejected', reason: 'A person rejected it.' } as const
        return withRecords(stores, recordsOf(held.value, decided, { previous: [] }), () => stores.pending.remove(id), held.value)
      }),
    putBack: (proposal) =>
      inOneUpdate(async (stores) => {
        const back = await stores.pending.putBack(proposal)
        if (!back.ok) return back
        const decided = { actor, kind: 'held', reason: 'A person took the decision back.' } as const
        return withRecords(stores, recordsOf(back.value, decided, { previous: [] }), async () => back, back.value)
      }),
  }
}
