/**
 * Whether a heading, a description or a name of a merged text only names what its skills are about. A label may be new; it must not bring a rule with it. Pure.
 */
import { contentSequence, contentWords } from '../text/content-words.ts'
import { instructionLike } from './instruction-like.ts'
import { type MergeSources, wordsOf } from './merge-sources.ts'
import { isText, type Statement } from './statement.ts'
import type { StatementToken } from './statement-tokens.ts'
import { SKILL_LAYOUT } from './trace-skill.ts'

/** Content words of a name with a word that no label of a source has. */
const MOST_WORDS = 4

/** Words for sections of any text. */
const SECTIONS = contentWords('common general shared both part parts section sections details rules commands warnings limits setup basics')

/** Prepositions that join the words of a label. */
const STOPS = new Set(['from', 'into', 'before', 'after', 'when', 'how', 'what', 'where', 'all', 'any', 'some', 'every'])

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

const addsNoOrder = (text: string, fresh: string, kind: LabelKind): boolean => instructionLike(kind === 'name' ? fresh : text) === undefined

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
