/** The gate port: disposes of one proposal (seed 004). */
import type { EntryOrigin } from '../memory/entry-facts.ts'
import type { MemoryTarget } from '../memory/memory-op.ts'
import type { ReviewProposal } from '../proposal/review-proposal.ts'
import type { Transcript } from '../proposal/transcript.ts'
import type { Origin } from '../shared/origin.ts'
import type { Result } from '../shared/result.ts'

export interface Verdict {
  /** `hold`: kept for a person or the host's code to decide. */
  readonly verdict: 'approve' | 'hold' | 'reject'
  /** Why, in words a user can read in the journal. */
  readonly reason: string
  /** Whose words carry the proposal; a gate that works it out says so, and the journal and the snapshot keep it. */
  readonly origin?: Origin
}

/** The shape of the seeds (seed 004), for the gates of hosts. */
export interface SeedVerdict extends Omit<Verdict, 'verdict'> {
  readonly approved: boolean
  /** Not approved, but kept for a person or the host's code to decide. */
  readonly held?: boolean
}

/** What a gate may answer with; `toVerdict` reads it. */
export type GateVerdict = Verdict | SeedVerdict

/** A gate of the host's may be untyped: only a plain yes that nothing contradicts is a yes. */
export const toVerdict = (given: GateVerdict): Verdict => {
  const { verdict: said, approved, held, reason, origin }: Partial<Verdict & SeedVerdict> = given
  const isYes = said === undefined ? approved === true : said === 'approve' && (approved ?? true) === true
  const isHold = said === 'hold' || (held === true && said !== 'reject')
  return { verdict: isHold ? 'hold' : isYes ? 'approve' : 'reject', reason: String(reason), ...(origin === undefined ? {} : { origin }) }
}

/** The first rejection, else the first hold; undefined where all approve. */
export const leastWilling = (verdicts: readonly Verdict[]): Verdict | undefined =>
  verdicts.find(({ verdict }) => verdict === 'reject') ?? verdicts.find(({ verdict }) => verdict === 'hold')

export interface GateContext {
  readonly transcript: Transcript
  /**
   * What whoever proposes was shown: `own` words alone (the user's, and the agent's of the time before any text from outside), or `outside` text as well. Default:
   * `outside` where the transcript holds any.
   */
  readonly sight?: 'own' | 'outside'
  /** What the store holds now. */
  readonly entries: Readonly<Record<MemoryTarget, readonly string[]>>
  /** Whose words each entry carries, by its text, where that is known: merging entries must not raise the authority of any of them. */
  readonly origins?: Readonly<Record<MemoryTarget, ReadonlyMap<string, EntryOrigin>>>
  /** A memory file could not be read, so `entries` lacks what it holds: nobody can tell what of it came from outside. Default: all were read. */
  readonly unread?: boolean
  /** For a proposal that changes a skill. `current`: the text of the file concerned as it is now; undefined where there is none. */
  readonly skill?: { readonly current: string | undefined }
  /** True for a review behind the turn; false for the agent's own tool call in front of the user. */
  readonly unattended: boolean
}

/** What a gate sees when the caller has nothing to show: no transcript, no entries, unattended. */
export const EMPTY_GATE_CONTEXT: GateContext = { transcript: [], entries: { memory: [], user: [] }, unattended: true }

/**
 * Contract: a "no" is `ok({ verdict: 'reject', … })`, or `ok({ approved: false, … })`; an error means the gate itself failed, and the whole pass then fails closed.
 * Pure unless the host's own gate decides otherwise. The context is always given by Hermes.
 */
export type ReviewGate<Answer extends GateVerdict = GateVerdict> = (
  proposal: ReviewProposal,
  context?: GateContext,
) => Promise<Result<Answer>>
