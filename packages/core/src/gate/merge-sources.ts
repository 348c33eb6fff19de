/**
 * The statements of the skills that are merged, found by what they say, the words that name what these skills are about, and the labels of a merged text: a
 * heading, a description or a name that only names its subject may be new; it must not bring a rule with it. Pure.
 */
import { pause } from '../shared/pause.ts'
import { splitSkillText } from '../skills/front-matter.ts'
import { parseSkillDocument } from '../skills/parse-skill-document.ts'
import { contentSequence, contentWords } from '../text/content-words.ts'
import { instructionLike } from './instruction-like.ts'
import { statementsOfMarkdown } from './markdown-statements.ts'
import { isText, keysOf, type Statement, type StatementToken, type TokenCache, tokensOfSentence } from './statement.ts'
import { SKILL_LAYOUT } from './trace-skill.ts'

/** A name or a path as words. */
export const toWords = (name: string): string => name.replace(/[-_./]+/g, ' ').trim()

/** A SKILL.md in parts. */
export interface SkillParts {
  readonly name: string
  readonly description: string
  /** Each key of the front matter with its lines, trimmed. */
  readonly fields: ReadonlyMap<string, string>
  readonly statements: readonly Statement[]
  /** The description, sentence by sentence. */
  readonly about: readonly Statement[]
}

const fieldLine = /^([\p{L}\p{N}_-]+)\s*:/u

const fieldsOf = (yaml: string): ReadonlyMap<string, string> => {
  const fields = new Map<string, string>()
  let key = ''
  for (const line of yaml.split(/\r?\n/)) {
    key = fieldLine.exec(line)?.[1] ?? key
    if (line.trim() !== '') fields.set(key, `${fields.get(key) ?? ''}\n${line.trim()}`.trim())
  }
  return fields
}

const lineCount = (text: string): number => text.split(/\r\n|[\n\r]/).length

export const readSkillParts = (text: string, cache: TokenCache): SkillParts => {
  const { marks, opening, yaml, closing, body } = splitSkillText(text)
  const { name, description } = parseSkillDocument(text, { folderName: 'skill' })
  const before = `${marks}${opening}${yaml}${closing}`
  return {
    name,
    description,
    fields: fieldsOf(yaml),
    statements: statementsOfMarkdown(body, cache, lineCount(before)),
    about: statementsOfMarkdown(description.replace(/\s+/g, ' '), cache),
  }
}

const known = new WeakMap<Statement, ReadonlySet<string>>()

/** The content words of a statement. */
export const wordsOf = (statement: Statement): ReadonlySet<string> => {
  const words = known.get(statement) ?? contentWords(statement.text)
  known.set(statement, words)
  return words
}

/** A statement of a source, with its place. */
export interface Occurrence {
  readonly statement: Statement
  /** The source it is in. */
  readonly source: number
  /** Its place in the order of the source; undefined for a description, which may stand anywhere. */
  readonly at: number | undefined
}

export interface MergeSources {
  readonly find: (key: string) => readonly Occurrence[]
  readonly all: readonly Occurrence[]
  readonly parts: readonly SkillParts[]
  /** For each source the tokens of its name, its description and its headings. */
  readonly labels: readonly ReadonlySet<string>[]
}

/** `texts`: each source as it is, and with its links as the merged text has them. */
export const readSources = async (texts: readonly (readonly string[])[], cache: TokenCache): Promise<MergeSources> => {
  const all: Occurrence[] = []
  const parts: SkillParts[] = []
  const index = new Map<string, Set<Occurrence>>()
  const add = (statement: Statement, occurrence: Occurrence): void => {
    for (const key of keysOf(statement)) index.set(key, (index.get(key) ?? new Set()).add(occurrence))
  }
  for (const [source, [text = '', ...others]] of texts.entries()) {
    await pause()
    const read = readSkillParts(text, cache)
    parts.push(read)
    const placed = read.statements.map((statement, at) => ({ statement, source, at }))
    for (const occurrence of [...read.about.map((statement) => ({ statement, source, at: undefined })), ...placed]) {
      all.push(occurrence)
      add(occurrence.statement, occurrence)
    }
    // Only paths differ, so the statements are the same ones in other words.
    for (const other of others.filter((each) => each !== text)) {
      const { statements } = readSkillParts(other, cache)
      if (statements.length !== placed.length) continue
      for (const [at, occurrence] of placed.entries()) add(statements[at] ?? occurrence.statement, occurrence)
    }
  }
  const labels = parts.map(({ name, about, statements }): ReadonlySet<string> => {
    const headings = statements.filter(({ kind }) => kind === 'heading')
    const tokens = [...about, ...headings].flatMap((label) => label.tokens)
    return new Set([...tokens, ...tokensOfSentence(toWords(name), cache)].map(({ value }) => value))
  })
  return {
    find: (key) => (key === '' ? [] : [...(index.get(key) ?? [])]),
    all,
    parts,
    labels,
  }
}

/** Content words of a name with a word that no label of a source has. */
const MOST_WORDS = 4

/** Words for sections of any text. */
const SECTIONS = contentWords('common general shared both part parts section sections details rules commands warnings limits setup basics')

/** Prepositions that join the words of a label. */
const STOPS = new Set(['from', 'into', 'when', 'how', 'what', 'any'])

/** "Stale ones" names what the label named before. */
const ONES = 'one'

const turns = ({ tokens }: Statement): boolean => tokens.some((token) => token.turns)

const holdsAll = (statement: Statement, words: readonly string[]): boolean => {
  const said = wordsOf(statement)
  return words.every((word) => said.has(word))
}

/** The words stand together only in what a source forbids or restricts. */
const dropsNegation = (words: readonly string[], { all }: MergeSources): boolean => {
  if (words.length < 2) return false
  const holding = all.filter(({ statement }) => isText(statement) && holdsAll(statement, words))
  return holding.length > 0 && holding.every(({ statement }) => turns(statement) || statement.turnedBy > 0)
}

/** In a label they only list. */
const ALTERNATIVES = new Set(['or', 'oder', 'ou'])

const clausesOf = (tokens: readonly StatementToken[]): readonly (readonly string[])[] => {
  const clauses: string[][] = []
  for (const { value, opens } of tokens) {
    const lists = ALTERNATIVES.has(value)
    if (opens || lists) clauses.push([])
    if (!lists) clauses.at(-1)?.push(value)
  }
  return clauses
}

/** For each word of the label, the clause of the source that it is in. */
const clauseOrder = (values: readonly string[], tokens: readonly StatementToken[]): readonly number[] => {
  const clauses = clausesOf(tokens)
  return values.map((value) => clauses.findIndex((clause) => clause.includes(value))).filter((at) => at >= 0)
}

const isAscending = (order: readonly number[]): boolean => order.every((at, index) => index === 0 || (order[index - 1] ?? 0) <= at)

/** It names the steps of a source's description or heading in another order. */
const reorders = (tokens: readonly StatementToken[], { all }: MergeSources): boolean => {
  const values = tokens.map(({ value }) => value)
  const orders = all
    .filter(({ statement: { kind }, at }) => at === undefined || kind === 'heading')
    .map(({ statement }) => clauseOrder(values, statement.tokens))
    .filter((order) => new Set(order).size > 1)
  return orders.length > 0 && !orders.some(isAscending)
}

/** Free of the words that any skill may have in its headings. */
const saidBy = (tokens: readonly StatementToken[], besides: ReadonlySet<string>): readonly (readonly string[])[] =>
  clausesOf(tokens).map((clause) => clause.filter((value) => value !== ONES && !besides.has(value) && !isLayout(value)))

const isLayout = (value: string): boolean => {
  const [stem = ''] = contentSequence(value)
  return stem === '' ? /^[\p{L}\p{M}]+$/u.test(value) && STOPS.has(value) : SKILL_LAYOUT.has(stem) || SECTIONS.has(stem)
}

/** The only source that the heading names, if there is one among several. */
export const sourceNamedBy = (headingKey: string, { labels }: MergeSources): number | undefined => {
  const words = headingKey.split(' ').filter((value) => !isLayout(value))
  const named = labels.flatMap((label, source) => (words.every((word) => label.has(word)) ? [source] : []))
  return words.length > 0 && named.length === 1 && labels.length > 1 ? named[0] : undefined
}

/** Of a name only the new word counts, as it is written. */
const addsNoOrder = (text: string, fresh: string, kind: LabelKind): boolean => {
  const isFresh = (word: string): boolean => tokensOfSentence(word, new Map()).some(({ value }) => value === fresh)
  const added = kind === 'name' ? text.split(/\s+/).filter(isFresh) : [text]
  return added.every((each) => instructionLike(each) === undefined)
}

/** A name may have one word that no label of a source has, and a heading may be such a word. */
export type LabelKind = 'heading' | 'name' | 'description'

/** Each clause of it has the words of the labels of one source. `besides`: further words that count as known. */
export const isLabel = (
  text: string,
  tokens: readonly StatementToken[],
  sources: MergeSources,
  kind: LabelKind,
  besides: ReadonlySet<string> = new Set(),
): boolean => {
  if (tokens.some((token) => token.turns || token.value === '?')) return false
  const clauses = saidBy(tokens, besides)
  const words = [...new Set(clauses.flat())]
  const [fresh, ...more] = words.filter((word) => !sources.labels.some((label) => label.has(word)))
  const mayAdd = more.length === 0 && (kind === 'name' ? words.length <= MOST_WORDS : kind === 'heading' && words.length === 1)
  if (fresh !== undefined && !(mayAdd && /^\p{L}+$/u.test(fresh) && addsNoOrder(text, fresh, kind))) return false
  const isOf = (label: ReadonlySet<string>, clause: readonly string[]): boolean => clause.every((word) => word === fresh || label.has(word))
  if (!clauses.every((clause) => sources.labels.some((label) => isOf(label, clause)))) return false
  return (
    !dropsNegation(
      [...new Set(contentSequence(text))].filter((word) => word !== ONES && !SKILL_LAYOUT.has(word)),
      sources,
    ) && !reorders(tokens, sources)
  )
}
