/**
 * Whose words carry a statement? Rewriting may keep information, never raise the authority of its source, so a citation alone decides nothing: the words
 * themselves are looked for, in what the user stated, in what the agent said, and in what came from outside (DESIGN 5).
 */
import type { Evidence } from '../proposal/review-proposal.ts'
import type { TranscriptMessage } from '../proposal/transcript.ts'
import type { Origin } from '../shared/origin.ts'
import { expressesWish } from './change-words.ts'
import { contentWords } from './content-words.ts'
import { coverByAny, coveringSentences, coverWith } from './coverage.ts'
import { bindsReader } from './instruction-like.ts'
import { isPicked, retoldByUser } from './retold-by-user.ts'
import type { GateContext } from './review-gate.ts'
import { byOrigin, CARRIED, ECHOED, type Reading, readConversation, type Statement } from './source-reading.ts'
import { SUBSTANCE } from './substance.ts'
import { namesTheUnheard } from './token-origin.ts'
import { isTurnTainted } from './turn-taint.ts'
import { PLAIN, QUOTED } from './user-coverage.ts'

/** A sentence of the user that nobody cited must carry more. */
const FOUND = 0.6

export interface Source {
  readonly origin: Origin
  /** Does the passage it was taken from bind or address its reader? Only asked of text from outside. */
  readonly binding?: boolean
  /** Where it stands, for the reason. */
  readonly messageIds: readonly string[]
}

const idsOf = (...messages: readonly (TranscriptMessage | undefined)[]): readonly string[] => [
  ...new Set(messages.flatMap((message) => (message && message.id !== '' ? [message.id] : []))),
]

const cites = ({ quotes }: Reading, origin: Origin): boolean => quotes.some(({ message }) => message.origin === origin)

/**
 * A proposal that cites a tool says itself where it comes from; it is the user's only where one sentence of his holds every word of it. Else he must have
 * said most of it, and no passage from outside may supply what he did not say.
 */
const saidByUser = (reading: Reading): boolean => {
  const { user, tool, tokens } = reading
  if (tokens !== 'user' || isPicked(reading)) return false
  if (cites(reading, 'tool')) return user.share === 1
  const supplied = tool.share >= CARRIED && [...tool.found].some((word) => !user.found.has(word))
  return !supplied && user.share >= (user.quoted ? QUOTED : reading.outsideInSight ? PLAIN : FOUND)
}

const fromOutside = ({ wanted, quotes, tool }: Reading, passage = tool): Source => {
  const cited = quotes.filter(({ message }) => message.origin === 'tool')
  const passages = [...cited.map(({ quote }) => quote), ...(passage.message ? coveringSentences(wanted, passage.message, CARRIED) : [])]
  return { origin: 'tool', binding: passages.some(bindsReader), messageIds: idsOf(...cited.map(({ message }) => message), passage.message) }
}

/**
 * What the agent said, unless an earlier text from outside had said it before him (laundering through a later turn). A rule may have been translated or
 * reworded on its way, so behind any text from outside a rule of the agent's own counts as that text's.
 */
const fromAgent = (reading: Reading): Source | undefined => {
  const { wanted, quotes, transcript, notes, isOrder } = reading
  const own = quotes.filter(({ message }) => message.origin === 'assistant')
  const quoted = coverWith(wanted, contentWords(own.map(({ quote }) => quote).join('\n')))
  const found = coverByAny(wanted, byOrigin(transcript, 'assistant'))
  const message = quoted.share >= QUOTED ? own[0]?.message : found.share >= CARRIED ? found.message : undefined
  if (message === undefined) return undefined
  const earlier = byOrigin(transcript.slice(0, transcript.indexOf(message)), 'tool')
  const outside = coverByAny(wanted, [...earlier, ...notes])
  if (isOrder && earlier.length > 0) return { ...fromOutside(reading, outside), binding: true }
  if (outside.share >= (isOrder ? ECHOED : CARRIED)) return fromOutside(reading, outside)
  return { origin: 'assistant', messageIds: idsOf(message) }
}

/** A conversation without any text from outside holds nothing to launder: a substantial quote is then enough for the agent's own conclusion. */
const retoldByAgent = ({ quotes, outsideInSight }: Reading): Source | undefined => {
  if (outsideInSight) return undefined
  const substantial = quotes.find(({ quote }) => contentWords(quote).size >= SUBSTANCE)
  return substantial && { origin: 'assistant', messageIds: idsOf(substantial.message) }
}

/** The agent's own call needs no citation: the turn it stands in is the source. */
const fromTurn = (reading: Reading): Source | undefined => {
  const { statement, transcript, tool, tokens, isOrder, outsideInSight } = reading
  const last = byOrigin(transcript, 'user').at(-1)
  if (last && !outsideInSight && tokens === 'user' && expressesWish(last.text, 'remember'))
    return { origin: 'user', messageIds: idsOf(last) }
  if (isTurnTainted(transcript)) return fromOutside(reading)
  if (isOrder && (outsideInSight || tool.share >= ECHOED)) return { ...fromOutside(reading), binding: true }
  // A rule with an address that nobody has named here comes from somewhere that is not shown.
  if (isOrder && namesTheUnheard(statement.text, statement.knownText ?? '', transcript)) return undefined
  return { origin: 'assistant', messageIds: [] }
}

/** Undefined where nothing in the conversation carries the statement. */
export const findSource = (statement: Statement, evidence: readonly Evidence[], context: GateContext): Source | undefined => {
  const { transcript, unattended } = context
  if (transcript.length === 0) return undefined
  const reading = readConversation(statement, evidence, context)
  const { user, tool, tokens } = reading
  if (saidByUser(reading)) return { origin: 'user', messageIds: idsOf(user.message) }
  const retold = retoldByUser(reading)
  if (retold) return { origin: 'user', messageIds: idsOf(retold) }
  if (tokens === 'tool' || cites(reading, 'tool') || (!unattended && isTurnTainted(transcript))) return fromOutside(reading)
  if (tool.share >= CARRIED && !cites(reading, 'assistant')) return fromOutside(reading)
  const own = fromAgent(reading)
  if (own) return own
  if (tool.share >= CARRIED) return fromOutside(reading)
  return retoldByAgent(reading) ?? (unattended ? undefined : fromTurn(reading))
}
