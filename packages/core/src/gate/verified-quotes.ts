/** The quotes of a proposal that really stand in the conversation; the others are no evidence (DESIGN 5). */
import type { Evidence } from '../proposal/review-proposal.ts'
import type { Transcript, TranscriptMessage } from '../proposal/transcript.ts'
import type { Origin } from '../shared/origin.ts'
import { ORIGINS } from '../shared/origin.ts'
import { normalisedMessage, normaliseText } from '../text/normalise-text.ts'
import { spend } from '../text/work-limit.ts'

export interface VerifiedQuote {
  readonly message: TranscriptMessage
  readonly quote: string
}

const trust = (origin: Origin): number => ORIGINS.indexOf(origin)

/**
 * A quote that names no message is looked for in all of them. Where several hold it, the most trusted one counts: who says something himself has
 * said it, whoever repeats it.
 */
export const verifiedQuotes = (evidence: readonly Evidence[], transcript: Transcript): readonly VerifiedQuote[] =>
  evidence.flatMap(({ messageId, quote }) => {
    const wanted = normaliseText(quote)
    if (wanted === '') return []
    spend(transcript.reduce((sum, { text }) => sum + text.length, 0))
    const [first] = transcript
      .filter((message) => (messageId === undefined || message.id === messageId) && normalisedMessage(message).includes(wanted))
      .sort((a, b) => trust(a.origin) - trust(b.origin))
    return first === undefined ? [] : [{ message: first, quote }]
  })
