/** How reviews are made, and what one is about. Pure. */
import type { HostModel } from '../model/host-model.ts'
import { countUnits, UNITS_PER_TOKEN } from '../model/token-estimate.ts'
import type { Transcript } from '../proposal/transcript.ts'
import type { ReviewKind } from '../review/propose/review-proposer.ts'
import type { DueReview } from './due-review.ts'
import { isShownIn } from './unread-turns.ts'

export interface ReviewSettings {
  readonly mode: 'digest' | 'replay'
  /** A model for reviews only; the host's own otherwise. */
  readonly model?: HostModel | undefined
  /** Of all calls of one review together. */
  readonly maxInputTokens: number
  readonly maxOutputTokens: number
  /** Where skills are reviewed; never less than `maxOutputTokens`. */
  readonly maxSkillOutputTokens: number
  /** For all calls of one review together. */
  readonly timeoutMs: number
  readonly maxProposals: number
}

/** Of one pass. */
export const kindOfPass = ({ memory, skills }: { readonly memory: boolean; readonly skills: boolean }): ReviewKind =>
  skills ? (memory ? 'both' : 'skills') : 'memory'

/** Of the review as a whole. */
export const kindOf = ({ scope: { words, everything, skills } }: DueReview): ReviewKind =>
  kindOfPass({ memory: words || everything, skills })

/** A replay sends the host's last prompt once more: it must show what is to be reviewed, and fit the budget. Otherwise the review reads a digest. */
export const reviewMode = ({ mode, model, maxInputTokens }: ReviewSettings, { conversation, shown }: DueReview): ReviewSettings['mode'] => {
  if (mode === 'digest' || model !== undefined) return 'digest'
  const units = shown.reduce((sum, message) => sum + countUnits(message.text), 0)
  const unread = conversation.flatMap(({ messages }) => messages)
  return units / UNITS_PER_TOKEN <= maxInputTokens && isShownIn(unread, shown) ? 'replay' : 'digest'
}

interface PassAim {
  readonly kind: ReviewKind
  readonly sight: 'own' | 'outside'
  readonly transcript: Transcript
  /** A second pass over everything follows. */
  readonly isFirstOfTwo: boolean
}

/**
 * Estimated tokens of the request, the skills left aside. The user's words are never shortened. Reviews of skills fall due often and are about the newest work, so
 * they stay shorter than a review of memory, which reads the results of tools for the only time.
 */
const AIM_TOKENS = { ownWords: 2_400, skills: 5_000, results: 9_000 } as const

/** Results of trusted tools are the agent's own, and hold what cannot be told in a few words. */
const holdsResults = (transcript: Transcript): boolean => transcript.some(({ role, origin }) => role === 'tool' && origin !== 'tool')

/** How long the request of a pass may grow before it shows long messages shortened. */
export const aimOf = ({ kind, sight, transcript, isFirstOfTwo }: PassAim): number => {
  const isWork = sight === 'outside' || holdsResults(transcript)
  if (!isWork && (isFirstOfTwo || kind === 'memory')) return AIM_TOKENS.ownWords
  return kind === 'skills' || !isWork ? AIM_TOKENS.skills : AIM_TOKENS.results
}
