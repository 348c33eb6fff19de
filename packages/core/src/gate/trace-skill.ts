/**
 * Whose words is a skill's new text made of, in a conversation that holds text from outside? Each statement is traced alone, and the least trusted one decides: an
 * honest skill of a hundred lines does not make the line from a web page honest. Near-linear, and it ends at the first statement without a source.
 */
import type { Transcript } from '../proposal/transcript.ts'
import type { Origin } from '../shared/origin.ts'
import { isAskedRewrite } from './asked-rewrite.ts'
import { contentWords } from './content-words.ts'
import { coverWith } from './coverage.ts'
import { type InsideSentences, insideSentences, sentencesOfMessage, statementsOfUser, wantedOf } from './inside-sentences.ts'
import { normaliseText } from './normalise-text.ts'
import { sameSense } from './polarity.ts'
import { type NoteEcho, noteEcho } from './skill-notes.ts'
import { type SkillStatement, skillStatementsOf } from './skill-statements.ts'
import type { LineChange } from './skill-text.ts'
import { specificTokens } from './specific-tokens.ts'
import type { Sentence } from './statements.ts'
import { QUOTED } from './user-coverage.ts'

/** Longer than any sentence that somebody says. */
const MAX_STATEMENT_CHARS = 2_000
/** So many rewritten lines are looked at, and for each so many sentences that hold what is new in it. */
const MOST_REWRITES = 20
const MOST_REASONS = 10

export interface SkillTrace {
  readonly origin: Exclude<Origin, 'tool'>
  readonly messageIds: readonly string[]
}

export interface TraceQuery {
  readonly change: LineChange
  readonly current: string | undefined
  readonly transcript: Transcript
  /** Remembered notes from outside; undefined where they could not be read. */
  readonly notes: Transcript | undefined
  /** The part of a clause's words that must stand in one sentence. */
  readonly share: number
}

const tokensOf = (text: string): readonly string[] => {
  const { strong, numbers } = specificTokens(text)
  return [...strong, ...numbers]
}

/** What the agent and trusted tools said before the first text from outside. */
const beforeOutside = (transcript: Transcript): Transcript => {
  const first = transcript.findIndex(({ origin }) => origin === 'tool')
  return (first < 0 ? transcript : transcript.slice(0, first)).filter(({ origin }) => origin === 'assistant')
}

interface Sources {
  /** What the user stated. */
  readonly spoken: readonly Sentence[]
  readonly user: InsideSentences
  readonly agent: InsideSentences
  readonly echoes: NoteEcho
  /** Clauses, addresses, commands and numbers that stand in the skill already. */
  readonly standing: ReadonlySet<string>
}

const traceStatement = ({ text, clauses }: SkillStatement, sources: Sources, share: number): SkillTrace | undefined => {
  const { user, agent, echoes, standing } = sources
  if (text.length > MAX_STATEMENT_CHARS) return undefined
  const fresh = tokensOf(text).filter((token) => !standing.has(token))
  const messageIds: string[] = []
  let isUsers = fresh.every((token) => user.holds(token))
  for (const clause of clauses) {
    if (wantedOf(clause) === undefined || standing.has(normaliseText(clause))) continue
    const said = user.carrierOf(clause, text, share)
    const carrier = said ?? agent.carrierOf(clause, text, share)
    if (!carrier) return undefined
    messageIds.push(carrier.message.id)
    isUsers &&= said !== undefined
  }
  if (isUsers) return { origin: 'user', messageIds }
  const isInside = fresh.every((token) => user.holds(token) || agent.holds(token)) && !echoes(contentWords(text), fresh)
  return isInside ? { origin: 'assistant', messageIds } : undefined
}

/** The message in which the user asked for what is new in a line, in one sentence about it; it may forbid no less than before. */
const findAskedLine = (line: string, { change }: TraceQuery, { user, spoken }: Sources): readonly string[] | undefined => {
  const words = contentWords(line)
  const old = change.dropped.find((dropped) => coverWith(contentWords(dropped), words).share >= QUOTED)
  if (old === undefined) return undefined
  const before = contentWords(old)
  const added = [...words].filter((word) => !before.has(word))
  const known = new Set(tokensOf(old))
  const reasons = spoken
    .filter(({ words: said }) => added.every((word) => said.has(word)))
    .slice(0, MOST_REASONS)
    .map(({ message, text }) => ({ ...message, text }))
  const isHis = added.length > 0 && tokensOf(line).every((token) => known.has(token) || user.holds(token))
  return isHis && sameSense(old, line) && isAskedRewrite(old, line, reasons) ? reasons.slice(0, 1).map(({ id }) => id) : undefined
}

const standingIn = (current: string | undefined): ReadonlySet<string> => {
  if (current === undefined) return new Set()
  const clauses = skillStatementsOf(current.split('\n')).flatMap(({ clauses }) => clauses.map(normaliseText))
  return new Set([...clauses, ...tokensOf(current)])
}

/** Undefined where a statement comes from nowhere but the text from outside, as far as anybody can tell. */
export const traceSkill = (query: TraceQuery): SkillTrace | undefined => {
  const { change, current, transcript, notes, share } = query
  const spoken = statementsOfUser(transcript)
  const user = insideSentences(spoken)
  const agent = insideSentences(beforeOutside(transcript).flatMap(sentencesOfMessage), user.words)
  const sources: Sources = { spoken, user, agent, echoes: noteEcho(notes), standing: standingIn(current) }
  const ids = new Set<string>()
  let origin: SkillTrace['origin'] = 'user'
  let rewrites = 0
  for (const line of change.added) {
    for (const statement of skillStatementsOf([line])) {
      const traced = traceStatement(statement, sources, share)
      const asked = traced || ++rewrites > MOST_REWRITES ? undefined : findAskedLine(line, query, sources)
      const messageIds = traced?.messageIds ?? asked
      if (messageIds === undefined) return undefined
      if (traced?.origin === 'assistant') origin = 'assistant'
      for (const id of messageIds) ids.add(id)
    }
  }
  return { origin, messageIds: [...ids].slice(0, 5) }
}
