/** Notes in one pass over the tokens where each word of the threat phrases stands. */
import type { PhraseStep } from './threat-phrase.ts'
import { isWordAt, type ThreatTokens } from './threat-tokens.ts'

interface Word {
  readonly word: string
  readonly fit: PhraseStep['fit']
  readonly place: number
}

/** Token numbers, ascending, for each place number of the vocabulary. */
export type Places = ReadonlyArray<readonly number[]>

export interface Vocabulary {
  /** The number under which the tokens that fit a step are noted. Equal steps share it. */
  readonly enter: (step: PhraseStep) => number
  readonly find: (tokens: ThreatTokens) => Places
}

/** Whether a token fits one word of a step; `any` and `holds` look at its word-like head. */
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

const add = (index: Array<Word[] | undefined>, code: number, word: Word): void => {
  const words = index[code]
  if (words) words.push(word)
  else index[code] = [word]
}

export const createVocabulary = (): Vocabulary => {
  const byFirst: Array<Word[] | undefined> = new Array(128)
  const byLast: Array<Word[] | undefined> = new Array(128)
  const numbers = new Map<string, number>()

  const enter = ({ fit, words }: PhraseStep): number => {
    const key = `${fit} ${words.join('|')}`
    const known = numbers.get(key)
    if (known !== undefined) return known
    const place = numbers.size
    numbers.set(key, place)
    for (const word of words) {
      if (fit === 'ends' || fit === 'ends-word') add(byLast, word.charCodeAt(word.length - 1), { word, fit, place })
      else add(byFirst, word.charCodeAt(0), { word, fit, place })
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
      note(token, byFirst[text.charCodeAt(starts[token] as number)])
      note(token, byLast[text.charCodeAt((ends[token] as number) - 1)])
    }
    return places
  }

  return { enter, find }
}
