/**
 * Finds the row of the evidence table for a memory change (DESIGN 5). Depends on what the proposer was shown, never on wording: if text from outside was in
 * sight, the change is attributed to that text, whatever it cites.
 */
import { locateEntry } from '../memory/entry-list.ts'
import type { MemoryOp } from '../memory/memory-op.ts'
import type { Evidence, MemoryProposal } from '../proposal/review-proposal.ts'
import { holdsOutsideText } from '../proposal/stamp-transcript.ts'
import type { Transcript, TranscriptMessage } from '../proposal/transcript.ts'
import { ORIGINS, type Origin } from '../shared/origin.ts'
import { contentSequence, contentWords, NEGATIONS } from '../text/content-words.ts'
import { normalisedMessage, normaliseText } from '../text/normalise-text.ts'
import { sentencesOf } from '../text/sentences.ts'
import { holdsToken, namesAndNumbers, specificTokens } from '../text/specific-tokens.ts'
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

/**
 * The newest user message that contains every word of the statement, apart from inflection. Used for the agent's own calls, which cite nothing; words are
 * never combined from several messages. Negations count as words; addresses, commands and numbers must match exactly.
 */
const supportedByUser = (statement: string, transcript: Transcript): TranscriptMessage | undefined => {
  const words = [...contentWords(statement)]
  if (words.length === 0) return undefined
  const { strong, numbers } = specificTokens(statement)
  const tokens = [...strong, ...numbers]
  return transcript.findLast((message) => {
    if (message.origin !== 'user') return false
    const said = contentWords(message.text)
    return words.every((word) => said.has(word)) && tokens.every((token) => holdsToken(normalisedMessage(message), token))
  })
}

/** Index at which the words appear consecutively; -1 if they do not. */
const indexOfRow = (words: readonly string[], said: readonly string[]): number => {
  spend(20 * said.length * Math.min(words.length, 4))
  return said.findIndex((_, start) => words.every((word, index) => said[start + index] === word))
}

const isSaidIn = (words: readonly string[], sentence: string): boolean => {
  const said = contentSequence(sentence)
  const start = indexOfRow(words, said)
  if (start < 0) return false
  return ![...said.slice(0, start), ...said.slice(start + words.length)].some((word) => NEGATIONS.has(word))
}

/**
 * A stricter check behind text from outside, where the user's words may have been reordered to say what that text says: the words must be consecutive in one
 * sentence that has no further negation.
 */
const saidByUser = (statement: string, transcript: Transcript): TranscriptMessage | undefined => {
  if (!supportedByUser(statement, transcript)) return undefined
  const words = contentSequence(statement)
  return transcript.findLast(({ origin, text }) => origin === 'user' && sentencesOf(text).some((sentence) => isSaidIn(words, sentence)))
}

/** True if a new text drops names or numbers of the entry it replaces that the user did not mention. */
const dropsUnmentioned = (entry: string, content: string, transcript: Transcript): boolean => {
  const kept = normaliseText(content)
  const tokens = [...specificTokens(entry).strong, ...namesAndNumbers(entry)].map(normaliseText)
  const dropped = [...new Set(tokens)].filter((token) => !holdsToken(kept, token))
  if (dropped.length === 0) return false
  const said = transcript.filter(({ origin }) => origin === 'user').map(normalisedMessage)
  return dropped.some((token) => !said.some((text) => holdsToken(text, token)))
}

export const sightOf = ({ sight, transcript }: GateContext): 'own' | 'outside' =>
  sight ?? (holdsOutsideText(transcript) ? 'outside' : 'own')

const idsOf = (messages: readonly TranscriptMessage[]): readonly string[] => [...new Set(messages.map(({ id }) => id))]

/** The entry that the operation names, in full; if there is none, the search text, so that the store can report the error. Undefined for an addition. */
const touchedEntry = ({ target, op }: MemoryProposal, { entries }: GateContext): string | undefined => {
  if (op.action === 'add') return undefined
  const location = locateEntry(entries[target], op.oldText.trim())
  return location.kind === 'found' ? entries[target][location.index] : op.oldText
}

/** The new content, or the entry to remove. */
const statementOf = (op: MemoryOp, entry: string | undefined): string => (op.action === 'remove' ? (entry ?? op.oldText) : op.content)

const ownRow = (op: MemoryOp, entry: string | undefined, transcript: Transcript): EvidenceRowName => {
  if (entry === undefined) return 'user-said'
  return op.action === 'replace' && dropsUnmentioned(entry, op.content, transcript) ? 'lossy-change' : 'own-change'
}

/** Judges a review that saw nothing from outside: the user's words, unless it cites only the agent. Citations that no message contains are ignored. */
const judgeOwnWords = (proposal: MemoryProposal, context: GateContext): Finding => {
  const { op, evidence = [] } = proposal
  const { transcript } = context
  const cited = verifiedQuotes(evidence, transcript).map(({ message }) => message)
  if (evidence.length > 0 && cited.length === 0) return { row: 'no-evidence', origin: 'assistant', messageIds: [] }
  const messageIds = idsOf(cited)
  if (cited.length > 0 && cited.every(({ origin }) => origin === 'assistant')) return { row: 'agent-note', origin: 'assistant', messageIds }
  const entry = touchedEntry(proposal, context)
  // Rewording the agent's entry does not make it the user's.
  const isAgentEntry = cited.length === 0 && entry !== undefined && context.origins?.[proposal.target].get(entry) === 'assistant'
  return { row: ownRow(op, entry, transcript), origin: isAgentEntry ? 'assistant' : 'user', messageIds }
}

const isFromOutside = ({ target }: MemoryProposal, entry: string, { origins }: GateContext): boolean =>
  origins?.[target].get(entry) === 'tool'

/** Judges the agent's own call: it cites nothing, so it counts as the user's only if the user said it. Undefined if the source is unknown. */
const judgeCall = (proposal: MemoryProposal, context: GateContext): Finding | undefined => {
  const { op } = proposal
  const entry = touchedEntry(proposal, context)
  const sight = sightOf(context)
  // With text from outside in sight, it is unknown why an entry of another origin is to change.
  const mayChange = sight === 'own' || entry === undefined || isFromOutside(proposal, entry, context)
  const isSaid = sight === 'own' ? supportedByUser : saidByUser
  const carrier = mayChange ? isSaid(statementOf(op, entry), context.transcript) : undefined
  if (carrier) return { row: ownRow(op, entry, context.transcript), origin: 'user', messageIds: [carrier.id] }
  return sight === 'own' ? { row: 'agent-note', origin: 'assistant', messageIds: [] } : undefined
}

const outsideRow = (proposal: MemoryProposal, context: GateContext): EvidenceRowName => {
  const { target, op } = proposal
  const entry = touchedEntry(proposal, context)
  if (entry !== undefined && !isFromOutside(proposal, entry, context)) return 'outside-change'
  if (op.action === 'remove') return 'outside-cleanup'
  if (target === 'user') return 'outside-profile'
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
  const called = context.unattended ? undefined : judgeCall(proposal, context)
  return called ?? (sight === 'own' ? judgeOwnWords(proposal, context) : judgeOutside(proposal, context))
}
