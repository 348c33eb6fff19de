/** Settings of reviews, and the kind and mode of a single review. Pure. */
import type { HostModel } from '../model/host-model.ts'
import { countUnits, UNITS_PER_TOKEN } from '../model/token-estimate.ts'
import type { Transcript } from '../proposal/transcript.ts'
import type { ReviewKind } from '../review/propose/review-proposer.ts'
import type { DueReview } from './review-request.ts'
import { isShownIn } from './unread-turns.ts'

export interface ReviewSettings {
  readonly mode: 'digest' | 'replay'
  /** A model for reviews only. Default: the host's own. */
  readonly model?: HostModel | undefined
  /** Maximum for both passes of one review together; the second has at least 4,000 all the same. */
  readonly maxInputTokens: number
  readonly maxOutputTokens: number
  /** Maximum for reviews of skills; at least `maxOutputTokens`. */
  readonly maxSkillOutputTokens: number
  /** Milliseconds for all calls of one review together. */
  readonly timeoutMs: number
  readonly maxProposals: number
}

/** The kind of one pass. */
export const kindOfPass = ({ memory, skills }: { readonly memory: boolean; readonly skills: boolean }): ReviewKind =>
  skills ? (memory ? 'both' : 'skills') : 'memory'

/** The kind of the whole review. */
export const kindOf = ({ scope: { words, everything, skills } }: DueReview): ReviewKind =>
  kindOfPass({ memory: words || everything, skills })

/** A replay sends the host's last prompt again, so that prompt must contain the turns to review and fit the budget. Otherwise the review reads a digest. */
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
  /** True if a second pass over everything follows. */
  readonly isFirstOfTwo: boolean
}

/**
 * Estimated tokens of the request without skills. The user's words are never shortened. Skill reviews are frequent and about recent work, so they are shorter
 * than memory reviews, which are the only ones to read tool results.
 */
const AIM_TOKENS = { ownWords: 2_400, skills: 5_000, results: 9_000 } as const

/** True for results of trusted tools: they count as the agent's own and cannot be summarised in a few words. */
const holdsResults = (transcript: Transcript): boolean => transcript.some(({ role, origin }) => role === 'tool' && origin !== 'tool')

/** Request length in estimated tokens above which a pass shortens long messages. */
export const aimOf = ({ kind, sight, transcript, isFirstOfTwo }: PassAim): number => {
  const isWork = sight === 'outside' || holdsResults(transcript)
  if (!isWork && (isFirstOfTwo || kind === 'memory')) return AIM_TOKENS.ownWords
  return kind === 'skills' || !isWork ? AIM_TOKENS.skills : AIM_TOKENS.results
}
