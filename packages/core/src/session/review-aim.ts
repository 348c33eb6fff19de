/** How long the request of a pass may grow before it shows long messages shortened. Pure. */
import type { Transcript } from '../proposal/transcript.ts'
import type { ReviewKind } from '../review/review-kind.ts'

export interface PassAim {
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

export const aimOf = ({ kind, sight, transcript, isFirstOfTwo }: PassAim): number => {
  const isWork = sight === 'outside' || holdsResults(transcript)
  if (!isWork && (isFirstOfTwo || kind === 'memory')) return AIM_TOKENS.ownWords
  return kind === 'skills' || !isWork ? AIM_TOKENS.skills : AIM_TOKENS.results
}
