/**
 * Whose words carry a statement? Rewriting may keep information, never raise the authority of its source, so a citation alone decides nothing: the words
 * themselves are looked for, in what the user said, in what the agent said, and in what came from outside (DESIGN 5).
 */

import type { Evidence } from '../proposal/review-proposal.ts'
import type { Transcript, TranscriptMessage } from '../proposal/transcript.ts'
import type { Origin } from '../shared/origin.ts'
import { expressesWish } from './change-words.ts'
import { contentWords } from './content-words.ts'
import { type Coverage, coverByAny, coverByFew, coveringSentences, coverWith } from './coverage.ts'
import { bindsReader, instructionLike } from './instruction-like.ts'
import { normalisedMessage, normaliseText } from './normalise-text.ts'
import { holdsToken, specificTokens } from './specific-tokens.ts'
import { type StandingQuote, standingQuotes } from './standing-quotes.ts'
import { isTurnTainted } from './turn-taint.ts'

/** The user said it plainly: so many of its words are his own that a document saying the same takes nothing away. */
const PLAIN = 0.75
/** So many of its words stand in a quote that it may count as the source. */
const QUOTED = 0.5
/** A sentence of the user that nobody cited must carry more. */
const FOUND = 0.6
/** So many of its words stand in one passage of a tool result that it may come from there. */
const CARRIED = 0.5
/** For an order even a faint echo of a tool result is one too many. */
const ECHOED = 0.3
/** A statement may be pieced together from so many messages of the user. */
const FEW = 3
/** A quote of fewer content words says nothing that could be retold in other words. */
const SUBSTANCE = 2

export interface Source {
  readonly origin: Origin
  /** Does the passage it was taken from bind or address its reader? Only asked of text from outside. */
  readonly binding?: boolean
  /** Where it stands, for the reason. */
  readonly messageIds: readonly string[]
}

export interface Statement {
  readonly text: string
  /** Content words that need no source: they stand in the entry already. */
  readonly known?: ReadonlySet<string>
  /** Text whose addresses, commands and numbers need no source. */
  readonly knownText?: string
}

interface Reading {
  readonly wanted: ReadonlySet<string>
  readonly quotes: readonly StandingQuote[]
  readonly user: Coverage & { readonly quoted: boolean }
  readonly tool: Coverage
  /** `tool`: a token of it came from outside. `assistant`: nobody said it. `user`: nothing in the way. */
  readonly best: Origin
}

const of = (transcript: Transcript, origin: Origin): Transcript => transcript.filter((message) => message.origin === origin)
const isHeld = (messages: Transcript, token: string): boolean => messages.some((message) => holdsToken(normalisedMessage(message), token))
const idsOf = (...messages: readonly (TranscriptMessage | undefined)[]): readonly string[] => [
  ...new Set(messages.flatMap((message) => (message ? [message.id] : []))),
]

const bestOriginOfTokens = (statement: Statement, transcript: Transcript): Origin => {
  const { strong, numbers } = specificTokens(statement.text)
  const known = specificTokens(statement.knownText ?? '')
  const users = of(transcript, 'user')
  const unsaid = [...strong, ...numbers].filter((token) => !known.strong.has(token) && !known.numbers.has(token) && !isHeld(users, token))
  if (unsaid.some((token) => isHeld(of(transcript, 'tool'), token))) return 'tool'
  return unsaid.some((token) => strong.has(token)) ? 'assistant' : 'user'
}

/** Whoever asks whether something is so has not said that it is; that matters where something from outside gave the answer. */
const withoutQuestions = (message: TranscriptMessage): TranscriptMessage => ({
  ...message,
  text: message.text
    .split(/(?<=[.!?。！？;\n])/)
    .filter((sentence) => !/[?？]\s*$/.test(sentence))
    .join(''),
})

const coverByUser = (
  wanted: ReadonlySet<string>,
  quotes: readonly StandingQuote[],
  messages: Transcript,
  answeredFromOutside: boolean,
): Reading['user'] => {
  const said = answeredFromOutside ? messages.map(withoutQuestions) : messages
  const own = quotes.filter(({ message, quote }) => {
    const words = said[messages.indexOf(message)]
    return words !== undefined && normalisedMessage(words).includes(normaliseText(quote))
  })
  const quoted = coverWith(wanted, contentWords(own.map(({ quote }) => quote).join('\n')))
  // Where nothing from outside says the same, the user may have said it in parts.
  const pieced = answeredFromOutside ? undefined : coverByFew(wanted, said, FEW)
  const found = pieced && pieced.share >= PLAIN ? pieced : coverByAny(wanted, said)
  const [first] = own
  if (first === undefined || quoted.share < QUOTED) return { ...found, quoted: false }
  return { ...(quoted.share >= found.share ? { ...quoted, message: first.message } : found), quoted: true }
}

const saidByUser = ({ user, tool, best, quotes }: Reading): boolean => {
  if (best !== 'user') return false
  if (user.share >= PLAIN) return true
  if (quotes.some(({ message }) => message.origin === 'tool')) return false
  const suppliedFromOutside = tool.share >= CARRIED && [...tool.found].some((word) => !user.found.has(word))
  return user.share >= (user.quoted ? QUOTED : FOUND) && !suppliedFromOutside
}

const fromOutside = ({ wanted, quotes }: Reading, tool: Coverage): Source => {
  const cited = quotes.filter(({ message }) => message.origin === 'tool')
  const passages = [...cited.map(({ quote }) => quote), ...(tool.message ? coveringSentences(wanted, tool.message, CARRIED) : [])]
  return { origin: 'tool', binding: passages.some(bindsReader), messageIds: idsOf(...cited.map(({ message }) => message), tool.message) }
}

/** What the agent said, unless an earlier text from outside had said it before him (laundering through a later turn). */
const fromAgent = (reading: Reading, statement: Statement, transcript: Transcript): Source | undefined => {
  const { wanted, quotes } = reading
  const own = quotes.filter(({ message }) => message.origin === 'assistant')
  const quoted = coverWith(wanted, contentWords(own.map(({ quote }) => quote).join('\n')))
  const found = coverByAny(wanted, of(transcript, 'assistant'))
  const message = quoted.share >= QUOTED ? own[0]?.message : found.share >= CARRIED ? found.message : undefined
  if (message === undefined) return undefined
  const earlier = of(transcript.slice(0, transcript.indexOf(message)), 'tool')
  const outside = coverByAny(wanted, earlier)
  const limit = instructionLike(statement.text) === undefined ? CARRIED : ECHOED
  return outside.share >= limit ? fromOutside(reading, outside) : { origin: 'assistant', messageIds: idsOf(message) }
}

/** A conversation without any text from outside holds nothing to launder: a substantial quote is then enough for the agent's own conclusion. */
const retold = ({ quotes, best }: Reading): Source | undefined => {
  const own = quotes.find(({ message, quote }) => message.origin === 'user' && expressesWish(quote, 'remember'))
  if (own !== undefined && best === 'user') return { origin: 'user', messageIds: idsOf(own.message) }
  const substantial = quotes.find(({ quote }) => contentWords(quote).size >= SUBSTANCE)
  return substantial && { origin: 'assistant', messageIds: idsOf(substantial.message) }
}

/** The agent's own call needs no citation: the turn it stands in is the source. */
const fromTurn = (reading: Reading, statement: Statement, transcript: Transcript): Source => {
  const last = of(transcript, 'user').at(-1)
  const outside = of(transcript, 'tool')
  if (last && outside.length === 0 && reading.best === 'user' && expressesWish(last.text, 'remember'))
    return { origin: 'user', messageIds: idsOf(last) }
  const echoed = instructionLike(statement.text) !== undefined && reading.tool.share >= ECHOED
  if (isTurnTainted(transcript) || echoed) return fromOutside(reading, reading.tool)
  return { origin: 'assistant', messageIds: [] }
}

/** Undefined where nothing in the conversation carries the statement. */
export const findSource = (
  statement: Statement,
  evidence: readonly Evidence[],
  transcript: Transcript,
  unattended: boolean,
): Source | undefined => {
  if (transcript.length === 0) return undefined
  const wanted = new Set([...contentWords(statement.text)].filter((word) => !statement.known?.has(word)))
  const quotes = standingQuotes(evidence, transcript)
  const outside = of(transcript, 'tool')
  const tool = coverByAny(wanted, outside)
  const reading: Reading = {
    wanted,
    quotes,
    user: coverByUser(wanted, quotes, of(transcript, 'user'), tool.share >= CARRIED),
    tool,
    best: bestOriginOfTokens(statement, transcript),
  }
  if (saidByUser(reading)) return { origin: 'user', messageIds: idsOf(reading.user.message) }
  const cites = (origin: Origin): boolean => quotes.some(({ message }) => message.origin === origin)
  if (reading.best === 'tool' || cites('tool') || (!unattended && isTurnTainted(transcript))) return fromOutside(reading, tool)
  if (tool.share >= CARRIED && !cites('assistant')) return fromOutside(reading, tool)
  const own = fromAgent(reading, statement, transcript)
  if (own) return own
  if (tool.share >= CARRIED) return fromOutside(reading, tool)
  return (outside.length === 0 ? retold(reading) : undefined) ?? (unattended ? undefined : fromTurn(reading, statement, transcript))
}
