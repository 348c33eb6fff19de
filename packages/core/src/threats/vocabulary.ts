/** Records the positions of each word of the threat phrases in one pass over the tokens. */
import type { PhraseStep } from './phrase.ts'
import { isWordAt, type ThreatTokens } from './tokens.ts'

interface Word {
  readonly word: string
  readonly fit: PhraseStep['fit']
  readonly place: number
}

/** Token numbers, ascending, by the place number of the vocabulary. */
export type Places = ReadonlyArray<readonly number[]>

export interface Vocabulary {
  /** The place number of the tokens that fit a step. Equal steps share it. */
  readonly enter: (step: PhraseStep) => number
  readonly find: (tokens: ThreatTokens) => Places
}

/** Whether a token fits one word of a step; `any` and `holds` check its leading word characters. */
export const fitsWord = ({ text, starts, ends }: ThreatTokens, token: number, word: string, fit: PhraseStep['fit']): boolean => {
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

export const createVocabulary = (): Vocabulary => {
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
    const places: number[][] = Array.from({ length: numbers.size }, () => [])
    const note = (token: number, words: readonly Word[] | undefined): void => {
      if (!words) return
      for (const { word, fit, place } of words) {
        const list = places[place] as number[]
        if (list[list.length - 1] !== token && fitsWord(tokens, token, word, fit)) list.push(token)
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
