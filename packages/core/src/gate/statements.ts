/**
 * The sentences by which a user states or wants something. Whoever asks whether a thing is so, tells what a page says or hands a text over to be translated has
 * not said it himself, whether or not a tool then gave the answer; a request ("could you use metric units?") is his own wish.
 */
import type { TranscriptMessage } from '../proposal/transcript.ts'
import { contentWords } from './content-words.ts'
import { normaliseText } from './normalise-text.ts'
import {
  asksByParts,
  asksInside,
  doubtsTheLast,
  handsOverText,
  opensQuestion,
  reportsOthers,
  request,
  requestEnding,
} from './question-words.ts'
import { sentencesOf } from './sentences.ts'
import { spend } from './work-limit.ts'

export interface Sentence {
  readonly message: TranscriptMessage
  readonly text: string
  /** `normaliseText` of it. */
  readonly normal: string
  readonly words: ReadonlySet<string>
}

/** Characters that one step of `readStatements` takes in, about. */
const STEP_CHARS = 6_000

// Behind so many characters the form of a sentence tells nothing more.
const FORM_CHARS = 2_000

const endsLikeQuestion = /[?？؟][^\p{L}\p{N}]*$/u

const isQuestion = (normal: string): boolean =>
  opensQuestion.test(normal) || (!requestEnding.test(normal) && (asksByParts.test(normal) || endsLikeQuestion.test(normal)))

/** True for what its speaker states, wants or asks for; `sentence` is one sentence, with the mark at its end. */
export const isStatement = (sentence: string): boolean => {
  // A mail program quotes like this.
  if (/^\s*>/.test(sentence)) return false
  const whole = normaliseText(sentence)
  spend(3_000 + 1_500 * Math.min(whole.length, FORM_CHARS))
  const normal = whole.length > FORM_CHARS ? `${whole.slice(0, FORM_CHARS)} ${whole.slice(-20)}` : whole
  if (reportsOthers.test(normal) || asksInside.test(normal) || handsOverText.test(normal)) return false
  return request.test(normal) || !isQuestion(normal)
}

/** Takes in one sentence after those in `kept`; false where all that follows is handed over to be worked on. */
const take = (kept: Sentence[], message: TranscriptMessage, text: string): boolean => {
  // "Summarise this:" hands over all that follows it.
  if (/[:：]$/.test(text) && handsOverText.test(normaliseText(text.slice(0, FORM_CHARS)))) return false
  if (isStatement(text)) kept.push({ message, text, normal: normaliseText(text), words: contentWords(text) })
  else if (doubtsTheLast.test(normaliseText(text.slice(0, FORM_CHARS)))) kept.pop()
  return true
}

// A transcript is checked once for each proposal; its messages never change.
const known = new WeakMap<TranscriptMessage, readonly Sentence[]>()
const reduced = new WeakMap<TranscriptMessage, TranscriptMessage>()

/** The statements of one message, in their order. */
export const statementsOf = (message: TranscriptMessage): readonly Sentence[] => {
  const before = known.get(message)
  if (before) return before
  const sentences: Sentence[] = []
  for (const text of sentencesOf(message.text)) if (!take(sentences, message, text)) break
  known.set(message, sentences)
  return sentences
}

/** Works out `statementsOf` in steps, each of which takes in a few sentences. */
export function* readStatements(message: TranscriptMessage): Generator<void> {
  if (known.has(message)) return
  const sentences: Sentence[] = []
  let unread = 0
  for (const text of sentencesOf(message.text)) {
    if (!take(sentences, message, text)) break
    unread += 10 + text.length
    if (unread < STEP_CHARS) continue
    unread = 0
    yield
  }
  known.set(message, sentences)
}

/** The message without its questions and reports. */
export const onlyStatements = (message: TranscriptMessage): TranscriptMessage => {
  const less = reduced.get(message) ?? {
    ...message,
    text: statementsOf(message)
      .map(({ text }) => text)
      .join('\n'),
  }
  reduced.set(message, less)
  return less
}

const errand =
  /^(?:(?:please|now|ok|okay|hey|and|then|also|can you|could you|would you|will you|let's|just)[ ,]+)*(?:fix|debug|check|review|summari[sz]e|read|look|find|search|fetch|open|download|deploy|delete|translate|refactor|implement|investigate|list|run|go|continue|proceed|try|rerun|inspect|analy[sz]e|compare|test)(?![\p{L}\p{N}])/u

/** A task for this moment ("fix the login bug"): it says nothing about its speaker that other words could retell. */
export const isErrand = (sentence: string): boolean =>
  errand.test(normaliseText(sentence)) &&
  !/(?<!\p{L})(?:always|never|every|from now on|each|whenever|by default|in general)(?!\p{L})/u.test(normaliseText(sentence))
