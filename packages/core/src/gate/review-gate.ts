/** The gate port: decides about one proposal (seed 004). */
import type { ByTarget, EntryOrigin } from '../memory/memory-op.ts'
import type { ReviewProposal } from '../proposal/review-proposal.ts'
import type { Transcript } from '../proposal/transcript.ts'
import type { Origin } from '../shared/origin.ts'
import type { Result } from '../shared/result.ts'

export interface Verdict {
  /** `hold`: pending for a person or the host's code. */
  readonly verdict: 'approve' | 'hold' | 'reject'
  /** The reason, readable for a user in the journal. */
  readonly reason: string
  /** Whose words the proposal is based on, if the gate determines it; stored in the journal and the snapshot. */
  readonly origin?: Origin
}

/** The host's trust, from least to most; see `TrustLevel`. */
export const TRUST_LEVELS = ['strict', 'balanced', 'open'] as const

/** The verdict in the form of the seeds (seed 004), for the gates of hosts. */
export interface SeedVerdict extends Omit<Verdict, 'verdict'> {
  readonly approved: boolean
  /** Not approved, but pending for a person or the host's code. */
  readonly held?: boolean
}

/** What a gate may return; `toVerdict` normalises it. */
export type GateVerdict = Verdict | SeedVerdict

/** Normalises a gate's answer. A host's gate may be untyped: only an unambiguous yes is an approval. */
export const toVerdict = (given: GateVerdict): Verdict => {
  const { verdict: said, approved, held, reason, origin }: Partial<Verdict & SeedVerdict> = given
  const isYes = said === undefined ? approved === true : said === 'approve' && (approved === undefined || approved === true)
  // A yes that is also held in any way waits; anything else waits only where it plainly says so.
  const isHold = said === 'hold' || (said !== 'reject' && (isYes ? Boolean(held) : held === true))
  return { verdict: isHold ? 'hold' : isYes ? 'approve' : 'reject', reason: String(reason), ...(origin === undefined ? {} : { origin }) }
}

/** The first rejection, else the first hold; undefined if all approve. */
export const leastWilling = (verdicts: readonly Verdict[]): Verdict | undefined =>
  verdicts.find(({ verdict }) => verdict === 'reject') ?? verdicts.find(({ verdict }) => verdict === 'hold')

export interface GateContext {
  readonly transcript: Transcript
  /**
   * What the proposer was shown: `own` words alone (the user's, and the agent's from before any text from outside), or `outside` text as well. Default:
   * `outside` if the transcript contains any.
   */
  readonly sight?: 'own' | 'outside'
  /** The current entries of the stores; `project`: those of the session's project, if it has one. */
  readonly entries: ByTarget<readonly string[]>
  /** Origin of each entry, by its text, if known: merging entries must not raise the authority of any of them. */
  readonly origins?: ByTarget<ReadonlyMap<string, EntryOrigin>>
  /** If several operations are written as one change: the entries that they take away, and their new texts. */
  readonly merge?: { readonly replaced: readonly string[]; readonly contents: readonly string[] } | undefined
  /** True if a memory file could not be read, so `entries` is incomplete and its origins are unknown. Default false. */
  readonly unread?: boolean
  /** For a proposal that changes a skill. `current`: the current text of the file concerned; undefined if it does not exist. */
  readonly skill?: { readonly current: string | undefined }
  /** True for a review behind the turn; false for the agent's own tool call in front of the user. */
  readonly unattended: boolean
}

/** The context for a caller that has nothing to show: no transcript, no entries, unattended. */
export const EMPTY_GATE_CONTEXT: GateContext = { transcript: [], entries: { memory: [], user: [] }, unattended: true }

/**
 * Contract: a "no" is `ok({ verdict: 'reject', … })` or `ok({ approved: false, … })`; an error means that the gate itself failed, and the whole pass then
 * fails closed. Pure, unless a host's own gate does otherwise. The context is always given by Hermes.
 */
export type ReviewGate<Answer extends GateVerdict = GateVerdict> = (
  proposal: ReviewProposal,
  context?: GateContext,
) => Promise<Result<Answer>>
