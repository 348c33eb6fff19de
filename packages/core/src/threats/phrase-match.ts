/** Finds phrases in linear time: records the positions of each word of the phrases in one pass over the tokens, then merges the sorted positions. */
import { type PhraseStep, parsePhrase } from './phrases.ts'

export interface ThreatTokens {
  readonly text: string
  readonly count: number
  readonly starts: Int32Array
  /** Offset after the last character. */
  readonly ends: Int32Array
  /**
   * For each token, the index of the nearest token up to and including it that holds something other than letters, digits and
   * underscores; -1 if none.
   */
  readonly lastNonWord: Int32Array
}

const WORD_CHARS = '0123456789_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const isWordCode = new Uint8Array(128)
for (let at = 0; at < WORD_CHARS.length; at++) isWordCode[WORD_CHARS.charCodeAt(at)] = 1

/** `false` outside the text. */
const isWordAt = (text: string, at: number): boolean => at >= 0 && at < text.length && isWordCode[text.charCodeAt(at)] === 1

/** One pass over a folded text. */
export const toTokens = (text: string): ThreatTokens => {
  const room = (text.length >> 1) + 1
  const starts = new Int32Array(room)
  const ends = new Int32Array(room)
  const lastNonWord = new Int32Array(room)
  let count = 0
  let start = -1
  let pure = true
  let nonWord = -1
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0x20
    if (code === 0x20 || code === 0x0a) {
      if (start >= 0) {
        starts[count] = start
        ends[count] = at
        if (!pure) nonWord = count
        lastNonWord[count++] = nonWord
      }
      start = -1
      pure = true
    } else {
      if (start < 0) start = at
      if (isWordCode[code] === 0) pure = false
    }
  }
  return { text, count, starts, ends, lastNonWord }
}

interface Word {
  readonly word: string
  readonly fit: PhraseStep['fit']
  readonly place: number
}

/** Token numbers, ascending, by the place number of the vocabulary; `undefined` for none, which is the rule. */
type Places = ReadonlyArray<readonly number[] | undefined>

interface Vocabulary {
  /** The place number of the tokens that fit a step. Equal steps share it. */
  readonly enter: (step: PhraseStep) => number
  readonly find: (tokens: ThreatTokens) => Places
}

/** Whether a token fits one word of a step; `any` and `holds` check its leading word characters. */
const fitsWord = ({ text, starts, ends }: ThreatTokens, token: number, word: string, fit: PhraseStep['fit']): boolean => {
  const start = starts[token] as number
  const end = ends[token] as number
  const fitsIn = end - start >= word.length
  switch (fit) {
    case 'whole':
      return end - start === word.length && text.startsWith(word, start)
    case 'spaced':
      return end < text.length && end - start === word.length && text.startsWith(word, start)
    case 'ends':
      return fitsIn && text.endsWith(word, end)
    case 'ends-word':
      return fitsIn && text.endsWith(word, end) && (end - start === word.length || !isWordAt(text, end - word.length - 1))
    case 'begins':
      return fitsIn && text.startsWith(word, start)
    case 'begins-word':
      return fitsIn && text.startsWith(word, start) && (end - start === word.length || !isWordAt(text, start + word.length))
    case 'any':
      return isWordAt(text, start)
    case 'holds': {
      let head = start
      while (head < end && isWordAt(text, head)) head++
      return text.slice(start, head).includes(word)
    }
  }
}

type Index = Map<number, Word[]>

const add = (index: Index, key: number, word: Word): void => {
  const words = index.get(key)
  if (words) words.push(word)
  else index.set(key, [word])
}

/** A key of two adjacent ASCII characters; few words share one. */
const pairAt = (text: string, at: number): number => text.charCodeAt(at) * 128 + text.charCodeAt(at + 1)

const createVocabulary = (): Vocabulary => {
  const byFirstPair: Index = new Map()
  const byLastPair: Index = new Map()
  /** By the first or last letter, for tokens that begin or end with it. */
  const singles: { readonly first: Index; readonly last: Index } = { first: new Map(), last: new Map() }
  const numbers = new Map<string, number>()

  const enter = ({ fit, words }: PhraseStep): number => {
    const key = `${fit} ${words.join('|')}`
    const known = numbers.get(key)
    if (known !== undefined) return known
    const place = numbers.size
    numbers.set(key, place)
    for (const word of words) {
      const entry = { word, fit, place }
      const atEnd = fit === 'ends' || fit === 'ends-word'
      if (word.length < 2) add(atEnd ? singles.last : singles.first, word.charCodeAt(0), entry)
      else if (atEnd) add(byLastPair, pairAt(word, word.length - 2), entry)
      else add(byFirstPair, pairAt(word, 0), entry)
    }
    return place
  }

  const find = (tokens: ThreatTokens): Places => {
    const places = new Array<number[] | undefined>(numbers.size).fill(undefined)
    const note = (token: number, words: readonly Word[] | undefined): void => {
      if (!words) return
      for (const { word, fit, place } of words) {
        const list = places[place]
        if (list?.[list.length - 1] === token || !fitsWord(tokens, token, word, fit)) continue
        if (list) list.push(token)
        else places[place] = [token]
      }
    }
    const { text, count, starts, ends } = tokens
    for (let token = 0; token < count; token++) {
      const start = starts[token] as number
      const end = ends[token] as number
      note(token, singles.first.get(text.charCodeAt(start)))
      note(token, singles.last.get(text.charCodeAt(end - 1)))
      if (end - start < 2) continue
      note(token, byFirstPair.get(pairAt(text, start)))
      note(token, byLastPair.get(pairAt(text, end - 2)))
    }
    return places
  }

  return { enter, find }
}

/** First and last token of an occurrence. */
export interface PhraseSpan {
  readonly first: number
  readonly last: number
}

/**
 * Whether a phrase may continue from one token to the next of its words. Must be monotonic: false for a stretch implies false for any
 * wider one.
 */
type MayContinue = (from: number, to: number) => boolean

export interface PhraseMatcher {
  /** Compute it once per text and pass it to `spans`. */
  readonly places: (tokens: ThreatTokens) => Places
  /** For each token that ends an occurrence of the phrase, the shortest occurrence. */
  readonly spans: (id: string, tokens: ThreatTokens, places: Places, mayContinue?: MayContinue) => readonly PhraseSpan[]
}

interface Step extends PhraseStep {
  /** Absent for fits that most tokens have: these are only checked directly after the preceding word. */
  readonly place: number | undefined
}

const isAbsent = ({ place }: Step, places: Places): boolean => place !== undefined && places[place] === undefined

const candidates = (step: Step, before: readonly PhraseSpan[], tokens: ThreatTokens, places: Places): readonly number[] => {
  if (step.place !== undefined) return places[step.place] ?? []
  const next = before.map(({ last }) => last + 1).filter((token) => token < tokens.count)
  return next.filter((token) => (step.fit === 'any' ? [''] : step.words).some((word) => fitsWord(tokens, token, word, step.fit)))
}

const join = (
  before: readonly PhraseSpan[],
  places: readonly number[],
  gap: number,
  { lastNonWord }: ThreatTokens,
  mayContinue: MayContinue,
): readonly PhraseSpan[] => {
  const joined: PhraseSpan[] = []
  let near = -1
  for (const last of places) {
    while (near + 1 < before.length && (before[near + 1] as PhraseSpan).last < last) near++
    const span = before[near]
    // Only the nearest earlier word matters: a farther one has at least the same gap.
    if (!span || last - span.last - 1 > gap) continue
    if (last - span.last > 1 && (lastNonWord[last - 1] as number) > span.last) continue
    if (mayContinue(span.last, last)) joined.push({ first: span.first, last })
  }
  return joined
}

/** Each phrase has notations for `parsePhrase`; any of them makes the finding. They are parsed at the first text, not on import. */
export const createPhraseMatcher = (
  phrases: ReadonlyArray<{ readonly id: string; readonly notations: readonly string[] }>,
): PhraseMatcher => {
  const vocabulary = createVocabulary()
  const toStep = (step: PhraseStep): Step => ({
    ...step,
    place: step.fit === 'any' || step.fit === 'holds' ? undefined : vocabulary.enter(step),
  })
  let compiled: ReadonlyMap<string, ReadonlyArray<readonly Step[]>> | undefined
  const compile = () => {
    compiled ??= new Map(phrases.map(({ id, notations }) => [id, notations.flatMap(parsePhrase).map((steps) => steps.map(toStep))]))
    return compiled
  }

  const spansOf = (steps: readonly Step[], tokens: ThreatTokens, places: Places, mayContinue: MayContinue): readonly PhraseSpan[] => {
    const [first] = steps
    if (!first || isAbsent(first, places)) return []
    let spans: readonly PhraseSpan[] = candidates(first, [], tokens, places).map((token) => ({ first: token, last: token }))
    for (const step of steps.slice(1)) {
      if (spans.length === 0) return []
      spans = join(spans, candidates(step, spans, tokens, places), step.gap, tokens, mayContinue)
    }
    return spans
  }

  return {
    places: (tokens) => {
      compile()
      return vocabulary.find(tokens)
    },
    spans: (id, tokens, places, mayContinue = () => true) =>
      (compile().get(id) ?? []).flatMap((steps) => spansOf(steps, tokens, places, mayContinue)),
  }
}
