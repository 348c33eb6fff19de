/** How reviews are made, and what one is about. Pure. */
import type { HostModel } from '../model/host-model.ts'
import { countUnits, UNITS_PER_TOKEN } from '../model/token-estimate.ts'
import type { ReviewKind } from '../review/review-kind.ts'
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
