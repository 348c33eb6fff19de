/**
 * A statement of a skill as it is compared with others: by the tokens of its sentences that a faithful rewording keeps, in order. Words are without inflection,
 * articles and auxiliaries; negations in one form; numbers, code, addresses and paths exactly as written. A word that is on no list here counts. Pure.
 */
import { contentSequence, NEGATIONS, withoutEnding } from '../text/content-words.ts'
import { normaliseText } from '../text/normalise-text.ts'
import { TURNING } from './own-sentences.ts'

export interface StatementToken {
  readonly value: string
  /** A clause begins here. */
  readonly opens: boolean
  /** It negates or restricts. */
  readonly turns: boolean
}

const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

/** Words that a rewording may add or leave out. Not `from`, `if`, `or`, `under`, `may` and the like, which decide what a sentence says. */
const IGNORABLE = list(`
a an the this that these those is are was were be been being am has have had having do does did will would shall must should need needs it its they them
their we our us you your i me my there here so too also just very please of to at by for with as about on in which who
der die das den dem des ein eine einen einem einer ist sind bitte le la les un une du est sont el los las una es son il lo gli het een is zijn os um uma`)

/** Joins two clauses. */
const CONNECTIVES = list('and then und dann y luego et puis e poi en daarna и затем & + then,')

/** May be added or left out at the beginning of a sentence. */
const OPENERS = list('first firstly next finally lastly afterwards zuerst danach schließlich')

const NOT = '¬'

const sides = /^["'“”‘’«»([{*_]+|["'“”‘’«»)\]}*_.,;:!?…]+$/gu
const endsClause = /[,;:)\]|—–]$/u
const isDash = /^[-–—|•·…]+$/u
const isExactText = /[\p{N}/\\@$=<>{}^~|*+#%&_]|^--?\p{L}|\p{L}[.:]\p{L}/u
const counted = /^(\d+)-(\p{L}+)$/u
const piece = /`+([^`]+)`+\S*|\S+/gu

const plainWords = (text: string): readonly string[] =>
  normaliseText(text)
    .replace(/'s\b/g, '')
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

const fold = (word: string): string =>
  word === 'each' ? 'every' : word.replace(/^(\p{Script=Latin}+)$/u, withoutEnding).replace(/(?<=...)e$/, '')

type Read = Omit<StatementToken, 'opens'>

const exact = (value: string): Read => ({ value: `=${value.normalize('NFC')}`, turns: false })

const NEGATION: Read = { value: NOT, turns: true }

const stemOf = (word: string): string => contentSequence(word)[0] ?? ''

const readWords = (text: string): readonly Read[] => {
  // "don't" and the like.
  if (/['’]/.test(text) && contentSequence(text).some((word) => NEGATIONS.has(word))) return [NEGATION]
  return plainWords(text)
    .filter((word) => !IGNORABLE.has(word))
    .map((word) => (NEGATIONS.has(stemOf(word)) ? NEGATION : { value: fold(word), turns: TURNING.has(stemOf(word)) }))
}

const readPiece = (text: string): readonly Read[] => {
  const core = text.replace(sides, '')
  if (core === '' || isDash.test(core)) return []
  const count = counted.exec(core)
  if (count) return [exact(count[1] ?? ''), ...readWords(count[2] ?? '')]
  return isExactText.test(core) ? [exact(core)] : readWords(core)
}

/** Reads of one text, since skills repeat their words. */
export type TokenCache = Map<string, readonly Read[]>

export const tokensOfSentence = (sentence: string, cache: TokenCache): readonly StatementToken[] => {
  const tokens: StatementToken[] = []
  let opens = true
  for (const [text, code] of sentence.matchAll(piece)) {
    if (code === undefined && CONNECTIVES.has(text.toLowerCase())) {
      opens = true
      continue
    }
    if (code === undefined && tokens.length === 0 && OPENERS.has(text.toLowerCase().replace(/[,:]$/, ''))) continue
    const known = cache.get(text) ?? (code === undefined ? readPiece(text) : [exact(`\`${code.trim().replace(/\s+/g, ' ')}`)])
    cache.set(text, known)
    for (const read of known) {
      tokens.push({ ...read, opens })
      opens = false
    }
    if (endsClause.test(text)) opens = true
  }
  if (/[?？؟]\W*$/u.test(sentence) && tokens.length > 0) tokens.push({ value: '?', opens: false, turns: false })
  return tokens
}

export const keyOf = (tokens: readonly StatementToken[]): string => tokens.map(({ value }) => value).join(' ')

/** The same text apart from markup and case. */
const plainKeyOf = (sentence: string): string =>
  `plain ${sentence
    .replace(/[`*_"'“”‘’]/g, '')
    .replace(/[\s.,;:!]+$/u, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()}`

export interface Statement {
  readonly kind: 'prose' | 'heading' | 'code' | 'row'
  readonly text: string
  /** From 1. */
  readonly line: number
  readonly tokens: readonly StatementToken[]
  readonly key: string
  /** In an HTML comment. */
  readonly hidden: boolean
  /** Keys of the headings above it, the nearest first. */
  readonly headings: readonly string[]
  /** How many words in these headings negate or restrict. */
  readonly turnedBy: number
  /** The statement that introduces its list or code, or the item that it is below. */
  readonly lead: Statement | undefined
  /** For code: the sentence before it, if it negates or restricts. */
  readonly warning: Statement | undefined
  /** The ordered list or the code block that it is a step of. */
  readonly sequence: object | undefined
}

export const isText = ({ kind }: Pick<Statement, 'kind'>): boolean => kind === 'prose' || kind === 'heading'

/** Each line that is not blank as a line of code, for a file that is not Markdown. */
export const statementsOfCode = (text: string): readonly Statement[] => {
  const sequence = {}
  return text.split(/\r?\n/).flatMap((raw, index): Statement[] => {
    const line = raw.trimEnd()
    if (line === '') return []
    const shared = { tokens: [], hidden: false, headings: [], turnedBy: 0, lead: undefined, warning: undefined }
    return [{ kind: 'code', text: line, line: index + 1, key: `code ${line}`, sequence, ...shared }]
  })
}

/** The other forms of a statement by which it may be found. */
export const keysOf = (statement: Statement): readonly string[] =>
  isText(statement) ? [statement.key, plainKeyOf(statement.text)] : [statement.key]
