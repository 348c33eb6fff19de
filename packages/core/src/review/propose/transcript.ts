/** The conversation as shown to a reviewer: the user's words in full, long messages of others shortened, within the budget (reference hermes-memory 10). */

import { cutEnd, cutMiddle } from '../../model/cut-text.ts'
import { neutralise } from '../../model/data-fence.ts'
import { countUnits, UNITS_PER_TOKEN } from '../../model/token-estimate.ts'
import type { Transcript, TranscriptMessage } from '../../proposal/transcript.ts'
import { DEFAULT_MAX_INPUT_TOKENS } from '../review-limits.ts'
import type { RequestDates } from './request-dates.ts'

export interface DigestOptions {
  /** Estimated tokens of the digest. Default 24,000. */
  readonly maxInputTokens?: number
  /** Estimated tokens above which the middle of long messages of the agent and of tools is cut. Default: `maxInputTokens`. */
  readonly aimTokens?: number
  /** Says when a turn was said that was not said today. Default: no turn has a date. */
  readonly dates?: RequestDates | undefined
}

/** A single message takes at most 1/`LARGEST_SHARE` of the budget. */
const LARGEST_SHARE = 4

/** Token limits for a message of the agent or of a tool; the first one that meets the aim is used. */
const CUTS = [Number.POSITIVE_INFINITY, 500, 400, 320, 250, 200, 160, 130, 100, 80, 64, 48, 36, 24, 16] as const

/** Number of newest messages that may take twice the limit. */
const NEWEST = 8

const head = (message: TranscriptMessage): string => `[${message.id} | ${message.role} | origin: ${message.origin}] `

/** Before the first message of a turn of another day. */
const dayLine = ({ at }: TranscriptMessage, before: TranscriptMessage | undefined, dates: RequestDates | undefined): string => {
  const said = dates && at !== before?.at ? dates.said(at) : ''
  return said === '' ? '' : `(said ${said})\n`
}

const omission = (count: number): string => `(${count} earlier ${count === 1 ? 'message is' : 'messages are'} left out)`

interface Measured {
  readonly prefix: string
  readonly text: string
  /** Units of prefix, text and line feed. */
  readonly units: number
  readonly isUsers: boolean
  readonly isNew: boolean
}

const cutUnits = ({ isUsers, isNew }: Measured, cut: number): number =>
  isUsers ? Number.POSITIVE_INFINITY : cut * UNITS_PER_TOKEN * (isNew ? 2 : 1)

const unitsAt = (message: Measured, cut: number): number => Math.min(message.units, countUnits(message.prefix) + cutUnits(message, cut) + 1)

/** `''` for an empty conversation. If the budget is short, the oldest messages are dropped and their number is shown. */
export const digestTranscript = (transcript: Transcript, options: DigestOptions = {}): string => {
  const { maxInputTokens = DEFAULT_MAX_INPUT_TOKENS, aimTokens = maxInputTokens, dates } = options
  const messages = transcript.filter(({ text }) => text.trim() !== '')
  const budget = Math.max(0, Math.floor(maxInputTokens * UNITS_PER_TOKEN))
  const aim = Math.min(budget, Math.floor(aimTokens * UNITS_PER_TOKEN))

  const measured = messages.map((message, index): Measured => {
    const prefix = `${dayLine(message, messages[index - 1], dates)}${head(message)}`
    const largest = Math.max(0, Math.floor(budget / LARGEST_SHARE) - countUnits(prefix))
    // Cut before and after neutralising, which would be wasted on a huge text and may make the text longer.
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

/** The newest earlier messages, a short line each, within `maxTokens` estimated tokens; `''` if there are none. Results of tools are skipped. */
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
