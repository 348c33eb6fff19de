/** The conversation as a reviewer reads it: the last messages in full, older ones short, never more than the budget (reference hermes-memory 10). */

import { cutEnd, cutMiddle } from '../model/cut-text.ts'
import { neutralise } from '../model/data-fence.ts'
import { countUnits, UNITS_PER_TOKEN } from '../model/token-estimate.ts'
import type { Transcript, TranscriptMessage } from '../proposal/transcript.ts'

export interface DigestOptions {
  /** Estimated tokens of the digest. Default 24,000. */
  readonly maxInputTokens?: number
  /** The newest so many messages stand in full; a few more where these would begin with a tool result. Default 24. */
  readonly verbatimMessages?: number
}

export const DEFAULT_MAX_INPUT_TOKENS = 24_000
const DEFAULT_VERBATIM_MESSAGES = 24

/** Code points of an older message. */
const OLDER_CHARS: Readonly<Record<TranscriptMessage['role'], number>> = { user: 300, assistant: 200, tool: 200 }

/** No single message takes more of the budget than this part. */
const LARGEST_SHARE = 4

const head = (message: TranscriptMessage): string => `[${message.id} | ${message.role} | origin: ${message.origin}] `

const omission = (count: number): string => `(${count} earlier ${count === 1 ? 'message is' : 'messages are'} left out)`

/** A tool result without the question before it explains nothing. */
const startOfVerbatim = (messages: Transcript, verbatim: number): number => {
  let start = Math.max(0, messages.length - verbatim)
  while (start > 0 && messages[start]?.role === 'tool') start--
  return start
}

/** `''` for an empty conversation. Oldest messages go first when the budget is short; their number is told. */
export const digestTranscript = (transcript: Transcript, options: DigestOptions = {}): string => {
  const { maxInputTokens = DEFAULT_MAX_INPUT_TOKENS, verbatimMessages = DEFAULT_VERBATIM_MESSAGES } = options
  const messages = transcript.filter(({ text }) => text.trim() !== '')
  const budget = Math.max(0, Math.floor(maxInputTokens * UNITS_PER_TOKEN))
  const verbatimFrom = startOfVerbatim(messages, verbatimMessages)

  const render = (message: TranscriptMessage, index: number): string => {
    const whole = index >= verbatimFrom ? message.text : cutEnd(message.text, OLDER_CHARS[message.role])
    // Cut before and after: neutralising a giant text would be wasted work, and it may make the text longer.
    const short = neutralise(cutMiddle(whole, Math.floor(budget / LARGEST_SHARE)))
    const prefix = head(message)
    return `${prefix}${cutMiddle(short, Math.max(0, Math.floor(budget / LARGEST_SHARE) - countUnits(prefix)))}`
  }

  const lines: string[] = []
  const reserve = countUnits(`${omission(messages.length)}\n`)
  let used = 0
  let index = messages.length - 1
  for (; index >= 0; index--) {
    const message = messages[index]
    if (!message) break
    const line = render(message, index)
    const cost = countUnits(line) + 1
    if (used + cost > budget - (index > 0 ? reserve : 0)) break
    lines.push(line)
    used += cost
  }
  const leftOut = index + 1
  if (leftOut === 0) return lines.reverse().join('\n')
  return used + reserve > budget ? '' : [omission(leftOut), ...lines.reverse()].join('\n')
}
