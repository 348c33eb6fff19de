/** What of an item is compared by meaning: each sentence of it alone, because what is said in passing gets lost in the vector of a whole turn. Pure. */
import type { RecallItem } from '../recall-index.ts'

const SENTENCE_END = /(?<=[.!?。！？])\s+|[。！？\n]+/u
/** Models read the beginning only. */
const MOST_CHARS = 1_000
const MOST_TEXT = 100_000
/** Of a longer text, half of them from its beginning and half from its end: people ask there. */
const MOST_PASSAGES = 12
const WORD = /[\p{L}\p{N}]/u

const sentencesOf = (text: string): readonly string[] =>
  text
    .slice(0, MOST_TEXT)
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim().slice(0, MOST_CHARS).toWellFormed())
    .filter((sentence) => WORD.test(sentence))

/** Of a turn, what the user said: the agent's answer is long, and found by its words. */
export const passagesOf = ({ kind, source, user, answer }: RecallItem): readonly string[] => {
  const sentences = [...new Set(kind === 'turn' ? sentencesOf(user) : [...sentencesOf(source), ...sentencesOf(answer)])]
  if (sentences.length <= MOST_PASSAGES) return sentences
  return [...sentences.slice(0, MOST_PASSAGES / 2), ...sentences.slice(-MOST_PASSAGES / 2)]
}

/** A search as one passage; undefined if it has no word. */
export const passageOf = (text: string): string | undefined => {
  const passage = text.trim().slice(0, MOST_CHARS).toWellFormed()
  return WORD.test(passage) ? passage : undefined
}
