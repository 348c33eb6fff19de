/** The conversation as a reviewer reads it: the user's words in full, long messages of others shortened, never more than the budget (reference hermes-memory 10). */

import { cutEnd, cutMiddle } from '../../model/cut-text.ts'
import { neutralise } from '../../model/data-fence.ts'
import { countUnits, UNITS_PER_TOKEN } from '../../model/token-estimate.ts'
import type { Transcript, TranscriptMessage } from '../../proposal/transcript.ts'
import { DEFAULT_MAX_INPUT_TOKENS } from '../review-limits.ts'

export interface DigestOptions {
  /** Estimated tokens of the digest. Default 24,000. */
  readonly maxInputTokens?: number
  /** Estimated tokens above which long messages of the agent and of tools lose their middle. Default: `maxInputTokens`. */
  readonly aimTokens?: number
}

/** No single message takes more of the budget than this part. */
const LARGEST_SHARE = 4

/** Tokens that a message of the agent or of a tool may take: the first that brings the whole under its aim. */
const CUTS = [Number.POSITIVE_INFINITY, 500, 400, 320, 250, 200, 160, 130, 100, 80, 64, 48, 36, 24, 16] as const

/** The newest messages may take twice as much. */
const NEWEST = 8

const head = (message: TranscriptMessage): string => `[${message.id} | ${message.role} | origin: ${message.origin}] `

const omission = (count: number): string => `(${count} earlier ${count === 1 ? 'message is' : 'messages are'} left out)`

interface Measured {
  readonly prefix: string
  readonly text: string
  /** Of prefix, text and line feed. */
  readonly units: number
  readonly isUsers: boolean
  readonly isNew: boolean
}

const cutUnits = ({ isUsers, isNew }: Measured, cut: number): number =>
  isUsers ? Number.POSITIVE_INFINITY : cut * UNITS_PER_TOKEN * (isNew ? 2 : 1)

const unitsAt = (message: Measured, cut: number): number => Math.min(message.units, countUnits(message.prefix) + cutUnits(message, cut) + 1)

/** `''` for an empty conversation. Oldest messages go first when the budget is short; their number is shown. */
export const digestTranscript = (transcript: Transcript, options: DigestOptions = {}): string => {
  const { maxInputTokens = DEFAULT_MAX_INPUT_TOKENS, aimTokens = maxInputTokens } = options
  const messages = transcript.filter(({ text }) => text.trim() !== '')
  const budget = Math.max(0, Math.floor(maxInputTokens * UNITS_PER_TOKEN))
  const aim = Math.min(budget, Math.floor(aimTokens * UNITS_PER_TOKEN))

  const measured = messages.map((message, index): Measured => {
    const prefix = head(message)
    const largest = Math.max(0, Math.floor(budget / LARGEST_SHARE) - countUnits(prefix))
    // Cut before and after: neutralising a giant text would be wasted work, and it may make the text longer.
    const text = cutMiddle(neutralise(cutMiddle(message.text, largest)), largest)
    const units = countUnits(prefix) + countUnits(text) + 1
    return { prefix, text, units, isUsers: message.origin === 'user', isNew: index >= messages.length - NEWEST }
  })
  const sumAt = (cut: number): number => measured.reduce((sum, message) => sum + unitsAt(message, cut), 0)
  const cut = CUTS.find((each) => sumAt(each) <= aim) ?? CUTS.at(-1) ?? 0

  const lines: string[] = []
  const reserve = countUnits(`${omission(messages.length)}\n`)
  let used = 0
  let index = measured.length - 1
  for (; index >= 0; index--) {
    const message = measured[index]
    if (!message) break
    const line = `${message.prefix}${cutMiddle(message.text, cutUnits(message, cut))}`
    const cost = countUnits(line) + 1
    if (used + cost > budget - (index > 0 ? reserve : 0)) break
    lines.push(line)
    used += cost
  }
  const leftOut = index + 1
  if (leftOut === 0) return lines.reverse().join('\n')
  return used + reserve > budget ? '' : [omission(leftOut), ...lines.reverse()].join('\n')
}

const EARLIER_CHARS = 160

/** The newest of what was said before, a short line each, within a number of estimated tokens; `''` where there is nothing. Results of tools are left out. */
export const digestEarlier = (earlier: Transcript, maxTokens: number): string => {
  const lines: string[] = []
  let left = maxTokens * UNITS_PER_TOKEN
  for (const { role, text } of earlier.toReversed()) {
    if (role === 'tool' || text.trim() === '') continue
    const line = `- ${role}: ${neutralise(cutEnd(text, EARLIER_CHARS))}`
    left -= countUnits(line) + 1
    if (left < 0) break
    lines.push(line)
  }
  return lines.reverse().join('\n')
}
