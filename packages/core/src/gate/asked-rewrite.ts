/**
 * Did the user ask that an entry is rewritten like this? A word of his alone is no licence: the sentence that carries the new words must speak of the entry, and
 * where the new text denies or binds what the old one did not, that very word must be his, in that sentence.
 */
import type { Transcript } from '../proposal/transcript.ts'
import { areRelated, contentWords, subjectWords } from './content-words.ts'
import { coverWith } from './coverage.ts'
import { statementsOfUser } from './inside-sentences.ts'
import { keepsFacts } from './kept-facts.ts'
import { NEGATIONS } from './negations.ts'
import { sameSense } from './polarity.ts'
import type { Sentence } from './statements.ts'
import { QUOTED } from './user-coverage.ts'
import { spend } from './work-limit.ts'

/** Words that bind: added or taken away, they turn a statement into another. */
const BINDING: ReadonlySet<string> = new Set([
  ...NEGATIONS,
  ...contentWords(
    'always must should only ever skip required mandatory forbidden allowed ask asking siempre debe solo sempre deve toujours doit seulement immer muss nur altijd moet всегда должен',
  ),
])

const bindingOf = (words: ReadonlySet<string>): readonly string[] => [...words].filter((word) => BINDING.has(word))

const speaksOf = (entry: ReadonlySet<string>, sentence: Sentence): boolean => {
  spend(30 * sentence.words.size * entry.size)
  return [...sentence.words].some((word) => !BINDING.has(word) && [...entry].some((known) => areRelated(known, word)))
}

const carries = (entry: string, content: string, sentence: Sentence): boolean => {
  const before = contentWords(entry)
  const after = contentWords(content)
  spend(60 * (before.size + after.size))
  const added = new Set([...after].filter((word) => !before.has(word)))
  if (!bindingOf(added).every((word) => sentence.words.has(word))) return false
  if (!sameSense(content, sentence.text)) return false
  const turned = bindingOf(before).some((word) => !after.has(word)) || !sameSense(entry, content)
  // A bound or denied thing is set free without a word that says so: the sentence itself must then be about the new text.
  if (turned && bindingOf(added).length === 0) return coverWith(subjectWords(content), sentence.words).share >= QUOTED
  return added.size > 0 && coverWith(added, sentence.words).share > 0
}

/** Adds whole words of the user's own to an entry that stays as it is. */
const extendsEntry = (entry: string, content: string, sentence: Sentence): boolean => {
  const before = contentWords(entry)
  spend(60 * (before.size + content.length / 4))
  const added = new Set([...contentWords(content)].filter((word) => !before.has(word)))
  return added.size >= 2 && bindingOf(added).length === 0 && keepsFacts(entry, content) && coverWith(added, sentence.words).share >= QUOTED
}

/** True where one of the user's statements licenses the rewrite. Whether it is his by origin is asked elsewhere. */
export const isAskedRewrite = (entry: string, content: string, transcript: Transcript): boolean => {
  const known = subjectWords(entry)
  return statementsOfUser(transcript).some(
    (sentence) => (speaksOf(known, sentence) && carries(entry, content, sentence)) || extendsEntry(entry, content, sentence),
  )
}
