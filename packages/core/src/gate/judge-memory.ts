/**
 * Which row of the evidence table a change of memory belongs to (DESIGN 5). Decided by what its proposer was shown, never by comparing wordings: with text from
 * outside in sight it is that text's, whatever it cites.
 */
import { locateEntry } from '../memory/entry-list.ts'
import type { MemoryOp } from '../memory/memory-op.ts'
import type { MemoryProposal } from '../proposal/review-proposal.ts'
import { holdsOutsideText } from '../proposal/stamp-transcript.ts'
import type { Transcript, TranscriptMessage } from '../proposal/transcript.ts'
import { carriedByUser, saidByUser } from './carried-by-user.ts'
import { dropsUnspoken } from './drops-unspoken.ts'
import type { EvidenceRowName, Judgement } from './evidence-table.ts'
import { bindsFromOutside } from './instruction-like.ts'
import type { GateContext } from './review-gate.ts'
import { verifiedQuotes } from './verified-quotes.ts'

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

/** A review that saw nothing from outside: the user's, unless it cites the agent alone. Citations that stand nowhere carry nothing. */
const judgeOwnWords = (proposal: MemoryProposal, context: GateContext): Judgement => {
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
const judgeCall = (proposal: MemoryProposal, context: GateContext): Judgement | undefined => {
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

const judgeOutside = (proposal: MemoryProposal, context: GateContext): Judgement => {
  const cited = verifiedQuotes(proposal.evidence ?? [], context.transcript).map(({ message }) => message)
  return { row: outsideRow(proposal, context), origin: 'tool', messageIds: idsOf(cited) }
}

export const judgeMemory = (proposal: MemoryProposal, context: GateContext): Judgement => {
  const sight = sightOf(context)
  // Without the conversation nobody can say whose words these are.
  if (context.transcript.length === 0) return { row: 'no-evidence', origin: sight === 'own' ? 'assistant' : 'tool', messageIds: [] }
  const called = context.unattended ? undefined : judgeCall(proposal, context)
  return called ?? (sight === 'own' ? judgeOwnWords(proposal, context) : judgeOutside(proposal, context))
}
