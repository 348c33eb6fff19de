/** Which row of the evidence table a replace or a remove belongs to. */
import { locateEntry } from '../memory/entry-list.ts'
import type { MemoryOp } from '../memory/memory-op.ts'
import type { MemoryProposal } from '../proposal/review-proposal.ts'
import { leastTrusted, type Origin } from '../shared/origin.ts'
import { findAskedRemoval, findAttendedRemoval } from './asked-removal.ts'
import { isAskedRewrite } from './asked-rewrite.ts'
import { contentWords } from './content-words.ts'
import { findSource } from './find-source.ts'
import { judgeSource } from './judge-source.ts'
import type { Judgement } from './judgement.ts'
import { addsNothingTo, keepsFacts } from './kept-facts.ts'
import { NEGATIONS } from './negations.ts'
import { sameSense } from './polarity.ts'
import type { GateContext } from './review-gate.ts'
import { isTurnTainted } from './turn-taint.ts'

interface Located {
  /** The entry as it is, or the text that was to find it where none is found: the store then says so better than a gate. */
  readonly entry: string
  readonly others: readonly string[]
}

const locate = (proposal: MemoryProposal, oldText: string, context: GateContext): Located => {
  const entries = context.entries[proposal.target]
  const location = locateEntry(entries, oldText.trim())
  if (location.kind !== 'found') return { entry: oldText, others: [] }
  return { entry: entries[location.index] ?? oldText, others: entries.filter((_, index) => index !== location.index) }
}

const originsOf = (context: GateContext, proposal: MemoryProposal, entries: readonly string[]): readonly Origin[] =>
  entries.flatMap((entry) => {
    const origin = context.origins?.[proposal.target].get(entry)
    // What a person wrote by hand is his own.
    return origin === undefined || origin === 'external' ? [] : [origin]
  })

/** What stays of an old entry keeps its origin: a new half that the user said does not make the other half his. */
const inherited = (context: GateContext, proposal: MemoryProposal, entries: readonly string[], origin: Origin): Origin =>
  leastTrusted([origin, ...originsOf(context, proposal, entries)]) ?? origin

/** The user's own rewrite; where no word is new, only a denial turned by him can be one. */
const askedRewrite = (proposal: MemoryProposal, entry: string, content: string, context: GateContext): Judgement | undefined => {
  if (!isAskedRewrite(entry, content, context.transcript)) return undefined
  const { target, evidence = [] } = proposal
  const whole = findSource({ target, text: content }, evidence, context)
  const added = findSource({ target, text: content, known: contentWords(entry), knownText: entry }, evidence, context)
  const source = whole?.origin === 'user' ? whole : added
  if (source?.origin !== 'user') return undefined
  const origin = source === whole ? 'user' : inherited(context, proposal, [entry], 'user')
  return { row: 'asked-change', origin, messageIds: source.messageIds }
}

const judgeMerge = (proposal: MemoryProposal, located: Located, content: string, context: GateContext): Judgement | undefined => {
  const { entry, others } = located
  const donors = others.filter((other) => !addsNothingTo([entry], other) && keepsFacts(other, content))
  // Only entries that stay whole may lend their words: pieces of others can be put together into anything.
  if (!keepsFacts(entry, content) || !addsNothingTo([entry, ...donors], content)) return undefined
  return { row: 'merge', origin: inherited(context, proposal, [entry, ...donors], 'assistant'), messageIds: [] }
}

/** Parts of an entry go because the user wants them gone. */
const judgeShortening = (proposal: MemoryProposal, entry: string, content: string, context: GateContext): Judgement | undefined => {
  if (!addsNothingTo([entry], content) || !sameSense(entry, content)) return undefined
  const kept = contentWords(content)
  const dropped = [...contentWords(entry)].filter((word) => !kept.has(word))
  // A rule that loses its "not" or "without" is another rule.
  if (dropped.some((word) => NEGATIONS.has(word)) && dropped.length === 1) return undefined
  const asked = findAskedRemoval(entry, context.transcript)
  if (!asked || !dropped.some((word) => contentWords(asked.text).has(word))) return undefined
  return { row: 'asked-change', origin: inherited(context, proposal, [entry], 'user'), messageIds: [asked.id] }
}

const judgeReplace = (proposal: MemoryProposal, oldText: string, content: string, context: GateContext): Judgement => {
  const located = locate(proposal, oldText, context)
  const { entry } = located
  const decided =
    askedRewrite(proposal, entry, content, context) ??
    judgeMerge(proposal, located, content, context) ??
    judgeShortening(proposal, entry, content, context)
  if (decided) return decided
  const { target, evidence = [] } = proposal
  const added = findSource({ target, text: content, known: contentWords(entry), knownText: entry }, evidence, context)
  if (context.unattended) return { row: 'other-change', origin: added?.origin ?? 'tool', messageIds: added?.messageIds ?? [] }
  const judged = judgeSource(target, content, added, context)
  return { ...judged, origin: inherited(context, proposal, [entry], judged.origin) }
}

const judgeRemove = (proposal: MemoryProposal, oldText: string, context: GateContext): Judgement => {
  const { entry, others } = locate(proposal, oldText, context)
  const { transcript, unattended } = context
  const asked = unattended ? findAskedRemoval(entry, transcript) : findAttendedRemoval(entry, transcript)
  if (asked) return { row: 'asked-change', origin: 'user', messageIds: [asked.id] }
  if (others.some((other) => keepsFacts(entry, other) && addsNothingTo([other], entry)))
    return { row: 'merge', origin: 'assistant', messageIds: [] }
  const fromOutside = unattended ? transcript.some((message) => message.origin === 'tool') : isTurnTainted(transcript)
  if (unattended || fromOutside || transcript.length === 0) {
    return { row: 'other-change', origin: fromOutside ? 'tool' : 'assistant', messageIds: [] }
  }
  return { row: 'agent-note', origin: 'assistant', messageIds: [] }
}

export const judgeChange = (proposal: MemoryProposal, op: Exclude<MemoryOp, { action: 'add' }>, context: GateContext): Judgement =>
  op.action === 'replace' ? judgeReplace(proposal, op.oldText, op.content, context) : judgeRemove(proposal, op.oldText, context)
