/** Propose → gate → apply: the core of the loop (seed 004). No proposal reaches a store without passing the gate. */

import { scoreThresholdGate } from '../gate/gates.ts'
import type { ReviewGate } from '../gate/review-gate.ts'
import type { JournalRecordInput } from '../journal/journal.ts'
import { cutEnd } from '../model/cut-text.ts'
import { type MemoryProposal, proposalFault, type ReviewProposal, reviewProposalSchema } from '../proposal/review-proposal.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { withinLimit } from '../text/work-limit.ts'
import { gateContext } from './apply/ask-gate.ts'
import { askedOnce } from './apply/asked-once.ts'
import type { DisposeDeps } from './apply/dispose-deps.ts'
import { disposeGroup, disposeProposal, resultsOf } from './apply/dispose-proposal.ts'
import { findMerges, type Merges } from './apply/merge-groups.ts'
import { appendRecords, toRecord } from './apply/record-verdict.ts'
import { type DroppedProposal, itemsOf, type ProposedItem, type ReviewProposer } from './propose/review-proposer.ts'
import { redactOutcome } from './redact-outcome.ts'
import {
  type AppliedProposal,
  type DisposedProposal,
  emptyOutcome,
  type FailedProposal,
  type RejectedProposal,
  type ReviewOutcome,
} from './review-outcome.ts'

const MAX_RAW_CHARS = 2_000

const rawText = (raw: unknown): string => {
  try {
    return cutEnd(JSON.stringify(raw) ?? String(raw), MAX_RAW_CHARS)
  } catch {
    return '[cannot be shown as JSON]'
  }
}

/** Undefined if it is not a valid proposal. */
const readRaw = (raw: unknown): ReviewProposal | undefined => {
  const parsed = reviewProposalSchema.safeParse(raw)
  return parsed.success ? parsed.data : undefined
}

const REPEATED = 'Another proposal of this review takes the same entry away already, as part of a merge.'

const whyDropped = (item: ProposedItem, proposal: ReviewProposal | undefined): DroppedProposal => {
  if (!item.ok) return item.error
  return { reason: proposal ? REPEATED : (proposalFault(item.value) ?? 'It is not a valid proposal.'), raw: item.value }
}

/** A dropped item may still be a valid proposal; the journal then records it as one. */
const recordDropped = ({ reason, raw }: DroppedProposal, deps: DisposeDeps): JournalRecordInput => {
  const proposal = readRaw(raw)
  if (proposal) return toRecord(deps, { verdict: 'rejected', reason }, proposal)
  return toRecord(deps, { verdict: 'invalid', reason, ...(raw === undefined ? {} : { raw: rawText(raw) }) })
}

export interface ReviewAndLearnDeps extends Omit<DisposeDeps, 'gate'> {
  readonly proposer: ReviewProposer
  /** Default `scoreThresholdGate()` (seed 004). */
  readonly gate?: ReviewGate
  /** The session that holds a proposal's evidence. Default: `sessionId`. */
  readonly sessionOf?: (proposal: ReviewProposal) => string | undefined
  /** Decides and writes as one step over stores of its own; may do it again. Default: at once, over the given stores. */
  readonly asOne?: DisposeAsOne
}

/** The stores of one step. */
export type DisposeStores = Pick<DisposeDeps, 'store' | 'skills' | 'journal' | 'pending' | 'waiting'>

export type DisposeAsOne = (dispose: (stores: DisposeStores) => Promise<Result<ReviewOutcome>>) => Promise<Result<ReviewOutcome>>

const propose = async (proposer: ReviewProposer, summary: string): Promise<Result<readonly ProposedItem[]>> => {
  try {
    const proposed = await proposer(summary)
    if (!proposed.ok) return proposed
    const items = itemsOf(proposed.value)
    if (items) return ok(items)
    return err(new HermesError('proposer', 'The proposer must answer with a list of proposals. Nothing was written.'))
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    return err(new HermesError('proposer', `The proposer failed, and nothing was written: ${why}`, { cause }))
  }
}

const toOutcome = (results: readonly DisposedProposal[]): ReviewOutcome => {
  const applied: AppliedProposal[] = []
  const rejected: RejectedProposal[] = []
  const failed: FailedProposal[] = []
  for (const { kind, ...result } of results) {
    if ('outcome' in result) applied.push(result)
    else if ('error' in result) failed.push(result)
    else rejected.push(result)
  }
  return redactOutcome({ applied, rejected, failed })
}

/** An error means that the gate failed. */
const disposeAll = async (
  proposal: ReviewProposal,
  parts: readonly MemoryProposal[],
  deps: DisposeDeps,
): Promise<Result<readonly DisposedProposal[]>> => {
  if (proposal.target === 'skill' || parts.length === 0) {
    const disposed = await disposeProposal(proposal, deps)
    return disposed.ok ? ok([disposed.value]) : disposed
  }
  const disposed = await disposeGroup([proposal, ...parts], deps)
  return disposed.ok ? ok(resultsOf(disposed.value)) : disposed
}

const NO_MERGES: Merges = { groups: new Map(), repeats: new Set() }

const mergesAmong = async (proposals: readonly ReviewProposal[], deps: DisposeDeps): Promise<Merges> => {
  const changes = proposals.filter(({ op }) => op.action === 'replace' || op.action === 'remove')
  if (changes.length < 2 || !changes.some(({ op }) => op.action === 'replace')) return NO_MERGES
  const context = await gateContext(deps)
  // Asking the gate fails with the same error.
  if (!context.ok) return NO_MERGES
  const { entries } = context.value
  return withinLimit(proposals, () => findMerges(proposals, entries, { shortens: deps.pass === 'own-words' }))?.value ?? NO_MERGES
}

/**
 * Runs one review pass. A blank summary returns an empty outcome without a model call. An error of the proposer or of a gate fails the whole pass closed;
 * changes that were applied before a gate failed stay, are in the journal, and are in the error's `details.outcome`. If a store refuses an approved write,
 * the proposal is `failed`; that is not an error. Credentials in the outcome are redacted. Proposals are handled one by one, in order; only those that form one merge (`findMerges`) are decided and
 * written together.
 */
export const reviewAndLearn = async (summary: string, deps: ReviewAndLearnDeps): Promise<Result<ReviewOutcome>> => {
  if (summary.trim() === '') return ok(emptyOutcome())
  const { proposer, gate = scoreThresholdGate(), sessionOf = () => undefined, asOne = (dispose) => dispose(deps), ...rest } = deps
  const proposed = await propose(proposer, summary)
  if (!proposed.ok) return proposed
  const read = proposed.value.map((item) => ({ item, proposal: item.ok ? readRaw(item.value) : undefined }))
  const once = askedOnce(gate)
  return asOne((stores) => disposeRead(read, { ...rest, gate: once, ...stores }, sessionOf))
}

interface ReadItem {
  readonly item: ProposedItem
  /** Undefined if it is not a valid proposal. */
  readonly proposal: ReviewProposal | undefined
}

const disposeRead = async (
  read: readonly ReadItem[],
  disposeDeps: DisposeDeps,
  sessionOf: NonNullable<ReviewAndLearnDeps['sessionOf']>,
): Promise<Result<ReviewOutcome>> => {
  const results: DisposedProposal[] = []
  const merges = await mergesAmong(
    read.flatMap(({ proposal }) => proposal ?? []),
    disposeDeps,
  )
  const inMerge = new Set([...merges.groups.values()].flatMap((parts) => [...parts.keys()]))
  // Items that are rejected without asking the gate; consecutive ones are one journal append.
  const dropped: JournalRecordInput[] = []
  for (const { item, proposal } of read) {
    if (!proposal || merges.repeats.has(proposal)) {
      const why = whyDropped(item, proposal)
      results.push({ kind: 'rejected', proposal: why.raw, reason: why.reason, held: false })
      dropped.push(recordDropped(why, disposeDeps))
      continue
    }
    if (inMerge.has(proposal)) continue
    await appendRecords(disposeDeps, dropped.splice(0))
    const sessionId = sessionOf(proposal)
    const own = sessionId === undefined ? disposeDeps : { ...disposeDeps, sessionId }
    const disposed = await disposeAll(proposal, [...(merges.groups.get(proposal)?.values() ?? [])], own)
    if (!disposed.ok) {
      const { code, message, cause, details } = disposed.error
      return err(new HermesError(code, message, { cause, details: { ...details, outcome: toOutcome(results) } }))
    }
    results.push(...disposed.value)
  }
  await appendRecords(disposeDeps, dropped.splice(0))
  return ok(toOutcome(results))
}
