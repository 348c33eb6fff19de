/**
 * Finds the row of the evidence table for a skill change (DESIGN 5). A skill always instructs: it tells the agent what to do in every later session. Text
 * that was said after text from outside is attributed to that text, and the agent cannot raise its authority.
 */
import { MEMORY_TARGETS } from '../memory/memory-op.ts'
import type { SkillProposal } from '../proposal/review-proposal.ts'
import type { Transcript, TranscriptMessage } from '../proposal/transcript.ts'
import type { SkillOp } from '../skills/skill-op.ts'
import { contentSequence, contentWords, NEGATIONS, subjectWords } from '../text/content-words.ts'
import { normalisedMessage } from '../text/normalise-text.ts'
import { foreignAddresses, holdsToken } from '../text/specific-tokens.ts'
import { spend, WORK_LIMIT, withinLimit } from '../text/work-limit.ts'
import type { Finding } from './evidence-table.ts'
import { sightOf } from './judge-memory.ts'
import type { OwnSentence } from './own-sentences.ts'
import type { GateContext } from './review-gate.ts'
import { changedLines, type LineChange, nextSkillText, saidByPlace, sameLines } from './skill-text.ts'
import { SKILL_LAYOUT, sentencesOfUser, skillStatementsOf, tokensOf, traceSkill } from './trace-skill.ts'

// Whether the user asked for a skill, or for the removal of a skill or a line. Conservative: a request that is not recognised waits for a person.

/** Share of common words from which on a line counts as a rewording of another, or a sentence as being about a line. */
const SAME = 0.5

const rememberWords =
  /(?<!\p{L})(?:remember|keep in mind|save th(?:is|at)|make a note|take note|merk dir|merke|guarda|recuerda|lembr[ea]|retiens|ricorda|onthoud|запомни|zapamiętaj|hatırla)(?!\p{L})|记住|記住|覚えて|기억해/u
const skillWords = /(?<!\p{L})(?:skills?|playbook|runbook|how-?to|fähigkeit|habilidad|compétence|habilidade)(?!\p{L})|技能|スキル|스킬/u
const creationWords =
  /(?<!\p{L})(?:save|make|write|create|turn|store|keep|add|record|document|update|fix|patch|extend|change|improve|learn|capture|speicher\p{L}*|schreib\p{L}*|erstell\p{L}*|mach\p{L}*|aktualisier\p{L}*|crea\p{L}*|escribe|actualiza|enregistre\p{L}*|crée\p{L}*|écris|salva|salve|crie|aggiorna|maak|bewaar)(?!\p{L})|保存|创建|更新|作って|保存して|만들/u
const backReference =
  /(?<!\p{L})(?:this|that|it|das|dies|eso|esto|ça|cela|isso|isto|questo|dit|dat|это)(?!\p{L})|这|這|これ|それ|이것|그것/u
const noLongerWords =
  /(?<!\p{L})(?:no longer|not any ?more|any ?more|nicht mehr|ya no|ne plus|não mais|non più|niet meer|больше не)(?!\p{L})|不再|もう使/gu
const removalWords =
  /(?<!\p{L})(?:archive|retire|remove|delete|erase|drop|discard|forget|wrong|incorrect|outdated|obsolete|out of date|archivier\p{L}*|lösch\p{L}*|entfern\p{L}*|falsch|veraltet|archiva|borra|elimina|archivez?|supprimez?|efface|arquive|apagu?e|remova|archivia|cancella|rimuovi|verwijder|удали\p{L}*)(?!\p{L})|归档|删除|刪除|削除|アーカイブ|삭제/u

const negationsIn = (text: string): number => contentSequence(text).filter((word) => NEGATIONS.has(word)).length

/** With "no longer" and the like, which ask for a removal, as a word that is no negation. */
const asOutdated = (text: string): string => text.replace(noLongerWords, 'outdated')

/** The message in which the user asked to keep this as a skill, or to change the skill. */
export const findSkillRequest = (about: string, transcript: Transcript): TranscriptMessage | undefined => {
  const skill = subjectWords(about)
  const last = sentencesOfUser(transcript).findLast(({ text, words }) => {
    spend(300 + 50 * text.length)
    const isAbout = backReference.test(text) || words.some((word) => skill.has(word) && !SKILL_LAYOUT.has(word))
    return isAbout && (rememberWords.test(text) || (skillWords.test(text) && creationWords.test(text)))
  })
  return last && negationsIn(last.text) === 0 ? last.message : undefined
}

/** The message in which the user asked to remove this: `share` of its words must be named, and the last sentence about it counts. */
const findRequestToDrop = (what: string, share: number, sentences: readonly OwnSentence[]): TranscriptMessage | undefined => {
  const subject = subjectWords(what)
  if (subject.size === 0) return undefined
  const last = sentences.findLast(({ text, words }) => {
    spend(100 + 30 * words.length)
    const named = new Set(words.filter((word) => subject.has(word))).size
    return named >= share * subject.size && removalWords.test(asOutdated(text))
  })
  return last && negationsIn(asOutdated(last.text)) <= negationsIn(what) ? last.message : undefined
}

/** The same for a skill or a file, by its name. */
export const findRemovalRequest = (name: string, transcript: Transcript): TranscriptMessage | undefined =>
  findRequestToDrop(name.replace(/[-_./]/g, ' '), 1, sentencesOfUser(transcript))

/** True if each dropped line was reworded into a new one, losing only words that the user mentions, or if the user asked to remove it. */
export const areDropsRequested = ({ added, dropped }: LineChange, transcript: Transcript): boolean => {
  if (dropped.length === 0) return true
  const sentences = sentencesOfUser(transcript)
  const said = new Set(sentences.flatMap(({ text }) => contentSequence(text)))
  const fresh = added.map((line) => new Set(contentSequence(line)))
  const isReworded = (words: readonly string[]): boolean =>
    fresh.some((line) => {
      spend(60 * words.length)
      const lost = words.filter((word) => !line.has(word))
      return lost.length <= (1 - SAME) * words.length && lost.every((word) => said.has(word))
    })
  const lost = skillStatementsOf(dropped).filter(({ text }) => !isReworded(contentSequence(text)))
  return lost.every(({ text }) => findRequestToDrop(text, SAME, sentences) !== undefined)
}

/** Names no message, so it never appears in a reason. */
const NO_ID = ''

const messageOf = (text: string): TranscriptMessage => ({ id: NO_ID, role: 'tool', origin: 'tool', text })

/** Memory entries from outside, as messages to compare with: a note of one session must not become the agent's own conclusion in the next (DESIGN 5). */
const outsideNotes = ({ entries, origins }: Pick<GateContext, 'entries' | 'origins'>): Transcript =>
  MEMORY_TARGETS.flatMap((target) => (entries[target] ?? []).filter((entry) => origins?.[target]?.get(entry) === 'tool').map(messageOf))

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
