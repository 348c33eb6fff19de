/**
 * Which words of a text stand under a negation? Two texts of the same words may say the opposite, so whoever compares words asks this as well. Rough, by
 * clauses: a negation turns what follows it in its clause, or what stands before it where nothing follows.
 */
import { wordsOfToken } from './content-words.ts'
import { ORDERING_VERBS } from './instruction-words.ts'
import { NEGATIONS, withPlainNegations } from './negations.ts'
import { normaliseText } from './normalise-text.ts'
import { remember, spend } from './work-limit.ts'

// Verbs and phrases that deny like a "not": "stop apologising" and "no apologies" agree.
const denyingVerb =
  /^(?:hardly|barely|scarcely|seldom|rarely|kaum$|selten$|rarement|stop(?:s|ped|ping|p|pe|pen|pt)?$|avoid|skip(?:s|ped|ping)?$|hat(?:e|es|ed)$|dislik|detest|refus|prevent(?:s|ed|ing)?$|exclud|omit|forbid|forbad|prohibi|verbot|verbiet|untersag|interdi(?:t|re$|s(?:$|ons|ez|ent|ai)|cti)|vieta|запре|vermeid|hass(?:e|t|en|te|ten)?$|évit|détest|arrêt|evit|odi(?:o|a)$|избега)/u
const denyingPhrase =
  /(?<!\p{L})(?:instead of|rather than|(?<=i )used to|anstelle von|statt|au lieu de|en vez de|in vez de|em vez de)(?!\p{L})/gu
/** "Instead of pip for Python": what the comparison is about is not denied. */
const denyingWithTopic =
  /(?<!\p{L})(?:instead of|rather than|anstelle von|statt|au lieu de|en vez de|in vez de|em vez de) ((?:[^\s.,;]+ ){1,3}?)(?=(?:for|in|when|on|für|bei|pour|dans|para)\s)/gu
/** A negation and the forgetting it forbids cancel each other. */
const neverForget = /(?<!\p{L})(?:not|never) forget\p{L}*/gu
const preferredOver = /(?<!\p{L})((?:prefer|rather|lieber|plutôt)\p{L}*\s[^.,;]{1,60}?\s)(?:over|than|als|que)(?!\p{L})/gu

// "Skip the intro and give me the code": a new order begins a new clause.
const clauseEnd = new RegExp(
  `(?<![.;,!?:()\\n。；、，！？：])[.;,!?:()\\n。；、，！？：]+(?=\\s|$)|[。；、，！？\\n]|(?<!\\p{L})(?:but|so|because|just|aber|sondern|pero|sino|mais|но|and(?= (?:${ORDERING_VERBS.join('|')}) ))(?!\\p{L})`,
  'u',
)
const piece = /[\p{L}\p{M}\p{N}]+/gu
/** Parts that negate what follows them, and those that negate what stands before. */
const partsBefore = /不|没|沒|別|别|勿|未/u
const partsAfter = /ない|ません|なく|않|못|없|지\s?마|말고/u

// "Vim not emacs" sets two things against each other; "is not" denies what it stands in.
const contrast =
  /(?<!(?<!\p{L})(?:do|does|did|is|are|was|were|am|be|been|has|have|had|can|could|would|should|will|may|might|must|shall|'m|'s|'re|'ve)) not (?=\p{L})/gu

/** `open`: stands before the negation of its clause, so it may be what is denied, or only what is spoken of. */
type Polarity = 'affirmed' | 'negated' | 'open'

interface Mark {
  readonly word: string
  polarity: Polarity
}

type Item = { readonly words: readonly string[] } | 'turns-next' | 'turns-last'

const splitBy = (token: string, parts: RegExp, item: Item): readonly Item[] =>
  token
    .split(parts)
    .flatMap((rest, index): Item[] => [...(index > 0 ? [item] : []), ...(rest === '' ? [] : [{ words: wordsOfToken(rest) }])])

const itemsOfToken = (token: string): readonly Item[] => {
  const words = wordsOfToken(token)
  if (words.length === 1 && words[0] !== undefined && NEGATIONS.has(words[0])) return ['turns-next']
  // The verb itself is left out: it is the negation, not what is negated.
  if (denyingVerb.test(token)) return ['turns-next']
  if (partsAfter.test(token)) return splitBy(token, partsAfter, 'turns-last')
  return partsBefore.test(token) ? splitBy(token, partsBefore, 'turns-next') : [{ words }]
}

const OPPOSITE: Readonly<Record<Polarity, Polarity>> = { affirmed: 'negated', negated: 'affirmed', open: 'open' }

/** One clause, read from left to right. */
class Clause {
  readonly marks: Mark[] = []
  private turned = false
  /** So many words stand before the first negation. */
  private before = 0
  /** Negations that nothing has followed yet. */
  private waiting = 0

  turnAll(): void {
    spend(10 * this.marks.length)
    for (const mark of this.marks) mark.polarity = OPPOSITE[mark.polarity]
  }

  turnNext(): void {
    if (this.waiting === 0 && !this.turned) this.before = this.marks.length
    // "Never commit without a ticket": what stands between the two is allowed on a condition.
    spend(10 * this.marks.length)
    if (this.turned) for (const mark of this.marks) if (mark.polarity === 'negated') mark.polarity = 'open'
    this.turned = !this.turned
    this.waiting++
  }

  read(words: readonly string[]): void {
    if (words.length === 0) return
    if (this.waiting > 0) spend(10 * this.before)
    if (this.waiting > 0) for (const mark of this.marks.slice(0, this.before)) mark.polarity = 'open'
    this.waiting = 0
    for (const word of words) this.marks.push({ word, polarity: this.turned ? 'negated' : 'affirmed' })
  }

  end(): readonly Mark[] {
    if (this.waiting % 2 === 1) this.turnAll()
    return this.marks
  }
}

const marksOf = (text: string): readonly Mark[] => {
  const clause = new Clause()
  for (const item of (text.match(piece) ?? []).flatMap(itemsOfToken)) {
    if (item === 'turns-last') clause.turnAll()
    else if (item === 'turns-next') clause.turnNext()
    else clause.read(item.words)
  }
  return clause.end()
}

const polaritiesOf = remember('polaritiesOf', (text): ReadonlyMap<string, ReadonlySet<Polarity>> => {
  const normal = normaliseText(text)
  spend(1_000 * normal.length)
  const plain = withPlainNegations(normal)
    .replace(preferredOver, '$1not')
    .replace(neverForget, ' ')
    .replace(denyingWithTopic, ', not $1, ')
    .replace(denyingPhrase, ', not ')
    .replace(contrast, ', not ')
  const found = new Map<string, Set<Polarity>>()
  for (const { word, polarity } of plain.split(clauseEnd).flatMap(marksOf)) found.set(word, (found.get(word) ?? new Set()).add(polarity))
  return found
})

/** Works out what `sameSense` asks of a text, so that it is known by then. */
export const readSense = (text: string): void => {
  polaritiesOf(text)
}

/** What both texts hold, looked up by the one with fewer words. */
const sharedOf = (one: string, other: string) => {
  const [known, others] = [polaritiesOf(one), polaritiesOf(other)]
  const [small, large] = known.size < others.size ? [known, others] : [others, known]
  spend(60 * small.size)
  return [...small].flatMap(([word, here]) => {
    const there = large.get(word)
    return there ? [{ here, there }] : []
  })
}

/**
 * False where a word that both texts hold is affirmed in one and denied in the other, and where all they share stands before a negation in one and is plainly
 * affirmed in the other ("deploys on Friday never happen").
 */
export const sameSense = (one: string, other: string): boolean => {
  const shared = sharedOf(one, other)
  const agrees = ({ here, there }: (typeof shared)[number]): boolean => [...here].some((polarity) => there.has(polarity))
  const either = ({ here, there }: (typeof shared)[number], polarity: Polarity): boolean => here.has(polarity) || there.has(polarity)
  if (shared.some((pair) => !agrees(pair) && !either(pair, 'open'))) return false
  return shared.length === 0 || shared.some((pair) => agrees(pair) || either(pair, 'negated'))
}
