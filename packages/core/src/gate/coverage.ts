/** How much of a statement stands close together in a message. */
import type { TranscriptMessage } from '../proposal/transcript.ts'
import { contentSequence, contentWords } from './content-words.ts'
import { inPieces } from './in-pieces.ts'
import { sentencesOf } from './sentences.ts'
import { spend } from './work-limit.ts'

/** Words that stand within so many content words of each other count as said together. */
const WINDOW = 64

export interface Coverage {
  /** 0 to 1: the part of the wanted words that was found. */
  readonly share: number
  readonly found: ReadonlySet<string>
  readonly message?: TranscriptMessage
}

export const NO_COVERAGE: Coverage = { share: 0, found: new Set() }

/** Of words that may be anywhere, as in a few short quotes. */
export const coverWith = (wanted: ReadonlySet<string>, words: Iterable<string>): Coverage => {
  const all = [...words]
  spend(30 * all.length)
  const found = new Set(all.filter((candidate) => wanted.has(candidate)))
  return wanted.size === 0 ? NO_COVERAGE : { share: found.size / wanted.size, found }
}

// A transcript is checked once for each proposal; its messages never change.
const placesOfMessage = new WeakMap<TranscriptMessage, ReadonlyMap<string, readonly number[]>>()

const toPlaces = (words: Iterable<string>): ReadonlyMap<string, readonly number[]> => {
  const places = new Map<string, number[]>()
  let position = 0
  for (const word of words) {
    const known = places.get(word)
    if (known) known.push(position)
    else places.set(word, [position])
    position++
  }
  return places
}

/** Where each content word stands, counted in content words. */
const placesOf = (message: TranscriptMessage): ReadonlyMap<string, readonly number[]> => {
  const known = placesOfMessage.get(message) ?? toPlaces(inPieces(message.text).flatMap(contentSequence))
  placesOfMessage.set(message, known)
  return known
}

/** All content words of a message. */
export const wordsOfMessage = (message: TranscriptMessage): Iterable<string> => placesOf(message).keys()

/** The best passage of one message; linear in how often it holds the words. */
const coverByMessage = (wanted: ReadonlySet<string>, message: TranscriptMessage): Coverage => {
  if (wanted.size === 0) return NO_COVERAGE
  const places = placesOf(message)
  spend(60 * wanted.size)
  const hits = [...wanted].flatMap((word) => (places.get(word) ?? []).map((position) => [position, word] as const))
  spend(400 * hits.length)
  hits.sort(([one], [other]) => one - other)
  const span = Math.max(WINDOW, 2 * wanted.size)
  const counts = new Map<string, number>()
  let best: ReadonlySet<string> = new Set()
  let start = 0
  for (const [position, candidate] of hits) {
    counts.set(candidate, (counts.get(candidate) ?? 0) + 1)
    for (let first = hits[start]; first !== undefined && position - first[0] >= span; first = hits[++start]) {
      const left = (counts.get(first[1]) ?? 1) - 1
      if (left === 0) counts.delete(first[1])
      else counts.set(first[1], left)
    }
    if (counts.size > best.size) {
      spend(40 * counts.size)
      best = new Set(counts.keys())
    }
    if (best.size === wanted.size) break
  }
  return { share: best.size / wanted.size, found: best, message }
}

/** The best of several messages; of equal ones the earliest. */
export const coverByAny = (wanted: ReadonlySet<string>, messages: readonly TranscriptMessage[]): Coverage =>
  messages.reduce<Coverage>((best, message) => {
    const next = coverByMessage(wanted, message)
    return next.share > best.share ? next : best
  }, NO_COVERAGE)

/** A statement pieced together from a few messages, each adding words of its own. */
export const coverByFew = (wanted: ReadonlySet<string>, messages: readonly TranscriptMessage[], most: number): Coverage => {
  let rest = wanted
  let first: Coverage = NO_COVERAGE
  const found = new Set<string>()
  for (let picked = 0; picked < most && rest.size > 0; picked++) {
    const best = coverByAny(rest, messages)
    if (best.found.size === 0) break
    if (picked === 0) first = best
    for (const word of best.found) found.add(word)
    rest = new Set([...wanted].filter((word) => !found.has(word)))
  }
  return found.size === 0 ? NO_COVERAGE : { ...first, found, share: found.size / wanted.size }
}

interface Sentence {
  readonly text: string
  readonly words: ReadonlySet<string>
}

const sentences = new WeakMap<TranscriptMessage, readonly Sentence[]>()

/** The sentences of a message that hold at least this share of the wanted words. */
export const coveringSentences = (wanted: ReadonlySet<string>, message: TranscriptMessage, share: number): readonly string[] => {
  const all = sentences.get(message) ?? sentencesOf(message.text).map((text) => ({ text, words: contentWords(text) }))
  sentences.set(message, all)
  spend(60 * all.length * wanted.size)
  return all.filter(({ words }) => [...wanted].filter((word) => words.has(word)).length >= share * wanted.size).map(({ text }) => text)
}
