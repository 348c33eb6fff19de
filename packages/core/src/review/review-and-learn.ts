/** Propose → gate → apply: the core of the loop (seed 004). No proposal reaches a store without passing the gate. */

import { scoreThresholdGate } from '../gate/gates.ts'
import type { JournalRecordInput } from '../journal/journal.ts'
import { cutEnd } from '../model/cut-text.ts'
import { proposalFault, type ReviewProposal, reviewProposalSchema } from '../proposal/review-proposal.ts'
import { HermesError, messageOf } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { withinLimit } from '../text/work-limit.ts'
import { Disposal } from './apply/disposal.ts'
import type { DisposalOptions } from './apply/disposal-options.ts'
import { disposeGroup, disposeProposal } from './apply/dispose-proposal.ts'
import { findMerges, type Merges } from './apply/merge-groups.ts'
import { toRecord } from './apply/to-record.ts'
import { type DroppedProposal, itemsOf, type ProposedItem, type ReviewProposer } from './propose/review-proposer.ts'
import { type DisposedProposal, emptyOutcome, type ReviewOutcome, toOutcome } from './review-outcome.ts'

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

/** `proposal`: undefined if it is not a valid one. */
interface ReadItem {
  readonly item: ProposedItem
  readonly proposal: ReviewProposal | undefined
}

const whyDropped = ({ item, proposal }: ReadItem): DroppedProposal => {
  if (!item.ok) return item.error
  return { reason: proposal ? REPEATED : (proposalFault(item.value) ?? 'It is not a valid proposal.'), raw: item.value }
}

/** A dropped item may still be a valid proposal; the journal then records it as one. */
const recordDropped = ({ reason, raw }: DroppedProposal, { options }: Disposal): JournalRecordInput => {
  const proposal = readRaw(raw)
  if (proposal) return toRecord(options, { kind: 'rejected', reason }, proposal)
  return toRecord(options, { kind: 'invalid', reason, ...(raw === undefined ? {} : { raw: rawText(raw) }) })
}

const askProposer = async (proposer: ReviewProposer, summary: string): Promise<Result<readonly ProposedItem[]>> => {
  try {
    const proposed = await proposer(summary)
    if (!proposed.ok) return proposed
    const items = itemsOf(proposed.value)
    if (items) return ok(items)
    return err(new HermesError('proposer', 'The proposer must answer with a list of proposals. Nothing was written.'))
  } catch (cause) {
    return err(new HermesError('proposer', `The proposer failed, and nothing was written: ${messageOf(cause)}`, { cause }))
  }
}

const NO_MERGES: Merges = { groups: new Map(), repeats: new Set() }

const mergesAmong = async (proposals: readonly ReviewProposal[], disposal: Disposal): Promise<Merges> => {
  const changes = proposals.filter(({ op }) => op.action === 'replace' || op.action === 'remove')
  if (changes.length < 2 || !changes.some(({ op }) => op.action === 'replace')) return NO_MERGES
  const context = await disposal.context()
  // Asking the gate fails with the same error.
  if (!context.ok) return NO_MERGES
  const { entries } = context.value
  const shortens = disposal.options.pass === 'own-words'
  return withinLimit(proposals, () => findMerges(proposals, entries, { shortens }))?.value ?? NO_MERGES
}

/** What a proposer has answered: each item read, none of them disposed of yet. A blank summary is nothing to propose from. */
export const readProposals = async (summary: string, proposer: ReviewProposer): Promise<Result<readonly ReadItem[]>> => {
  if (summary.trim() === '') return ok([])
  const proposed = await askProposer(proposer, summary)
  return proposed.ok ? ok(proposed.value.map((item) => ({ item, proposal: item.ok ? readRaw(item.value) : undefined }))) : proposed
}

/** See `reviewAndLearn`. */
export const disposeAll = async (read: readonly ReadItem[], disposal: Disposal): Promise<Result<ReviewOutcome>> => {
  const results: DisposedProposal[] = []
  const { groups, repeats } = await mergesAmong(
    read.flatMap(({ proposal }) => proposal ?? []),
    disposal,
  )
  const inMerge = new Set([...groups.values()].flatMap((parts) => [...parts.keys()]))
  // Items that are rejected without asking the gate; consecutive ones are one journal append.
  const dropped: JournalRecordInput[] = []
  for (const each of read) {
    const { proposal } = each
    if (!proposal || repeats.has(proposal)) {
      const why = whyDropped(each)
      results.push({ kind: 'rejected', proposal: why.raw, reason: why.reason })
      dropped.push(recordDropped(why, disposal))
      continue
    }
    if (inMerge.has(proposal)) continue
    await disposal.append(dropped.splice(0))
    const own = disposal.of(proposal)
    const parts = [...(groups.get(proposal)?.values() ?? [])]
    const isMerge = proposal.target !== 'skill' && parts.length > 0
    const disposed = isMerge ? await disposeGroup([proposal, ...parts], own) : await disposeProposal(proposal, own)
    if (!disposed.ok) {
      const { code, message, cause, details } = disposed.error
      return err(new HermesError(code, message, { cause, details: { ...details, outcome: toOutcome(results) } }))
    }
    results.push(...[disposed.value].flat())
  }
  await disposal.append(dropped.splice(0))
  return ok(toOutcome(results))
}

export interface ReviewAndLearnDeps extends Omit<DisposalOptions, 'gate'>, Partial<Pick<DisposalOptions, 'gate'>> {
  readonly proposer: ReviewProposer
}

/**
 * Runs one review pass. A blank summary returns an empty outcome without a model call. An error of the proposer or of a gate fails the whole pass closed;
 * changes that were applied before a gate failed stay, are in the journal, and are in the error's `details.outcome`. If a store refuses an approved write,
 * the proposal is `failed`; that is not an error. Credentials in the outcome are redacted. Proposals are handled one by one, in order; only those that form one merge (`findMerges`) are decided and
 * written together. Default gate: `scoreThresholdGate()` (seed 004).
 */
export const reviewAndLearn = async (summary: string, { proposer, ...options }: ReviewAndLearnDeps): Promise<Result<ReviewOutcome>> => {
  const read = await readProposals(summary, proposer)
  if (!read.ok) return read
  return read.value.length === 0 ? ok(emptyOutcome()) : disposeAll(read.value, new Disposal({ gate: scoreThresholdGate(), ...options }))
}
