/**
 * Which row of the evidence table a change of memory belongs to (DESIGN 5). Decided by what its proposer was shown, never by comparing wordings: with text from
 * outside in sight it is that text's, whatever it cites.
 */
import { locateEntry } from '../memory/entry-list.ts'
import type { MemoryOp } from '../memory/memory-op.ts'
import type { Evidence, MemoryProposal } from '../proposal/review-proposal.ts'
import { holdsOutsideText } from '../proposal/stamp-transcript.ts'
import type { Transcript, TranscriptMessage } from '../proposal/transcript.ts'
import { ORIGINS, type Origin } from '../shared/origin.ts'
import { contentSequence, contentWords } from '../text/content-words.ts'
import { NEGATIONS } from '../text/negations.ts'
import { normalisedMessage, normaliseText, sentencesOf } from '../text/normalise-text.ts'
import { holdsToken, specificTokens } from '../text/specific-tokens.ts'
import { spend } from '../text/work-limit.ts'
import type { EvidenceRowName, Finding } from './evidence-table.ts'
import { bindsFromOutside } from './instruction-like.ts'
import type { GateContext } from './review-gate.ts'

// The quotes of a proposal that the conversation really holds; the others are no evidence (DESIGN 5).

interface VerifiedQuote {
  readonly message: TranscriptMessage
  readonly quote: string
}

const trust = (origin: Origin): number => ORIGINS.indexOf(origin)

/**
 * A quote that names no message is looked for in all of them. Where several hold it, the most trusted one counts: who says something has
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

// Did the user say a statement? For the agent's own calls, which cite nothing. What is put together from several messages was said by nobody.

/** The newest message of the user's that holds every word of it, inflection aside. Negations count as words; addresses, commands and numbers must be there as they are. */
const carriedByUser = (statement: string, transcript: Transcript): TranscriptMessage | undefined => {
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

/** Index at which the words follow each other; -1 where they do not. */
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
 * The same behind text from outside, where the user's words may have been put in another order to say what the outside text says: they stand in a row in one sentence, and
 * none beside them denies it.
 */
const saidByUser = (statement: string, transcript: Transcript): TranscriptMessage | undefined => {
  const words = contentSequence(statement)
  const carrier = words.length === 0 ? undefined : carriedByUser(statement, transcript)
  if (!carrier) return undefined
  return transcript.findLast(({ origin, text }) => origin === 'user' && sentencesOf(text).some((sentence) => isSaidIn(words, sentence)))
}

/** A capital letter within a sentence. */
const name = /(?<=[\p{L}\p{N},;:)'"]\s)\p{Lu}[\p{L}\p{N}'-]+/gu
/** Of one digit too, such as a version. */
const number = /(?<![\p{L}\p{N}])\d+(?:[.,:/-]\d+)*(?![\p{L}\p{N}])/gu

/** Does a new text lose names or numbers of the entry it replaces that the user said nothing about? */
const dropsUnspoken = (entry: string, content: string, transcript: Transcript): boolean => {
  const kept = normaliseText(content)
  const tokens = [...specificTokens(entry).strong, ...(entry.match(number) ?? []), ...(entry.match(name) ?? [])].map(normaliseText)
  const dropped = [...new Set(tokens)].filter((token) => !holdsToken(kept, token))
  if (dropped.length === 0) return false
  const said = transcript.filter(({ origin }) => origin === 'user').map(normalisedMessage)
  return dropped.some((token) => !said.some((text) => holdsToken(text, token)))
}

export const sightOf = ({ sight, transcript }: GateContext): 'own' | 'outside' =>
  sight ?? (holdsOutsideText(transcript) ? 'outside' : 'own')

const idsOf = (messages: readonly TranscriptMessage[]): readonly string[] => [...new Set(messages.map(({ id }) => id))]

/** The entry that is meant, as it is; or the text that was to find it where none is found: the store then says so better than a gate. */
const touchedEntry = ({ target, op }: MemoryProposal, { entries }: GateContext): string | undefined => {
  if (op.action === 'add') return undefined
  const location = locateEntry(entries[target], op.oldText.trim())
  return location.kind === 'found' ? entries[target][location.index] : op.oldText
}

/** New content, or the entry that is to go. */
const statementOf = (op: MemoryOp, entry: string | undefined): string => (op.action === 'remove' ? (entry ?? op.oldText) : op.content)

const ownRow = (op: MemoryOp, entry: string | undefined, transcript: Transcript): EvidenceRowName => {
  if (op.action === 'add') return 'user-said'
  return op.action === 'replace' && dropsUnspoken(entry ?? '', op.content, transcript) ? 'lossy-change' : 'own-change'
}

/** A review that saw nothing from outside: the user's, unless it cites the agent alone. Citations that no message holds carry nothing. */
const judgeOwnWords = (proposal: MemoryProposal, context: GateContext): Finding => {
  const { op, evidence = [] } = proposal
  const { transcript } = context
  const cited = verifiedQuotes(evidence, transcript).map(({ message }) => message)
  if (evidence.length > 0 && cited.length === 0) return { row: 'no-evidence', origin: 'assistant', messageIds: [] }
  const messageIds = idsOf(cited)
  if (cited.length > 0 && cited.every(({ origin }) => origin === 'assistant')) return { row: 'agent-note', origin: 'assistant', messageIds }
  const entry = touchedEntry(proposal, context)
  // Tidying up makes nobody else's words the user's.
  const isAgents = cited.length === 0 && entry !== undefined && context.origins?.[proposal.target].get(entry) === 'assistant'
  return { row: ownRow(op, entry, transcript), origin: isAgents ? 'assistant' : 'user', messageIds }
}

const isFromOutside = ({ target }: MemoryProposal, entry: string, { origins }: GateContext): boolean =>
  origins?.[target].get(entry) === 'tool'

/** The agent's own call: it cites nothing, so it is the user's only where the user said it. Undefined: it is not known whose. */
const judgeCall = (proposal: MemoryProposal, context: GateContext): Finding | undefined => {
  const { op } = proposal
  const entry = touchedEntry(proposal, context)
  const sight = sightOf(context)
  // Behind text from outside nobody knows why another one's entry is to go.
  const mayChange = sight === 'own' || entry === undefined || isFromOutside(proposal, entry, context)
  const isSaid = sight === 'own' ? carriedByUser : saidByUser
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
  // Without the conversation nobody can say whose words these are.
  if (context.transcript.length === 0) return { row: 'no-evidence', origin: sight === 'own' ? 'assistant' : 'tool', messageIds: [] }
  const called = context.unattended ? undefined : judgeCall(proposal, context)
  return called ?? (sight === 'own' ? judgeOwnWords(proposal, context) : judgeOutside(proposal, context))
}
