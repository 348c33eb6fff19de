/**
 * Finds the row of the evidence table for a skill change (DESIGN 5). A skill always instructs: it tells the agent what to do in every later session. Text
 * that was said after text from outside is attributed to that text, and the agent cannot raise its authority.
 */

import { MEMORY_TARGETS } from '../memory/memory-op.ts'
import type { SkillProposal } from '../proposal/review-proposal.ts'
import type { Transcript, TranscriptMessage } from '../proposal/transcript.ts'
import type { SkillOp } from '../skills/skill-op.ts'
import { contentWords } from '../text/content-words.ts'
import { normalisedMessage } from '../text/normalise-text.ts'
import { foreignAddresses, holdsToken } from '../text/specific-tokens.ts'
import { spend, WORK_LIMIT, withinLimit } from '../text/work-limit.ts'
import type { Finding } from './evidence-table.ts'
import { sightOf } from './judge-memory.ts'
import type { GateContext } from './review-gate.ts'
import { saidByPlace } from './skill-place.ts'
import { changedLines, type LineChange, nextSkillText, sameLines } from './skill-text.ts'
import { areDropsRequested, findRemovalRequest, findSkillRequest } from './skill-wishes.ts'
import { skillStatementsOf, tokensOf, traceSkill } from './trace-skill.ts'

/** Names no message, so it never appears in a reason. */
const NO_ID = ''

const messageOf = (text: string): TranscriptMessage => ({ id: NO_ID, role: 'tool', origin: 'tool', text })

/** Memory entries from outside, as messages to compare with: a note of one session must not become the agent's own conclusion in the next (DESIGN 5). */
const outsideNotes = ({ entries, origins }: Pick<GateContext, 'entries' | 'origins'>): Transcript =>
  MEMORY_TARGETS.flatMap((target) => entries[target].filter((entry) => origins?.[target].get(entry) === 'tool').map(messageOf))

/** A statement repeats a note if both share at least `SUBSTANCE` words, and this part of the shorter one's words. */
const CARRIED = 0.5
const SUBSTANCE = 2

/** True if a note repeats the statement. Called with its words, and with its addresses and commands. */
type NoteEcho = (words: ReadonlySet<string>, tokens: readonly string[]) => boolean

/** `undefined`: the notes could not be read, so any statement may repeat one. */
const noteEcho = (notes: Transcript | undefined): NoteEcho => {
  if (notes === undefined) return () => true
  const known = notes.map((note) => ({ text: normalisedMessage(note), words: contentWords(note.text) }))
  return (words, tokens) =>
    known.some((note) => {
      const shared = [...words].filter((word) => note.words.has(word)).length
      if (shared >= SUBSTANCE && shared >= CARRIED * Math.min(words.size, note.words.size)) return true
      return tokens.some((token) => holdsToken(note.text, token))
    })
}

/** Limit for comparing statement by statement, in rough nanoseconds as in `work-limit.ts`: about 5,000 characters of new text. */
const SKILL_WORK = 8_000_000
const MOST_LINES = 4_000

interface Case {
  readonly proposal: SkillProposal
  readonly context: GateContext
  readonly change: LineChange
  /** Remembered notes from outside; undefined if they could not be read. */
  readonly notes: Transcript | undefined
}

const isShort = (text: string): boolean => text.split('\n', MOST_LINES + 1).length <= MOST_LINES

/** False for a reviewer that was shown only own words, although it sees placeholders for other text. */
const hasOutside = (context: GateContext): boolean => sightOf(context) === 'outside'

/** The source is unknown: gets the authority of the least trusted text in sight. */
const sourceless = (row: 'no-evidence' | 'other-change', context: GateContext): Finding => ({
  row,
  origin: hasOutside(context) ? 'tool' : 'assistant',
  messageIds: [],
})

/** Names the messages from outside that the proposal cites, or else the first one. */
const fromOutside = ({ context: { transcript }, proposal: { evidence = [] } }: Case): Finding => {
  const outside = transcript.filter(({ origin }) => origin === 'tool').map(({ id }) => id)
  const cited = outside.filter((id) => evidence.some(({ messageId }) => messageId === id))
  return { row: 'outside-rule', origin: 'tool', messageIds: cited.length > 0 ? cited : outside.slice(0, 1) }
}

const namesUnknownAddress = ({ change, context }: Case): boolean => {
  const known = new Set(foreignAddresses(context.skill?.current ?? ''))
  const fresh = foreignAddresses(change.added.join('\n')).filter((address) => !known.has(address))
  const messages = context.transcript.map(normalisedMessage)
  spend(fresh.length * messages.reduce((sum, text) => sum + text.length, 0))
  return fresh.some((address) => !messages.some((text) => text.includes(address)))
}

const repeatsNotes = ({ change, context, notes }: Case): boolean => {
  if (notes?.length === 0) return false
  const known = new Set(tokensOf(context.skill?.current ?? ''))
  const echoes = noteEcho(notes)
  return skillStatementsOf(change.added).some(({ text }) => {
    const tokens = tokensOf(text).filter((token) => !known.has(token))
    return echoes(contentWords(text), tokens)
  })
}

const aboutOf = ({ op }: SkillProposal, next: string): string =>
  `${op.name.replace(/[-_./]+/g, ' ')} ${/^description\s*:.*$/m.exec(next)?.[0] ?? ''}`

/** Text from outside is in sight: every new statement must have been said by the user, or by the agent before that text. */
const judgeAfterOutside = (given: Case): Finding => {
  const { context, change } = given
  const { transcript } = context
  const { added, dropped } = change
  const traced = traceSkill({ added, current: context.skill?.current, transcript })
  if (!traced || (traced.origin === 'assistant' && repeatsNotes(given))) return fromOutside(given)
  const isReordered = added.length === 0 && dropped.length === 0
  if (isReordered || !areDropsRequested(change, transcript)) return sourceless('other-change', context)
  // Lines that are only layout have no source.
  if (traced.messageIds.length === 0 && added.length > 0) return sourceless('no-evidence', context)
  const { origin, messageIds } = traced
  if (added.length === 0) return { row: 'asked-change', origin, messageIds }
  return { row: origin === 'user' ? 'user-said' : 'agent-note', origin, messageIds }
}

/** No text from outside is in the conversation: checks remembered notes, and addresses that no message contains. */
const judgeWithoutOutside = (given: Case, next: string): Finding => {
  const { proposal, context, change } = given
  const { transcript } = context
  const query = { added: change.added, current: context.skill?.current, transcript }
  // A text that is too long to trace counts as the agent's note, or as requested.
  const traced = withinLimit(transcript, () => traceSkill(query), SKILL_WORK)?.value
  const isFromUser = traced?.origin === 'user' && traced.messageIds.length > 0 && areDropsRequested(change, transcript)
  if (isFromUser) return { row: 'user-said', origin: 'user', messageIds: traced.messageIds }
  if (given.notes === undefined) return { row: 'notes-unread', origin: 'tool', messageIds: [] }
  if (repeatsNotes(given)) return fromOutside(given)
  if (namesUnknownAddress(given)) return sourceless('no-evidence', context)
  const request = findSkillRequest(aboutOf(proposal, next), transcript)
  if (request) return { row: 'user-said', origin: 'user', messageIds: [request.id] }
  return { row: 'agent-note', origin: 'assistant', messageIds: traced?.messageIds ?? [] }
}

const judgeRemoval = (op: Extract<SkillOp, { action: 'remove_file' | 'archive' }>, context: GateContext): Finding => {
  const { transcript, unattended } = context
  const request = findRemovalRequest(op.action === 'archive' ? op.name : op.filePath, transcript)
  if (request) return { row: 'asked-change', origin: 'user', messageIds: [request.id] }
  const fromElsewhere = transcript.length === 0 || hasOutside(context)
  return unattended || fromElsewhere ? sourceless('other-change', context) : { row: 'agent-note', origin: 'assistant', messageIds: [] }
}

export const judgeSkill = (proposal: SkillProposal, context: GateContext): Finding => {
  const { op } = proposal
  if (op.action === 'archive' || op.action === 'remove_file') return judgeRemoval(op, context)
  const current = context.skill?.current
  const next = nextSkillText(op, current)
  if (!isShort(current ?? '') || !isShort(next)) spend(WORK_LIMIT + 1)
  if (current !== undefined && sameLines(current, next)) return { row: 'merge', origin: 'assistant', messageIds: [] }
  if (context.transcript.length === 0) return sourceless('no-evidence', context)
  const { added, dropped } = changedLines(current, next)
  const change = { added: [...added, ...saidByPlace(op, current)], dropped }
  const isOutside = hasOutside(context)
  // If only own words are shown, notes from outside are not shown either.
  const notes = context.sight === 'own' ? [] : context.unread ? undefined : outsideNotes(context)
  const given: Case = { proposal, context, change, notes }
  if (isOutside || notes?.length !== 0) spend(WORK_LIMIT - SKILL_WORK)
  return isOutside ? judgeAfterOutside(given) : judgeWithoutOutside(given, next)
}
