/**
 * Which row of the evidence table a change of a skill belongs to (DESIGN 5). A skill is always an order: it tells the agent what to do in every later session. So what
 * was said behind text from outside is that text's, and nothing the agent makes of it raises it.
 */
import type { SkillProposal } from '../proposal/review-proposal.ts'
import type { Transcript } from '../proposal/transcript.ts'
import type { SkillOp } from '../skills/skill-op.ts'
import { findAskedPuttingAway, findAskedSkill } from './asked-skill.ts'
import { contentWords } from './content-words.ts'
import { wordsOfMessage } from './coverage.ts'
import { areDroppedWanted } from './dropped-lines.ts'
import { foreignAddresses } from './foreign-addresses.ts'
import type { Judgement } from './judgement.ts'
import { normalisedMessage } from './normalise-text.ts'
import { outsideNotes } from './outside-notes.ts'
import type { GateContext } from './review-gate.ts'
import { noteEcho } from './skill-notes.ts'
import { saidByPlace } from './skill-place.ts'
import { skillStatementsOf } from './skill-statements.ts'
import { changedLines, type LineChange, nextSkillText, sameLines } from './skill-text.ts'
import { byOrigin } from './source-reading.ts'
import { specificTokens } from './specific-tokens.ts'
import { standingQuotes } from './standing-quotes.ts'
import { SUBSTANCE } from './substance.ts'
import { traceSkill } from './trace-skill.ts'
import { PLAIN } from './user-coverage.ts'

/** So many of a skill's words stand in the conversation that it is about that conversation. */
const AT_HAND = 0.3
/** So many addresses are looked for; a text of more counts as unheard. */
const MOST_ADDRESSES = 200

interface Case {
  readonly proposal: SkillProposal
  readonly context: GateContext
  readonly change: LineChange
  /** Remembered notes from outside; undefined where they could not be read. */
  readonly notes: Transcript | undefined
}

const hasOutside = (transcript: Transcript): boolean => transcript.some(({ origin }) => origin === 'tool')

/** Nobody knows where it comes from, so it is trusted no more than what else was in sight. */
const sourceless = (row: 'no-evidence' | 'other-change', { transcript }: GateContext): Judgement => ({
  row,
  origin: hasOutside(transcript) ? 'tool' : 'assistant',
  messageIds: [],
})

const fromOutside = ({ context: { transcript }, proposal: { evidence = [] } }: Case): Judgement => {
  const outside = byOrigin(transcript, 'tool')
  const cited = standingQuotes(evidence, transcript).filter(({ message }) => message.origin === 'tool')
  const [first] = outside
  const ids = cited.length > 0 ? cited.map(({ message }) => message.id) : first ? [first.id] : []
  return { row: 'outside-rule', origin: 'tool', messageIds: [...new Set(ids)] }
}

const namesUnheard = ({ change, context }: Case): boolean => {
  const known = context.skill?.current === undefined ? new Set() : new Set(foreignAddresses(context.skill.current))
  const fresh = foreignAddresses(change.added.join('\n')).filter((address) => !known.has(address))
  if (fresh.length > MOST_ADDRESSES) return true
  const heard = context.transcript.map(normalisedMessage)
  return fresh.some((address) => !heard.some((text) => text.includes(address)))
}

const repeatsNotes = ({ change, context, notes }: Case): boolean => {
  if (notes?.length === 0) return false
  const known = specificTokens(context.skill?.current ?? '')
  const echoes = noteEcho(notes)
  return skillStatementsOf(change.added).some(({ text }) => {
    const { strong, numbers } = specificTokens(text)
    const fresh = [...strong, ...numbers].filter((token) => !known.strong.has(token) && !known.numbers.has(token))
    return echoes(contentWords(text), fresh)
  })
}

/** Is it about this conversation at all? A quote that stands in it says so, or the words. */
const isAtHand = ({ proposal: { evidence = [] }, change, context: { transcript, unattended } }: Case): boolean => {
  if (!unattended || standingQuotes(evidence, transcript).some(({ quote }) => contentWords(quote).size >= SUBSTANCE)) return true
  const words = contentWords(change.added.join('\n'))
  const said = new Set(transcript.flatMap((message) => [...wordsOfMessage(message)]))
  return [...words].filter((word) => said.has(word)).length >= AT_HAND * words.size
}

const aboutOf = ({ op }: SkillProposal, next: string): string =>
  `${op.name.replace(/[-_./]+/g, ' ')} ${/^description\s*:.*$/m.exec(next)?.[0] ?? ''}`

/** Text from outside is in sight: every new statement must have been said by the user, or by the agent before that text came. */
const judgeBehindOutside = (given: Case): Judgement => {
  const { proposal, context, change, notes } = given
  const { transcript } = context
  const citesTool = standingQuotes(proposal.evidence ?? [], transcript).some(({ message }) => message.origin === 'tool')
  const share = citesTool ? 1 : PLAIN
  const traced = traceSkill({ change, current: context.skill?.current, transcript, notes, share })
  if (!traced) return fromOutside(given)
  const isReordered = change.added.length === 0 && change.dropped.length === 0
  if (isReordered || !areDroppedWanted(change, transcript)) return sourceless('other-change', context)
  // What only lays the skill out was said by nobody.
  if (traced.messageIds.length === 0 && change.added.length > 0) return sourceless('no-evidence', context)
  const { origin, messageIds } = traced
  if (change.added.length === 0) return { row: 'asked-change', origin, messageIds }
  return { row: origin === 'user' ? 'user-said' : 'agent-note', origin, messageIds }
}

/** Nothing from outside was said here: there is nothing to launder, but for what is remembered. */
const judgeAmongOurselves = (given: Case, next: string): Judgement => {
  const { proposal, context, change } = given
  const { transcript } = context
  const traced = traceSkill({ change, current: context.skill?.current, transcript, notes: [], share: PLAIN })
  const isUsers = traced?.origin === 'user' && traced.messageIds.length > 0 && areDroppedWanted(change, transcript)
  if (isUsers) return { row: 'user-said', origin: 'user', messageIds: traced.messageIds }
  if (given.notes === undefined) return { row: 'notes-unread', origin: 'tool', messageIds: [] }
  if (repeatsNotes(given)) return fromOutside(given)
  if (namesUnheard(given)) return sourceless('no-evidence', context)
  const asked = findAskedSkill(aboutOf(proposal, next), transcript)
  if (asked) return { row: 'user-said', origin: 'user', messageIds: [asked.id] }
  return isAtHand(given)
    ? { row: 'agent-note', origin: 'assistant', messageIds: traced?.messageIds ?? [] }
    : sourceless('no-evidence', context)
}

const judgePuttingAway = (op: Extract<SkillOp, { action: 'remove_file' | 'archive' }>, context: GateContext): Judgement => {
  const { transcript, unattended } = context
  const asked = findAskedPuttingAway(op.action === 'archive' ? op.name : op.filePath, transcript)
  if (asked) return { row: 'asked-change', origin: 'user', messageIds: [asked.id] }
  const fromElsewhere = transcript.length === 0 || hasOutside(transcript)
  return unattended || fromElsewhere ? sourceless('other-change', context) : { row: 'agent-note', origin: 'assistant', messageIds: [] }
}

export const judgeSkill = (proposal: SkillProposal, context: GateContext): Judgement => {
  const { op } = proposal
  if (op.action === 'archive' || op.action === 'remove_file') return judgePuttingAway(op, context)
  const current = context.skill?.current
  const next = nextSkillText(op, current) ?? ''
  if (current !== undefined && sameLines(current, next)) return { row: 'merge', origin: 'assistant', messageIds: [] }
  if (context.transcript.length === 0) return sourceless('no-evidence', context)
  const { added, dropped } = changedLines(current, next)
  const change = { added: [...added, ...saidByPlace(op, current)], dropped }
  const given: Case = { proposal, context, change, notes: context.unread ? undefined : outsideNotes(context) }
  return hasOutside(context.transcript) ? judgeBehindOutside(given) : judgeAmongOurselves(given, next)
}
