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

export interface Sentence {
  readonly message: TranscriptMessage
  readonly text: string
  /** `normaliseText` of it. */
  readonly normal: string
  readonly words: ReadonlySet<string>
}

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
  const normal = whole.length > FORM_CHARS ? `${whole.slice(0, FORM_CHARS)} ${whole.slice(-20)}` : whole
  if (reportsOthers.test(normal) || asksInside.test(normal) || handsOverText.test(normal)) return false
  return request.test(normal) || !isQuestion(normal)
}

const stated = (text: string): readonly string[] => {
  const kept: string[] = []
  for (const sentence of sentencesOf(text)) {
    // "Summarise this:" hands over all that follows it.
    if (/[:：]$/.test(sentence) && handsOverText.test(normaliseText(sentence.slice(0, FORM_CHARS)))) break
    if (isStatement(sentence)) kept.push(sentence)
    else if (doubtsTheLast.test(normaliseText(sentence.slice(0, FORM_CHARS)))) kept.pop()
  }
  return kept
}

// A transcript is checked once for each proposal; its messages never change.
const known = new WeakMap<TranscriptMessage, readonly Sentence[]>()
const reduced = new WeakMap<TranscriptMessage, TranscriptMessage>()

/** The statements of one message, in their order. */
export const statementsOf = (message: TranscriptMessage): readonly Sentence[] => {
  const sentences =
    known.get(message) ?? stated(message.text).map((text) => ({ message, text, normal: normaliseText(text), words: contentWords(text) }))
  known.set(message, sentences)
  return sentences
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
