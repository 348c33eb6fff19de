/** Finds the tags of a fence in text that arrives in pieces. Pure. */
import { WHITE_SPACE } from '../shared/white-space.ts'
import { CONTEXT_CLOSE_TAG, CONTEXT_NOTE_START, CONTEXT_OPEN_TAG } from './context-fence.ts'

/** Offset after the tag; `begun` if the text ends within something that may become one. */
export type TagFound = number | 'begun' | undefined

/** `at`: the offset of a `<`. */
export type FindTag = (text: string, at: number) => TagFound

const ANY_SPACE = `[${WHITE_SPACE}]{0,8}`
const SPACE = `[${WHITE_SPACE.replace('\\n', '').replace('\\r', '')}]`
const SPACES = `${SPACE}{0,8}`
const ATTRIBUTES = `(?:${SPACE}[^<>\\r\\n]{0,40})?`

const literal = (letters: string): readonly string[] => [...letters].map((letter) => letter.replace(/[[\]]/, '\\$&'))

const NAME = literal(CONTEXT_OPEN_TAG.slice(1, -1))
const SLASH = literal(CONTEXT_CLOSE_TAG.slice(1, 2))

/**
 * Every part matches one character, or any beginning of what it matches; so the nested form matches exactly the beginnings of the whole.
 * No `u` flag, so that case folding stays within ASCII: ſ and the Kelvin sign do not match, and offsets never shift.
 */
const patternOf = (parts: readonly string[]): FindTag => {
  const whole = new RegExp(parts.join(''), 'iy')
  const begun = new RegExp(`${parts.reduceRight((rest, part) => `${part}(?:${rest})?`)}$`, 'iy')
  return (text, at) => {
    whole.lastIndex = at
    if (whole.test(text)) return whole.lastIndex
    begun.lastIndex = at
    return begun.test(text) ? 'begun' : undefined
  }
}

const START = new RegExp(`<(?:$|[m${WHITE_SPACE}])`, 'iy')

/** A cheap test that is false for most other uses of `<`. */
export const mayOpen = (text: string, at: number): boolean => {
  START.lastIndex = at
  return START.test(text)
}

/** Only white space may follow the tag on its line. */
export const findOpenTag = patternOf(['<', SPACES, ...NAME, ATTRIBUTES, '>', SPACES, '[\\r\\n]'])

/** The tag, possibly emphasised, with the beginning of the note that `fenceContext` writes behind it. */
export const findNotedTag = patternOf(['<', SPACES, ...NAME, ATTRIBUTES, '>', '[*_`]{0,3}', ANY_SPACE, ...literal(CONTEXT_NOTE_START)])

export const findCloseTag = patternOf(['<', SPACES, ...SLASH, SPACES, ...NAME, ATTRIBUTES, '>'])
