/**
 * Determines the origin of a skill's new text in a conversation that contains text from outside. Each statement is traced alone, and the least trusted one
 * decides, so that honest lines cannot vouch for a line from a web page. A statement is traced if it occurs word for word (apart from inflection and stop
 * words) in one sentence of the user, or of the agent before that text.
 */
import type { Transcript } from '../proposal/transcript.ts'
import type { Origin } from '../shared/origin.ts'
import { contentSequence, contentWords } from '../text/content-words.ts'
import { sentencesOf } from '../text/sentences.ts'
import { holdsToken, specificTokens } from '../text/specific-tokens.ts'
import { spend } from '../text/work-limit.ts'
import { type OwnSentence, ownSentences, TURNING } from './own-sentences.ts'

interface SkillStatement {
  readonly text: string
  readonly clauses: readonly string[]
  /** True for a name, a description or a heading; false for a step. */
  readonly isLabel: boolean
}

const label = /^\s*(?:#{1,6}\s|(?:name|description)\s*:)/
const marker = /^(?:>\s*|(?:[-*+]|\d{1,3}[.)]|#{1,6})\s+(?:\[[ x]\]\s+)?)+/i
/** The name of a language after the ticks is short; longer text is a statement. */
const fence = /^(?:-{3,}|\.{3}|={3,}|[`~]{3,}[\p{L}\p{N}_+#-]{0,12})$/u
const key = /^(?:name|description)\s*:\s*/
/** A line that makes no statement. */
const bookkeeping = /^version\s*:\s*["']?[\d.]{1,20}["']?$/
const clauseEnd =
  /(?<![,;:()[\]|–—])[,;:()[\]|–—]+(?=\s|$)|[，、；：（）]|(?:&&|\|\|)|(?<=\s)(?:and|then|und|dann|y|luego|et|puis|e|poi|en|daarna|и|затем)(?=\s)/u

/** Words used to lay out any skill. None of them orders, allows or forbids anything. */
export const SKILL_LAYOUT: ReadonlySet<string> = contentWords(
  `skill skills name description category metadata overview usage use used uses using purpose goal summary introduction background context when
  step steps procedure procedures workflow process checklist guide prerequisites prerequisite notes note example examples pitfalls
  tips verification references reference first second third next finally finish`,
)
/** As verbs these words oblige, so they count as layout only if they stand alone. */
const heading = /^(?:requirements?|the following|following)[^\p{L}]*$/iu

/** "Run `pnpm test`" counts as the command. */
const runs = /^(?:run|use|call|execute)\s+(?=`)/i

const clausesOf = (text: string): readonly string[] =>
  text
    .split(clauseEnd)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '')

/** The statements of a skill's text, each to be traced: its sentences without markdown and front matter. */
export const skillStatementsOf = (lines: readonly string[]): readonly SkillStatement[] =>
  lines.flatMap((line) => {
    const text = line.trim().replace(marker, '').replace(key, '').replace(runs, '')
    if (fence.test(text) || bookkeeping.test(text) || heading.test(text)) return []
    const sentences = sentencesOf(text)
    spend(1_500 * sentences.length + 10 * line.length)
    return sentences.map((sentence) => ({ text: sentence, clauses: clausesOf(sentence), isLabel: label.test(line) }))
  })

/** Characters that occur in code, but not in headings or tables. */
const code = /[$&;<>{}\\%^~@`]/
/** Maximum number of sentences compared with a statement: those that contain its rarest word. */
const MOST_CANDIDATES = 100

export interface SkillTrace {
  readonly origin: Exclude<Origin, 'tool'>
  readonly messageIds: readonly string[]
}

export interface TraceQuery {
  readonly added: readonly string[]
  readonly current: string | undefined
  readonly transcript: Transcript
}

export const tokensOf = (text: string): readonly string[] => {
  const { strong, numbers } = specificTokens(text)
  return [...strong, ...numbers]
}

export const sentencesOfUser = (transcript: Transcript): readonly OwnSentence[] =>
  transcript.filter(({ origin }) => origin === 'user').flatMap(ownSentences)

/** What the agent and trusted tools said before the first text from outside; later words are stamped as `tool`. */
const sentencesOfAgent = (transcript: Transcript): readonly OwnSentence[] =>
  transcript.filter(({ origin }) => origin === 'assistant').flatMap(ownSentences)

const isLayout = (word: string): boolean => SKILL_LAYOUT.has(word)
/** Key of a clause, independent of its position in a sentence. */
const keyOf = (clause: string): string => clause.replace(/[.!?]+$/, '').toLowerCase()
const joined = (words: readonly string[]): string => ` ${words.join(' ')} `

/** True if the sentence contains all words in order, with nothing in between. */
const saysRun = ({ words }: OwnSentence, wanted: readonly string[]): boolean => {
  spend(60 * (words.length + wanted.length))
  return joined(words).includes(joined(wanted))
}

/** The same for a label, which may name its subject in any order: of the clauses that it takes words from, at most one may be used in part. */
const namesRun = ({ clauses }: OwnSentence, wanted: readonly string[]): boolean => {
  const all = new Set(wanted.filter((word) => !isLayout(word)))
  const content = clauses.map((clause) => clause.filter((word) => !isLayout(word)))
  const isPart = (clause: readonly string[]): boolean => clause.some((word) => all.has(word)) && !clause.every((word) => all.has(word))
  if (content.filter(isPart).length > 1) return false
  let run = new Set<string>()
  return content.flat().some((word) => {
    spend(60)
    run = all.has(word) ? run.add(word) : new Set()
    return run.size === all.size
  })
}

const carries = (sentence: OwnSentence, { text, clauses, isLabel }: SkillStatement, tokens: readonly string[]): boolean => {
  const whole = contentSequence(text)
  const turning = new Set(whole.filter((word) => TURNING.has(word)))
  if (sentence.words.some((word) => TURNING.has(word) && !turning.has(word))) return false
  if (!tokens.every((token) => holdsToken(sentence.text, token))) return false
  const says = (part: string): boolean => (isLabel ? namesRun : saysRun)(sentence, contentSequence(part))
  // "Never open and lock": a negated statement is not split.
  return says(text) || (turning.size === 0 && clauses.every(says))
}

type Find = (statement: SkillStatement, tokens: readonly string[]) => OwnSentence | undefined

const findIn = (sentences: readonly OwnSentence[]): Find => {
  const index = new Map<string, OwnSentence[]>()
  for (const sentence of sentences) {
    spend(1_500 + 150 * sentence.words.length)
    for (const word of new Set(sentence.words)) {
      const list = index.get(word)
      if (list) list.push(sentence)
      else index.set(word, [sentence])
    }
  }
  return (statement, tokens) => {
    const words = contentSequence(statement.text).filter((word) => !(statement.isLabel && isLayout(word)))
    const lists = words.map((word) => index.get(word) ?? [])
    const rarest = lists.reduce((least, list) => (list.length < least.length ? list : least), sentences)
    return rarest.slice(0, MOST_CANDIDATES).find((sentence) => carries(sentence, statement, tokens))
  }
}

/** Undefined if a statement has no known source except the text from outside. */
export const traceSkill = ({ added, current = '', transcript }: TraceQuery): SkillTrace | undefined => {
  const known = new Set(tokensOf(current))
  const findUsers = findIn(sentencesOfUser(transcript))
  const findAgents = findIn(sentencesOfAgent(transcript))
  const standing = new Set(skillStatementsOf(current.split('\n')).flatMap(({ clauses }) => clauses.map(keyOf)))
  const ids = new Set<string>()
  let origin: SkillTrace['origin'] = 'user'
  for (const statement of skillStatementsOf(added)) {
    const clauses = statement.clauses.filter((clause) => !standing.has(keyOf(clause)))
    if (clauses.length === 0) continue
    const words = contentSequence(statement.text)
    const tokens = tokensOf(statement.text).filter((token) => !known.has(token))
    if (tokens.length === 0 && words.every(isLayout) && !code.test(statement.text)) continue
    // "Never:" alone would match any sentence that forbids something.
    if (words.every((word) => TURNING.has(word))) return undefined
    const isAllNew = clauses.length === statement.clauses.length || words.some((word) => TURNING.has(word))
    const fresh = isAllNew ? statement : { ...statement, clauses, text: clauses.join(', ') }
    const users = findUsers(fresh, tokens)
    const carrier = users ?? findAgents(fresh, tokens)
    if (!carrier) return undefined
    if (!users) origin = 'assistant'
    ids.add(carrier.message.id)
  }
  return { origin, messageIds: [...ids].slice(0, 5) }
}
