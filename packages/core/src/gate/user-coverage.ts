/** How much of a statement the user's own statements carry: the sentences he spoke, not his questions and not what he told of others. */
import type { Transcript } from '../proposal/transcript.ts'
import { contentWords, subjectWords } from './content-words.ts'
import { type Coverage, coverByAny, coverByFew, coverWith, NO_COVERAGE } from './coverage.ts'
import { exchangesVerb } from './exchanged-verb.ts'
import { normaliseText } from './normalise-text.ts'
import { sameSense } from './polarity.ts'
import { wordsTogether } from './said-together.ts'
import { sentencesOf } from './sentences.ts'
import type { StandingQuote } from './standing-quotes.ts'
import { onlyStatements, type Sentence, statementsOf } from './statements.ts'
import { spend } from './work-limit.ts'

/** The user said it plainly: so many of its words are his own that a document saying the same takes nothing away. */
export const PLAIN = 0.75
/** So many of its words stand in a quote that it may count as the source. */
export const QUOTED = 0.5
/** A statement may be pieced together from so many messages of the user. */
const FEW = 3

/** A quote, or the part of it, that stands in one of the user's statements. */
export interface OwnQuote extends StandingQuote {
  readonly sentence: Sentence
}

export interface UserCoverage extends Coverage {
  readonly quoted: boolean
  readonly quotes: readonly OwnQuote[]
  /** The user speaks of the same thing and says the opposite, or, behind text from outside, that something else be done with it. */
  readonly contradicted: boolean
  /** One of his sentences holds more of its words than it says together. Only asked where text from outside is in sight. */
  readonly scattered: boolean
  /** His statements that do not say the opposite. */
  readonly agreeing: readonly Sentence[]
}

export interface UserCoverageQuery {
  readonly text: string
  readonly wanted: ReadonlySet<string>
  readonly quotes: readonly StandingQuote[]
  /** Messages of the user. */
  readonly messages: Transcript
  /**
   * Text from outside is in sight: one sentence of the user's must carry the statement then, for his words of many sentences can be put together into
   * whatever that text wants said.
   */
  readonly strict: boolean
}

const ownQuotes = (quotes: readonly StandingQuote[], sentences: readonly Sentence[]): readonly OwnQuote[] =>
  quotes.flatMap(({ message, quote }) =>
    sentencesOf(quote).flatMap((piece) => {
      const normal = normaliseText(piece)
      return sentences.flatMap((sentence): OwnQuote[] => {
        if (sentence.message !== message || normal === '') return []
        if (sentence.normal.includes(normal)) return [{ message, quote: piece, sentence }]
        return normal.includes(sentence.normal) ? [{ message, quote: sentence.text, sentence }] : []
      })
    }),
  )

const coverBySentences = (wanted: ReadonlySet<string>, statement: ReadonlySet<string>, sentences: readonly Sentence[]): Coverage =>
  sentences.reduce<Coverage>((best, sentence) => {
    if (coverWith(wanted, sentence.words).share <= best.share) return best
    const next = coverWith(wanted, wordsTogether(wanted, statement, sentence))
    return next.share > best.share ? { ...next, message: sentence.message } : best
  }, NO_COVERAGE)

const isScattered = (wanted: ReadonlySet<string>, statement: ReadonlySet<string>, sentences: readonly Sentence[]): boolean => {
  const most = Math.max(0, ...sentences.map(({ words }) => coverWith(wanted, words).share))
  return coverBySentences(wanted, statement, sentences).share < most
}

const aboutTheSame = (subject: ReadonlySet<string>, { words }: Sentence): boolean =>
  subject.size > 0 && coverWith(subject, words).share >= QUOTED

export const coverByUser = ({ text, wanted, quotes, messages, strict }: UserCoverageQuery): UserCoverage => {
  const sentences = messages.flatMap(statementsOf)
  spend(150 * sentences.length)
  const agreeing = sentences.filter((sentence) => sameSense(text, sentence.text))
  const subject = subjectWords(text)
  const close = sentences.filter((sentence) => aboutTheSame(subject, sentence))
  const statement = contentWords(text)
  const exchanged =
    strict &&
    exchangesVerb(
      statement,
      close.map(({ words }) => words),
    )
  const contradicted = exchanged || (close.length > 0 && !close.some((sentence) => agreeing.includes(sentence)))
  const own = ownQuotes(quotes, sentences)
  const scattered = strict && isScattered(wanted, statement, agreeing)
  const shared = { quotes: own, contradicted, scattered, agreeing }
  if (contradicted) return { ...NO_COVERAGE, ...shared, quoted: false }
  const said = messages.map(onlyStatements)
  const pieced = strict ? NO_COVERAGE : coverByFew(wanted, said, FEW)
  const single = strict ? coverBySentences(wanted, statement, agreeing) : coverByAny(wanted, said)
  const found = pieced.share >= PLAIN ? pieced : single
  const quoted = strict
    ? coverBySentences(
        wanted,
        statement,
        own
          .filter(({ sentence }) => agreeing.includes(sentence))
          .map(({ quote, sentence }) => ({ ...sentence, text: quote, words: contentWords(quote) })),
      )
    : coverWith(wanted, contentWords(own.map(({ quote }) => quote).join('\n')))
  const [first] = own
  if (first === undefined || quoted.share < QUOTED) return { ...found, ...shared, quoted: false }
  const better = quoted.share >= found.share ? { ...quoted, message: quoted.message ?? first.message } : found
  return { ...better, ...shared, quoted: true }
}
