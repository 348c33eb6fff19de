/**
 * Finds the row of the evidence table for a memory change (DESIGN 5). If text from outside was in sight, the change is attributed to that text, whatever it
 * cites. Otherwise the user's authority needs the user's words.
 */
import { locateEntry } from '../memory/memory-document.ts'
import type { MemoryOp } from '../memory/memory-op.ts'
import { parseProfileEntry, spokenValue } from '../memory/profile-entry.ts'
import type { Evidence, MemoryProposal } from '../proposal/review-proposal.ts'
import { holdsOutsideText } from '../proposal/stamp-transcript.ts'
import type { Transcript, TranscriptMessage } from '../proposal/transcript.ts'
import { ORIGINS, type Origin } from '../shared/origin.ts'
import { isAgentsStatement, isOnlyAsked } from '../text/agents-words.ts'
import { contentWords, NEGATIONS } from '../text/content-words.ts'
import { foreignNames, type Voices } from '../text/foreign-names.ts'
import { normalisedMessage, normaliseText, type Said } from '../text/normalise-text.ts'
import { spend } from '../text/work-limit.ts'
import type { EvidenceRowName, Finding } from './evidence-table.ts'
import { bindsFromOutside } from './instruction-like.ts'
import type { GateContext } from './review-gate.ts'

// A quote of a proposal that the conversation really contains; others are no evidence (DESIGN 5).

interface VerifiedQuote {
  readonly message: TranscriptMessage
  readonly quote: string
}

const trust = (origin: Origin): number => ORIGINS.indexOf(origin)

/**
 * Finds the cited quotes. A quote that names no message is searched for in all of them. If several contain it, the most trusted one counts, since the speaker
 * said it no matter who repeats it.
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

const isUsers = ({ origin }: TranscriptMessage): boolean => origin === 'user'

const toSaid = (text: string): Said => ({ text })

const voicesOf = (own: readonly Said[], replaced: readonly string[], transcript: Transcript): Voices => ({
  own: [...own, ...replaced.map(toSaid)],
  agent: transcript.filter(({ origin }) => origin === 'assistant'),
})

/** The names and numbers of a text that are neither in these texts nor in the entries that it replaces. */
const foreignIn = (content: string, own: readonly Said[], replaced: readonly string[], transcript: Transcript): readonly string[] =>
  foreignNames(content, voicesOf(own, replaced, transcript))

/**
 * The newest user message that contains every word of the statement, apart from inflection. Used for the agent's own calls, which cite nothing; words are
 * never combined from several messages. Negations count as words.
 */
const supportedByUser = (statement: string, transcript: Transcript): TranscriptMessage | undefined => {
  const words = [...contentWords(statement)]
  if (words.length === 0) return undefined
  return transcript.findLast((message) => {
    if (!isUsers(message)) return false
    const said = contentWords(message.text)
    return words.every((word) => said.has(word)) && foreignIn(statement, [message], [], transcript).length === 0
  })
}

/** True if a new text drops names or numbers of the entry it replaces that the user did not mention. */
const dropsUnmentioned = (entry: string, content: string, transcript: Transcript): boolean =>
  foreignIn(entry, transcript.filter(isUsers), [content], transcript).length > 0

export const sightOf = ({ sight, transcript }: GateContext): 'own' | 'outside' =>
  sight ?? (holdsOutsideText(transcript) ? 'outside' : 'own')

const idsOf = (messages: readonly TranscriptMessage[]): readonly string[] => [...new Set(messages.map(({ id }) => id))]

/** The entry that the operation names, in full; if there is none, the search text, so that the store can report the error. Undefined for an addition. */
const touchedEntry = ({ target, op }: MemoryProposal, { entries }: GateContext): string | undefined => {
  if (op.action === 'add') return undefined
  const known = entries[target] ?? []
  const location = locateEntry(known, op.oldText.trim())
  return location.kind === 'found' ? known[location.index] : op.oldText
}

/** The new content, or the entry to remove. */
const statementOf = (op: MemoryOp, entry: string | undefined): string => (op.action === 'remove' ? (entry ?? op.oldText) : op.content)

const ownRow = (op: MemoryOp, entry: string | undefined, transcript: Transcript): EvidenceRowName => {
  if (entry === undefined) return 'user-said'
  return op.action === 'replace' && dropsUnmentioned(entry, op.content, transcript) ? 'lossy-change' : 'own-change'
}

/** Whose authority an entry has; a hand-written one has that of the user. */
const authorityOf = ({ target }: MemoryProposal, entry: string, { origins }: GateContext): Origin => {
  const origin = origins?.[target]?.get(entry) ?? 'external'
  return origin === 'external' ? 'user' : origin
}

const isCovered = (words: ReadonlySet<string>, text: string): boolean => {
  const held = contentWords(text)
  return [...words].every((word) => held.has(word))
}

/**
 * True if the change needs no citation: it only rearranges the words of entries that it takes away, as a merge does, or removes a note of the agent. `isStated`: the
 * user or the host's code wrote the entry.
 */
const isUpkeep = ({ op }: MemoryProposal, entry: string, isStated: boolean, { merge }: GateContext): boolean => {
  if (op.action === 'remove') return !isStated || (merge !== undefined && isCovered(contentWords(entry), merge.contents.join('\n')))
  const before = [entry, ...(merge?.replaced ?? [])].join('\n')
  const negations = new Set([...contentWords(before)].filter((word) => NEGATIONS.has(word)))
  return isCovered(contentWords(op.content), before) && isCovered(negations, op.content)
}

/**
 * Judges a review that saw nothing from outside. A proposal is the user's if it cites the user, each name and number of its text is in the user's words or in an
 * entry of the user that it replaces, the agent did not say it rather than the user, and the quote does more than ask about it. Otherwise it is the agent's,
 * and may neither take the place of what the user said nor remove what the host's code wrote.
 */
const judgeOwnWords = (proposal: MemoryProposal, context: GateContext): Finding => {
  const { op, evidence = [] } = proposal
  const { transcript, merge } = context
  const quotes = verifiedQuotes(evidence, transcript)
  const cited = quotes.map(({ message }) => message)
  if (evidence.length > 0 && cited.length === 0) return { row: 'no-evidence', origin: 'assistant', messageIds: [] }
  const messageIds = idsOf(cited)
  const entry = touchedEntry(proposal, context)
  const replaced = entry === undefined ? [] : [entry, ...(merge?.replaced ?? [])]
  const ofUser = replaced.filter((each) => authorityOf(proposal, each, context) === 'user')
  const isForeign = () => {
    if (op.action === 'remove') return false
    const voices = voicesOf(transcript.filter(isUsers), ofUser, transcript)
    const ofUsers = quotes.filter(({ message }) => isUsers(message)).map(({ quote }) => quote)
    return foreignNames(op.content, voices).length > 0 || isAgentsStatement(op.content, voices) || isOnlyAsked(op.content, ofUsers)
  }
  if (cited.some(isUsers) && !isForeign()) return { row: ownRow(op, entry, transcript), origin: 'user', messageIds }
  const isOfUser = entry !== undefined && ofUser.includes(entry)
  const lowers = isOfUser && ofUser.length < replaced.length
  const isStated = isOfUser || (entry !== undefined && op.action === 'remove' && authorityOf(proposal, entry, context) === 'host')
  if (entry !== undefined && !lowers && isUpkeep(proposal, entry, isStated, context))
    return { row: ownRow(op, entry, transcript), origin: isOfUser ? 'user' : 'assistant', messageIds }
  return { row: isStated ? 'other-change' : 'agent-note', origin: 'assistant', messageIds }
}

/** The value as the user may have said it. Twice, since the first word of a sentence has a capital without being a name. */
const spokenText = (text: string): string => {
  const named = parseProfileEntry(text)
  const spoken = named ? spokenValue(named.value) : text
  return `${spoken} ${spoken}`
}

/** A field of the profile is the user's or nobody's: the user is cited, and said each name and number of its value. */
const judgeField = (proposal: MemoryProposal, context: GateContext): Finding => {
  const { op, evidence = [] } = proposal
  const { transcript } = context
  const quotes = verifiedQuotes(evidence, transcript).filter(({ message }) => isUsers(message))
  const messageIds = idsOf(quotes.map(({ message }) => message))
  const entry = touchedEntry(proposal, context)
  const isGiven = () => {
    if (op.action === 'remove') return true
    const voices = voicesOf(transcript.filter(isUsers), [], transcript)
    const value = spokenText(op.content)
    const ofUser = quotes.map(({ quote }) => quote)
    return foreignNames(value, voices).length === 0 && !isAgentsStatement(value, voices) && !isOnlyAsked(value, ofUser)
  }
  if (quotes.length === 0 || !isGiven()) return { row: 'unsaid-field', origin: 'assistant', messageIds }
  return { row: entry === undefined ? 'user-said' : 'own-change', origin: 'user', messageIds }
}

const isFromOutside = ({ target }: MemoryProposal, entry: string, { origins }: GateContext): boolean =>
  origins?.[target]?.get(entry) === 'tool'

/** Judges the agent's own call in a session without text from outside: it cites nothing, so it counts as the user's only if the user said it. */
const judgeCall = (proposal: MemoryProposal, context: GateContext): Finding => {
  const { op } = proposal
  const entry = touchedEntry(proposal, context)
  const carrier = supportedByUser(statementOf(op, entry), context.transcript)
  if (!carrier) return { row: 'agent-note', origin: 'assistant', messageIds: [] }
  return { row: ownRow(op, entry, context.transcript), origin: 'user', messageIds: [carrier.id] }
}

const outsideRow = (proposal: MemoryProposal, context: GateContext): EvidenceRowName => {
  const { target, op } = proposal
  const entry = touchedEntry(proposal, context)
  if (entry !== undefined && !isFromOutside(proposal, entry, context)) return 'outside-change'
  if (op.action === 'remove') return 'outside-cleanup'
  if (target === 'user' || target === 'profile') return 'outside-profile'
  return bindsFromOutside(op.content) === undefined ? 'outside-fact' : 'outside-rule'
}

const judgeOutside = (proposal: MemoryProposal, context: GateContext): Finding => {
  const cited = verifiedQuotes(proposal.evidence ?? [], context.transcript).map(({ message }) => message)
  return { row: outsideRow(proposal, context), origin: 'tool', messageIds: idsOf(cited) }
}

export const judgeMemory = (proposal: MemoryProposal, context: GateContext): Finding => {
  const sight = sightOf(context)
  // Without the conversation, the words cannot be attributed.
  if (context.transcript.length === 0) return { row: 'no-evidence', origin: sight === 'own' ? 'assistant' : 'tool', messageIds: [] }
  if (sight === 'outside') return judgeOutside(proposal, context)
  if (proposal.target === 'profile') return judgeField(proposal, context)
  return context.unattended ? judgeOwnWords(proposal, context) : judgeCall(proposal, context)
}
