/**
 * The sentences in which a speaker states or requests something. Questions, reports of what others say, and text handed over for processing are excluded.
 * Doubtful sentences are excluded too: a proposal based on one then waits for a person.
 */
import type { TranscriptMessage } from '../proposal/transcript.ts'
import { contentSequence, contentWords, NEGATIONS } from '../text/content-words.ts'
import { normaliseText } from '../text/normalise-text.ts'
import { sentencesOf } from '../text/sentences.ts'
import { spend } from '../text/work-limit.ts'

export interface OwnSentence {
  readonly message: TranscriptMessage
  /** Normalised. */
  readonly text: string
  /** The content words of each clause in order, without a contrast at its end ("…, not npm"). */
  readonly clauses: readonly (readonly string[])[]
  /** The words of all clauses. */
  readonly words: readonly string[]
}

/** Words that negate or restrict: a sentence that contains one is never the source of a statement without it. */
export const TURNING: ReadonlySet<string> = new Set([
  ...NEGATIONS,
  ...contentWords(
    `stop stopped avoid skip refuse prevent forbid prohibit omit exclude instead rather unless except only rarely seldom vermeide statt außer nur évite sauf
    seulement evita excepto salvo solo evite exceto apenas tranne`,
  ),
])

/** Longer sentences are skipped. */
const MAX_SENTENCE_CHARS = 2_000
/** Approximate number of characters processed in one step of `readOwnSentences`. */
const STEP_CHARS = 4_000
/** A question of at most this many content words ("Is that right?") retracts the sentence before it. */
const SHORT_QUESTION = 2

const question =
  /[?？؟][^\p{L}\p{N}]*$|[吗嗎呢][^\p{L}\p{N}]*$|^(?:(?:so|and|but|ok|well|hey|und|et|y|e)[ ,]+)*(?:should|shall|does|did|is|are|was|were|has|am i|(?:do|can|could|may|must|have) (?:i|we|they)|what|why|how|who|which|where|¿|soll(?:en|te)?|ist|sind|(?:darf|kann|muss) (?:ich|man)|was|wie|warum|est-ce|pourquoi|comment|dois-je|por qué|debo|devo|perché|wat|waarom)(?![\p{L}])/u
/** "Could you …?" counts as a request, not as a question. */
const request =
  /^(?:please |bitte )?(?:(?:can|could|would|will) you|kannst du|könntest du|können sie|peux-tu|pouvez-vous|puedes|podrías|você pode|pode|puoi|kun je)(?! (?:think|say|tell|know|explain|recommend))(?!\p{L})/u
const asksInside =
  /(?<!\p{L})(?:whether|wonder\p{L}*|not sure|what if|(?:tell me|know|ask|see|find out|check) if|frage mich|ob (?:ich|wir|man))(?!\p{L})/u
const report =
  /(?<!(?<!\p{L})(?:i|we|as) )(?<!\p{L})(?:says?|said|claims?|claimed|states?|stated|suggests?|suggested|recommends?|recommended|advises?|told|wrote|writes|according to|i (?:read|heard|saw)|sagt|schreibt|steht|laut|empfiehlt|dit|selon|recommande|dice|según|recomienda|diz|segundo|secondo|zegt|volgens)(?!\p{L})/u
const handsOver =
  /^(?:please |can you |could you |bitte )*(?:translate|summari[sz]e|proofread|rephrase|paraphrase|explain|classify|correct|rewrite|repeat|analy[sz]e|quote|übersetz\p{L}*|erklär\p{L}*|tradu\p{L}*|resum\p{L}*|résum\p{L}*|переведи|翻译|翻譯|总结|訳して|번역)[^.]*[:："]/u
/** A contrast at the end of a sentence: "Use pnpm, not npm". */
const contrast = /(?:, (?:and )?not|,? instead of|,? rather than|, nicht|,? statt|,? au lieu de|,? en vez de)(?! without) [^,;]*$/u

/** Separates the steps of a sentence. */
const joint = /: |,? (?:and )?(?:then|dann|luego|puis|poi|daarna|затем) /u

const comma = /(?<![,;:()])[,;:()]+(?=\s|$)|[，、；：（）]/u

const read = (message: TranscriptMessage, text: string, stated: string): OwnSentence => {
  const clauses = stated.split(comma).map(contentSequence)
  return { message, text, clauses, words: clauses.flat() }
}

const turns = (text: string): boolean => contentSequence(text).some((word) => TURNING.has(word))

/** The sentence, preceded by its first steps alone if a later one contains a negation: "drain the queue, then page nobody" states both. */
const partsOf = (message: TranscriptMessage, normal: string): readonly OwnSentence[] => {
  const stated = normal.replace(contrast, '')
  const whole = read(message, normal, stated)
  if (!whole.words.some((word) => TURNING.has(word))) return [whole]
  const steps = stated.split(joint)
  const front = steps.slice(0, steps.findIndex(turns)).join(', ')
  return front === '' ? [whole] : [read(message, front, front), whole]
}

const isOwn = (normal: string): boolean => {
  if (asksInside.test(normal) || report.test(normal) || handsOver.test(normal)) return false
  return request.test(normal) || !question.test(normal)
}

const known = new WeakMap<TranscriptMessage, readonly OwnSentence[]>()

/** Computes `ownSentences` in steps of a few sentences each. */
export function* readOwnSentences(message: TranscriptMessage): Generator<void, readonly OwnSentence[]> {
  const before = known.get(message)
  if (before) return before
  const sentences: (readonly OwnSentence[])[] = []
  let unread = 0
  for (const raw of sentencesOf(message.text)) {
    // Quoted by a mail program.
    if (raw.startsWith('>') || raw.length > MAX_SENTENCE_CHARS) continue
    const normal = normaliseText(raw)
    spend(1_500 * normal.length)
    if (contentSequence(normal).length === 0) continue
    // "Summarise this:" hands over everything that follows.
    if (/[:：]$/.test(normal) && handsOver.test(normal)) break
    if (isOwn(normal)) sentences.push(partsOf(message, normal))
    else if (question.test(normal) && contentWords(normal).size <= SHORT_QUESTION) sentences.pop()
    unread += 60 + raw.length
    if (unread < STEP_CHARS) continue
    unread = 0
    yield
  }
  const own = sentences.flat()
  known.set(message, own)
  return own
}

/** The own sentences of one message, in order. */
export const ownSentences = (message: TranscriptMessage): readonly OwnSentence[] => {
  const steps = readOwnSentences(message)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
