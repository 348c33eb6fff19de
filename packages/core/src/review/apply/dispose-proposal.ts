/** Takes valid proposals through gate, store and journal: the path shared by the reviewer and the agent's own tool calls. */
import { sightOf } from '../../gate/judge-memory.ts'
import { type GateContext, leastWilling, type Verdict } from '../../gate/review-gate.ts'
import { evictedBy } from '../../journal/host-writes.ts'
import { pendingId } from '../../journal/pending.ts'
import { formatCount, memoryFileName } from '../../memory/memory-document.ts'
import type { MemoryOp, MemoryOpOutcome } from '../../memory/memory-op.ts'
import { planChange } from '../../memory/plan-change.ts'
import { type MemoryProposal, proposalFault, type ReviewProposal, reviewProposalSchema } from '../../proposal/review-proposal.ts'
import { checkShape } from '../../shared/check-shape.ts'
import { countCodePoints } from '../../shared/code-points.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { leastTrusted } from '../../shared/origin.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { scanMemoryText } from '../../threats/scan.ts'
import type { DisposedProposal } from '../review-outcome.ts'
import { askGate, gateContext } from './ask-gate.ts'
import { corroboratedEntries, recordRaised, refusePinned, settleHeld } from './corroborate.ts'
import { DECIDED } from './decided-before.ts'
import type { DisposeDeps } from './dispose-deps.ts'
import { disposeSkill } from './dispose-skill.ts'
import { entryMeant } from './merge-groups.ts'
import { appendRecords, guarded, toRecord } from './record-verdict.ts'
import { carriesCredential, missingEntry, tooLong } from './refuse-outright.ts'
import { describeUnwritten, isStorageFailure } from './unwritten.ts'

/** The common result of an all-or-nothing group. */
export type DisposedGroup =
  | {
      readonly kind: 'applied'
      readonly proposals: readonly MemoryProposal[]
      readonly verdicts: readonly Verdict[]
      readonly outcome: MemoryOpOutcome
    }
  | { readonly kind: 'held'; readonly proposals: readonly MemoryProposal[]; readonly reason: string; readonly pendingId?: string }
  | { readonly kind: 'rejected'; readonly proposals: readonly MemoryProposal[]; readonly reason: string }
  | { readonly kind: 'failed'; readonly proposals: readonly MemoryProposal[]; readonly error: HermesError }

const resultOf = (disposed: DisposedGroup, proposal: MemoryProposal, index: number): DisposedProposal => {
  const { proposals: _, ...shared } = disposed
  if (shared.kind !== 'applied') return { ...shared, proposal }
  const { kind, verdicts, outcome } = shared
  return { kind, proposal, verdict: verdicts[index] ?? { verdict: 'approve', reason: '' }, outcome }
}

/** The result of each proposal of a group. */
export const resultsOf = (disposed: DisposedGroup): readonly DisposedProposal[] =>
  disposed.proposals.map((proposal, index) => resultOf(disposed, proposal, index))

type Group = readonly [MemoryProposal, ...MemoryProposal[]]

const textOf = (op: MemoryOp): string => (op.action === 'remove' ? '' : op.content)

/** The context for the next operation's gate: the store as the earlier operations would leave it. */
const afterOp = (context: GateContext, { target, op }: MemoryProposal): GateContext => {
  const planned = planChange(context.entries[target], { target, charLimit: Number.POSITIVE_INFINITY, batch: false, ops: [ok(op)] })
  return planned.ok ? { ...context, entries: { ...context.entries, [target]: planned.value.entries } } : context
}

/** `sight`: what the proposer was shown. */
type GateAnswers = { readonly verdicts: readonly Verdict[]; readonly sight: 'own' | 'outside' }

const mergeOf = (group: Group, { entries }: GateContext): GateContext['merge'] => ({
  replaced: group.flatMap((proposal) => entryMeant(proposal, entries) ?? []),
  contents: group.map(({ op }) => textOf(op)),
})

const askAll = async (group: Group, deps: DisposeDeps): Promise<Result<GateAnswers>> => {
  const first = await gateContext(deps)
  if (!first.ok) return first
  let context: GateContext = group.length > 1 ? { ...first.value, merge: mergeOf(group, first.value) } : first.value
  const verdicts: Verdict[] = []
  for (const proposal of group) {
    const verdict = await askGate(proposal, deps, context)
    if (!verdict.ok) return verdict
    verdicts.push(verdict.value)
    context = afterOp(context, proposal)
  }
  return ok({ verdicts, sight: sightOf(first.value) })
}

const isDecided = async (group: Group, { wasDecided }: DisposeDeps): Promise<boolean> => {
  if (!wasDecided) return false
  const ops = group.map(({ op }) => op)
  return wasDecided(await pendingId(group[0].target, ops))
}

const originOf = (verdicts: readonly Verdict[]) => leastTrusted(verdicts.flatMap((verdict) => verdict.origin ?? []))

const refuse = async (group: Group, verdicts: readonly Verdict[], deciding: Verdict, deps: DisposeDeps): Promise<DisposedGroup> => {
  // Text that the store never accepts is rejected rather than held.
  const threats = deciding.verdict === 'hold' ? [...new Set(group.flatMap(({ op }) => scanMemoryText(textOf(op))))] : []
  const waits = deciding.verdict === 'hold' && threats.length === 0
  const decided = waits && (await isDecided(group, deps))
  const held = waits && !decided
  const reason = threats.length > 0 ? `Memory never stores such text (${threats.join(', ')}).` : decided ? DECIDED : deciding.reason
  const { pending, sessionId } = deps
  const origin = originOf(verdicts)
  const kept =
    held && pending ? await guarded(deps, 'pending', () => pending.hold({ proposals: group, reason, origin, sessionId })) : undefined
  const where = kept ? { pendingId: kept.id } : {}
  const recorded = { kind: held ? 'held' : 'rejected', reason, ...where } as const
  await appendRecords(
    deps,
    group.map((proposal, index) => toRecord(deps, recorded, proposal, verdicts[index])),
  )
  return held ? { kind: 'held', proposals: group, reason, ...where } : { kind: 'rejected', proposals: group, reason }
}

const fail = async (group: Group, error: HermesError, verdicts: readonly Verdict[], deps: DisposeDeps): Promise<DisposedGroup> => {
  const recorded = { kind: 'failed', reason: error.message, error } as const
  await appendRecords(
    deps,
    group.map((proposal, index) => toRecord(deps, recorded, proposal, verdicts[index])),
  )
  return { kind: 'failed', proposals: group, error }
}

/** Authority is granted by the pass over the user's own words, to what the gate found to be the user's; nowhere else. */
const isRaising = ({ verdicts }: GateAnswers, { pass }: DisposeDeps): boolean => pass === 'own-words' && originOf(verdicts) === 'user'

const applyToStore = async (group: Group, answers: GateAnswers, single: boolean, deps: DisposeDeps, given: readonly string[]) => {
  const { verdicts, sight } = answers
  const { store, sessionId, actor = 'review' } = deps
  const [first] = group
  const origin = originOf(verdicts)
  const reason = [...new Set(verdicts.map((verdict) => verdict.reason))].join(' ')
  const source = origin && {
    origin,
    ...(sight === 'outside' ? { sight } : {}),
    ...(isRaising(answers, deps) ? { raises: true } : {}),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(reason === '' ? {} : { reason }),
  }
  const ops = group.map(({ op }) => op)
  const giveWay = given.map((oldText): MemoryOp => ({ action: 'remove', oldText }))
  try {
    return await store.apply(first.target, single && given.length === 0 ? first.op : [...giveWay, ...ops], source, { actor, sessionId })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    return { ok: false, error: new HermesError('io', `The store failed: ${why}`, { cause }) } as const
  }
}

const isFull = ({ code, details }: HermesError): boolean =>
  code === 'over_limit' || (code === 'capped' && details['causeCode'] === 'over_limit')

const describeFull = (group: Group, { charLimit, usage }: HermesError['details']): string => {
  const file = memoryFileName(group[0].target)
  const isTooLong = typeof charLimit === 'number' && group.some(({ op }) => countCodePoints(textOf(op)) > charLimit)
  if (isTooLong)
    return `It is longer than the whole limit of ${file} (${formatCount(charLimit)} characters). Write a shorter one, or raise the limit.`
  return `${file} is full${typeof usage === 'string' ? ` (${usage})` : ''}, and no entry may make room for this. Approve it once there is room.`
}

/** Why an approved write is held, not dropped: it does not fit, or its last attempt has failed. */
const whyHeld = (group: Group, error: HermesError, { pending, holdsUnwritten }: DisposeDeps): string | undefined => {
  if (!pending) return undefined
  if (isFull(error)) return describeFull(group, error.details)
  return holdsUnwritten && isStorageFailure(error) ? describeUnwritten(error) : undefined
}

const write = async (group: Group, answers: GateAnswers, single: boolean, deps: DisposeDeps): Promise<DisposedGroup> => {
  const { verdicts } = answers
  const pinned = await refusePinned(group, deps)
  if (pinned !== undefined) return refuse(group, verdicts, { verdict: 'reject', reason: pinned }, deps)
  const raises = isRaising(answers, deps)
  const raised = single && raises ? await corroboratedEntries(group[0], deps) : []
  const together = await applyToStore(group, answers, single, deps, raised)
  // If removing the corroborated entries makes the write fail, write without removing them, so that the user's words are kept.
  const isTogether = together.ok || raised.length === 0
  const applied = isTogether ? together : await applyToStore(group, answers, single, deps, [])
  if (!applied.ok) {
    const reason = whyHeld(group, applied.error, deps)
    return reason === undefined ? fail(group, applied.error, verdicts, deps) : refuse(group, verdicts, { verdict: 'hold', reason }, deps)
  }
  const given = isTogether ? raised : []
  const { evicted } = applied.value
  const taken = applied.value.previous.slice(given.length)
  const records = group.map((proposal, index) => {
    const previous = proposal.op.action === 'add' ? [] : taken.splice(0, 1)
    const facts = applied.value.facts?.[given.length + index]
    const known = { ...(previous.length > 0 ? { previous } : {}), ...(facts ? { facts } : {}) }
    const told = {
      kind: 'applied',
      reason: verdicts[index]?.reason ?? '',
      ...known,
      ...(index === 0 ? evictedBy(evicted) : {}),
    } as const
    return toRecord(deps, told, proposal, verdicts[index])
  })
  await appendRecords(deps, records)
  await recordRaised(group[0], given, deps)
  if (raises) await settleHeld(group, deps)
  const { previous, facts = [] } = applied.value
  const outcome = { ...applied.value, previous: previous.slice(given.length), facts: facts.slice(given.length) }
  return { kind: 'applied', proposals: group, verdicts, outcome: given.length > 0 ? outcome : applied.value }
}

const dispose = async (group: Group, single: boolean, deps: DisposeDeps): Promise<Result<DisposedGroup>> => {
  const ops = group.map(({ op }) => op)
  const oversize = tooLong(ops)
  if (oversize) return ok(await fail(group, oversize, [], deps))
  const credential = carriesCredential(ops)
  if (credential !== undefined) return ok(await refuse(group, [], { verdict: 'reject', reason: credential }, deps))
  const pinned = await refusePinned(group, deps)
  if (pinned !== undefined) return ok(await refuse(group, [], { verdict: 'reject', reason: pinned }, deps))
  const missing = await missingEntry(group, deps)
  if (missing) return ok(await fail(group, missing, [], deps))
  const answers = await askAll(group, deps)
  if (!answers.ok) {
    await fail(group, answers.error, [], deps)
    return answers
  }
  const { verdicts } = answers.value
  const deciding = leastWilling(verdicts)
  return ok(deciding ? await refuse(group, verdicts, deciding, deps) : await write(group, answers.value, single, deps))
}

/** Applies one proposal, for memory or a skill. An error means that the gate failed and nothing was written; everything else is a result. */
export const disposeProposal = async (proposal: ReviewProposal, deps: DisposeDeps): Promise<Result<DisposedProposal>> => {
  if (proposal.target === 'skill') return disposeSkill(proposal, deps)
  const disposed = await dispose([proposal], true, deps)
  return disposed.ok ? ok(resultOf(disposed.value, proposal, 0)) : disposed
}

/** As `disposeProposal`, for a host's value of any shape; `invalid` if it is not a proposal. */
export const disposeSubmitted = async (raw: unknown, deps: DisposeDeps): Promise<Result<DisposedProposal>> => {
  const parsed = checkShape(reviewProposalSchema, raw)
  if (parsed.success) return disposeProposal(parsed.data, deps)
  return err(new HermesError('invalid', `Nothing was written. ${proposalFault(raw)}`))
}

/**
 * Applies several operations on one target, all or nothing: the first rejection, otherwise the first hold, decides for all; if approved, they are one write.
 * The store refuses an empty group. For memory only; throws a TypeError if the targets differ or one is a skill.
 */
export const disposeGroup = async (proposals: readonly MemoryProposal[], deps: DisposeDeps): Promise<Result<DisposedGroup>> => {
  const [first, ...rest] = proposals
  if (first === undefined)
    return ok({ kind: 'failed', proposals, error: new HermesError('empty', 'There are no operations. Give at least one.') })
  const targets: ReadonlySet<string> = new Set(proposals.map(({ target }) => target))
  if (targets.size > 1) throw new TypeError('disposeGroup: all proposals of a group must have the same target.')
  if (targets.has('skill')) throw new TypeError('disposeGroup: changes of skills cannot be a group. Pass each to disposeProposal.')
  return dispose([first, ...rest], false, deps)
}
