/** Takes valid proposals through gate, store and journal: the path shared by the reviewer and the agent's own tool calls. */
import { sightOf } from '../../gate/judge-memory.ts'
import { type GateContext, leastWilling, type Verdict } from '../../gate/review-gate.ts'
import { evictedBy } from '../../journal/host-writes.ts'
import { formatCount, locateEntry, memoryFileName } from '../../memory/memory-document.ts'
import { longestOpText, MAX_OP_CHARS, type MemoryOp, type MemoryOpOutcome } from '../../memory/memory-op.ts'
import { planChange } from '../../memory/plan-change.ts'
import { type MemoryProposal, proposalFault, type ReviewProposal, reviewProposalSchema } from '../../proposal/review-proposal.ts'
import { checkShape } from '../../shared/check-shape.ts'
import { countCodePoints } from '../../shared/code-points.ts'
import { HermesError, messageOf } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { holdsCredential } from '../../threats/credentials/find-credentials.ts'
import { scanMemoryText } from '../../threats/scan.ts'
import type { DisposedProposal } from '../review-outcome.ts'
import { corroboratedEntries, refusePinned, settleHeld, toRaisedRecords } from './corroborate.ts'
import { type Disposal, originOf } from './disposal.ts'
import type { Results } from './disposal-options.ts'
import { disposeSkill } from './dispose-skill.ts'
import { entryMeant } from './merge-groups.ts'
import { toRecord } from './to-record.ts'

/** On one store; written together or not at all. A single one is not sent as a batch, whose rules are stricter. */
type Group = readonly [MemoryProposal, ...MemoryProposal[]]

const textOf = (op: MemoryOp): string => (op.action === 'remove' ? '' : op.content)

// What is refused without asking the gate, also a host's own.

/** `over_limit` if a text is longer than any entry may be. */
export const tooLong = (ops: readonly MemoryOp[]): HermesError | undefined => {
  const chars = Math.max(0, ...ops.map(longestOpText))
  if (chars <= MAX_OP_CHARS) return undefined
  const message = `This text has ${chars.toLocaleString('en')} characters, but at most ${MAX_OP_CHARS.toLocaleString('en')} are checked. An entry is a sentence or two: keep the fact, leave the rest out.`
  return new HermesError('over_limit', message, { details: { chars, maxChars: MAX_OP_CHARS } })
}

const HOLDS_CREDENTIAL =
  'It holds a password, a key or a token. Memory is sent to the model in every conversation, so secrets are never kept in it: keep this one in a password manager, and remember only where it is.'

const GONE = 'No entry contains the text to remove. That entry may have been archived to make room.'

/**
 * `not_found` if a review removes text that no entry holds, such as an entry that was evicted meanwhile. Undefined if the entries cannot be read: the store
 * then reports that.
 */
const missingEntry = async (
  [{ op, target }, ...more]: Group,
  { actor, options: { store } }: Disposal,
): Promise<HermesError | undefined> => {
  if (actor !== 'review' || more.length > 0 || op.action !== 'remove') return undefined
  const entries = await store.current?.(target)
  const isMissing = entries?.ok && locateEntry(entries.value, op.oldText.trim()).kind === 'none'
  return isMissing ? new HermesError('not_found', GONE) : undefined
}

// What the gate says.

/** `sight`: what the proposer was shown. */
interface GateAnswers {
  readonly verdicts: readonly Verdict[]
  readonly sight: 'own' | 'outside'
}

/** The context for the next operation's gate: the store as the earlier operations would leave it. */
const afterOp = (context: GateContext, { target, op }: MemoryProposal): GateContext => {
  const planned = planChange(context.entries[target] ?? [], { target, charLimit: Number.POSITIVE_INFINITY, batch: false, ops: [ok(op)] })
  return planned.ok ? { ...context, entries: { ...context.entries, [target]: planned.value.entries } } : context
}

const mergeOf = (group: Group, { entries }: GateContext): GateContext['merge'] => ({
  replaced: group.flatMap((proposal) => entryMeant(proposal, entries) ?? []),
  contents: group.map(({ op }) => textOf(op)),
})

const askAll = async (group: Group, disposal: Disposal): Promise<Result<GateAnswers>> => {
  const first = await disposal.context()
  if (!first.ok) return first
  let context: GateContext = group.length > 1 ? { ...first.value, merge: mergeOf(group, first.value) } : first.value
  const verdicts: Verdict[] = []
  for (const proposal of group) {
    const verdict = await disposal.ask(proposal, context)
    if (!verdict.ok) return verdict
    verdicts.push(verdict.value)
    context = afterOp(context, proposal)
  }
  return ok({ verdicts, sight: sightOf(first.value) })
}

/** Text that the store never accepts is rejected rather than held. */
const hold = (group: Group, reason: string, verdicts: readonly Verdict[], disposal: Disposal): Promise<Results> => {
  const threats = [...new Set(group.flatMap(({ op }) => scanMemoryText(textOf(op))))]
  if (threats.length > 0) return disposal.reject(group, `Memory never stores such text (${threats.join(', ')}).`, verdicts)
  return disposal.hold(group, reason, verdicts)
}

// What is written.

/** Authority is granted by the pass over the user's own words, to what the gate found to be the user's; nowhere else. */
const isRaising = ({ verdicts }: GateAnswers, { options: { pass } }: Disposal): boolean =>
  pass === 'own-words' && originOf(verdicts) === 'user'

const applyToStore = async (
  group: Group,
  answers: GateAnswers,
  isBatch: boolean,
  given: readonly string[],
  disposal: Disposal,
): Promise<Result<MemoryOpOutcome>> => {
  const { verdicts, sight } = answers
  const {
    actor,
    options: { store, sessionId },
  } = disposal
  const [first] = group
  const origin = originOf(verdicts)
  const reason = [...new Set(verdicts.map((verdict) => verdict.reason))].join(' ')
  const source = origin && {
    origin,
    ...(sight === 'outside' ? { sight } : {}),
    ...(isRaising(answers, disposal) ? { raises: true } : {}),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(reason === '' ? {} : { reason }),
  }
  const giveWay = given.map((oldText): MemoryOp => ({ action: 'remove', oldText }))
  const ops = isBatch || given.length > 0 ? [...giveWay, ...group.map(({ op }) => op)] : first.op
  try {
    return await store.apply(first.target, ops, source, { actor, sessionId })
  } catch (cause) {
    return err(new HermesError('io', `The store failed: ${messageOf(cause)}`, { cause }))
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

const write = async (group: Group, answers: GateAnswers, isBatch: boolean, disposal: Disposal): Promise<Results> => {
  const { verdicts } = answers
  const pinned = await refusePinned(group, disposal)
  if (pinned !== undefined) return disposal.reject(group, pinned, verdicts)
  const raises = isRaising(answers, disposal)
  const raised = !isBatch && raises ? await corroboratedEntries(group[0], disposal) : []
  const together = await applyToStore(group, answers, isBatch, raised, disposal)
  // If removing the corroborated entries makes the write fail, write without removing them, so that the user's words are kept.
  const isTogether = together.ok || raised.length === 0
  const applied = isTogether ? together : await applyToStore(group, answers, isBatch, [], disposal)
  if (!applied.ok) {
    const { error } = applied
    const isHeld = isFull(error) && disposal.options.pending !== undefined
    const reason = isHeld ? describeFull(group, error.details) : disposal.whyHeld(error)
    return reason === undefined ? disposal.fail(group, error, verdicts) : hold(group, reason, verdicts, disposal)
  }
  const given = isTogether ? raised : []
  const previous = applied.value.previous.slice(given.length)
  const facts = applied.value.facts?.slice(given.length)
  const taken = [...previous]
  const records = group.map((proposal, index) => {
    const before = proposal.op.action === 'add' ? [] : taken.splice(0, 1)
    const known = facts?.[index]
    const recorded = {
      kind: 'applied',
      reason: verdicts[index]?.reason ?? '',
      ...(before.length > 0 ? { previous: before } : {}),
      ...(known ? { facts: known } : {}),
      ...(index === 0 ? evictedBy(applied.value.evicted) : {}),
    } as const
    return toRecord(disposal.options, recorded, proposal, verdicts[index])
  })
  await disposal.append([...records, ...toRaisedRecords(group[0], given, disposal)])
  if (raises) await settleHeld(group, disposal)
  const outcome = given.length > 0 ? { ...applied.value, previous, facts: facts ?? [] } : applied.value
  const [first, ...more] = group.map((proposal, index): DisposedProposal => {
    const verdict = verdicts[index] ?? { verdict: 'approve', reason: '' }
    return { kind: 'applied', proposal, verdict, outcome }
  })
  return [first as DisposedProposal, ...more]
}

const disposeMemory = async (group: Group, isBatch: boolean, disposal: Disposal): Promise<Result<Results>> => {
  const ops = group.map(({ op }) => op)
  const oversize = tooLong(ops)
  if (oversize) return ok(await disposal.fail(group, oversize))
  if (ops.some((op) => holdsCredential(textOf(op)))) return ok(await disposal.reject(group, HOLDS_CREDENTIAL))
  const pinned = await refusePinned(group, disposal)
  if (pinned !== undefined) return ok(await disposal.reject(group, pinned))
  const missing = await missingEntry(group, disposal)
  if (missing) return ok(await disposal.fail(group, missing))
  const answers = await askAll(group, disposal)
  if (!answers.ok) {
    await disposal.fail(group, answers.error)
    return answers
  }
  const { verdicts } = answers.value
  const deciding = leastWilling(verdicts)
  if (!deciding) return ok(await write(group, answers.value, isBatch, disposal))
  const { verdict, reason } = deciding
  return ok(await (verdict === 'hold' ? hold(group, reason, verdicts, disposal) : disposal.reject(group, reason, verdicts)))
}

/** Applies one proposal, for memory or a skill. An error means that the gate failed and nothing was written; everything else is a result. */
export const disposeProposal = async (proposal: ReviewProposal, disposal: Disposal): Promise<Result<DisposedProposal>> => {
  if (proposal.target === 'skill') return disposeSkill(proposal, disposal)
  const disposed = await disposeMemory([proposal], false, disposal)
  return disposed.ok ? ok(disposed.value[0]) : disposed
}

/** As `disposeProposal`, for a host's value of any shape; `invalid` if it is not a proposal. */
export const disposeSubmitted = async (raw: unknown, disposal: Disposal): Promise<Result<DisposedProposal>> => {
  const parsed = checkShape(reviewProposalSchema, raw)
  if (parsed.success) return disposeProposal(parsed.data, disposal)
  return err(new HermesError('invalid', `Nothing was written. ${proposalFault(raw)}`))
}

/**
 * Applies several operations on one target, all or nothing: the first rejection, otherwise the first hold, decides for all; if approved, they are one write.
 * `empty` for an empty group. For memory only; throws a TypeError if the targets differ or one is a skill.
 */
export const disposeGroup = async (proposals: readonly MemoryProposal[], disposal: Disposal): Promise<Result<Results>> => {
  const [first, ...rest] = proposals
  if (first === undefined) return err(new HermesError('empty', 'There are no operations. Give at least one.'))
  const targets: ReadonlySet<string> = new Set(proposals.map(({ target }) => target))
  if (targets.size > 1) throw new TypeError('disposeGroup: all proposals of a group must have the same target.')
  if (targets.has('skill')) throw new TypeError('disposeGroup: changes of skills cannot be a group. Pass each to disposeProposal.')
  return disposeMemory([first, ...rest], true, disposal)
}
