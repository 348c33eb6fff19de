/** What the conversation holds of a statement: how much the user said of it, how much came from outside. Read once, then `find-source.ts` decides. */
import type { MemoryTarget } from '../memory/memory-op.ts'
import type { Evidence } from '../proposal/review-proposal.ts'
import type { Transcript } from '../proposal/transcript.ts'
import type { Origin } from '../shared/origin.ts'
import { contentWords } from './content-words.ts'
import { type Coverage, coverByAny } from './coverage.ts'
import { instructionLikeFor } from './instruction-like.ts'
import { outsideNotes } from './outside-notes.ts'
import type { GateContext } from './review-gate.ts'
import { type StandingQuote, standingQuotes } from './standing-quotes.ts'
import { leastOriginOfTokens } from './token-origin.ts'
import { coverByUser, type UserCoverage } from './user-coverage.ts'

/** So many of its words stand in one passage of a tool result that it may come from there. */
export const CARRIED = 0.5
/** For an order even a faint echo of a tool result is one too many. */
export const ECHOED = 0.3

export interface Statement {
  readonly target: MemoryTarget
  readonly text: string
  /** Content words that need no source: they stand in the entry already. */
  readonly known?: ReadonlySet<string>
  /** Text whose addresses, commands and numbers need no source. */
  readonly knownText?: string
}

export interface Reading {
  readonly statement: Statement
  readonly transcript: Transcript
  readonly wanted: ReadonlySet<string>
  readonly quotes: readonly StandingQuote[]
  readonly user: UserCoverage
  /** The best passage from outside, remembered notes included. */
  readonly tool: Coverage
  /** Remembered notes from outside. */
  readonly notes: Transcript
  /** Text from outside stands in the conversation, or may stand in memory that could not be read. */
  readonly outsideInSight: boolean
  /** The statement is a rule, a request, a command, an address or a credential. */
  readonly isOrder: boolean
  /** `tool`: a token of it came from outside. `assistant`: the user did not say it. `user`: nothing in the way. */
  readonly tokens: Origin
}

export const byOrigin = (transcript: Transcript, origin: Origin): Transcript => transcript.filter((message) => message.origin === origin)

export const readConversation = (statement: Statement, evidence: readonly Evidence[], context: GateContext): Reading => {
  const { transcript } = context
  const { target, text, known, knownText = '' } = statement
  const wanted = new Set([...contentWords(text)].filter((word) => !known?.has(word)))
  const outside = byOrigin(transcript, 'tool')
  // A rewritten entry is compared with the conversation, not with itself.
  const notes = outsideNotes(context).filter(({ text: note }) => note !== knownText)
  const quotes = standingQuotes(evidence, transcript)
  const outsideInSight = outside.length > 0 || context.unread === true
  const strict = outsideInSight || coverByAny(wanted, notes).share >= ECHOED
  const user = coverByUser({ text, wanted, quotes, messages: byOrigin(transcript, 'user'), strict })
  const said = user.agreeing.map(({ normal }) => normal)
  return {
    statement,
    transcript,
    wanted,
    quotes,
    user,
    tool: coverByAny(wanted, [...outside, ...notes]),
    notes,
    outsideInSight,
    isOrder: instructionLikeFor(target, text) !== undefined,
    tokens: leastOriginOfTokens(text, knownText, said, [...outside, ...notes]),
  }
}
