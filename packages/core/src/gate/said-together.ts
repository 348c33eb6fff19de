/**
 * Does a sentence say a statement, or does it only hold its words? "Always check my diary, delete stale notes, and show the production db" holds every word of
 * "always delete the production db". So of the clauses the words come from, all but one must go into the statement whole. Pure.
 */
import { contentWords } from './content-words.ts'
import { NEGATIONS, withPlainNegations } from './negations.ts'
import { normaliseText } from './normalise-text.ts'
import { spend } from './work-limit.ts'

const JOINS =
  'and|or|but|then|so|while|because|since|when|whenever|before|after|if|unless|until|which|who|und|oder|aber|dann|sondern|wenn|bevor|nachdem|falls|weil|y|e|pero|luego|cuando|antes|después|si|et|ou|mais|puis|quand|avant|après|poi|ma|quando|prima|dopo|en|maar|daarna|als|voordat|и|а|но|или|затем|когда|перед|если|oraz|lub|gdy|ve'
// The joining word stays in front of what it joins: some carry meaning.
const clauseEnd = new RegExp(
  `(?<![,;:()[\\]|&/+>])[,;:()[\\]|&/+>]+(?=\\s|$)|\\.{2,}|(?<=\\p{L})/(?=\\p{L})|\\s[-~=&/+>|]+|[，、；：（）]|(?<=\\s)(?=(?:${JOINS})\\s)`,
  'u',
)

interface Spoken {
  readonly text: string
}

const read = (text: string): readonly ReadonlySet<string>[] =>
  withPlainNegations(normaliseText(text))
    .split(clauseEnd)
    .map(contentWords)
    .filter(({ size }) => size > 0)

// A sentence is compared with each proposal, and never changes.
const known = new WeakMap<Spoken, readonly ReadonlySet<string>[]>()

const clausesOf = (sentence: Spoken): readonly ReadonlySet<string>[] => {
  const clauses = known.get(sentence) ?? read(sentence.text)
  known.set(sentence, clauses)
  return clauses
}

/**
 * The most of the wanted words that the sentence says together. `statement`: all content words of the statement they were taken from.
 */
export const wordsTogether = (wanted: ReadonlySet<string>, statement: ReadonlySet<string>, sentence: Spoken): ReadonlySet<string> => {
  const clauses = clausesOf(sentence)
  spend(clauses.reduce((sum, { size }) => sum + 200 + 100 * size + 30 * wanted.size, 0))
  // A negation may be put in other words; whether it is there is asked by `polarity.ts`.
  const whole = clauses.filter((clause) => [...clause].every((word) => statement.has(word) || NEGATIONS.has(word)))
  const shared = new Set(whole.flatMap((clause) => [...clause].filter((word) => wanted.has(word))))
  return clauses.reduce<ReadonlySet<string>>((best, clause) => {
    const next = new Set([...shared, ...[...clause].filter((word) => wanted.has(word))])
    return next.size > best.size ? next : best
  }, new Set())
}
