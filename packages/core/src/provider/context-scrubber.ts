/** Removes fenced recall that the model repeats from streamed text (reference hermes-memory 11). */
import { WHITE_SPACE } from '../shared/white-space.ts'
import { CONTEXT_CLOSE_TAG, CONTEXT_NOTE_START, CONTEXT_OPEN_TAG } from './context-fence.ts'

/** Offset after the tag; `begun` if the text ends within something that may become one. */
type TagFound = number | 'begun' | undefined

/** `at`: the offset of a `<`. */
type FindTag = (text: string, at: number) => TagFound

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
const mayOpen = (text: string, at: number): boolean => {
  START.lastIndex = at
  return START.test(text)
}

/** Only white space may follow the tag on its line. */
const findOpenTag = patternOf(['<', SPACES, ...NAME, ATTRIBUTES, '>', SPACES, '[\\r\\n]'])

/** The tag, possibly emphasised, with the beginning of the note that `fenceContext` writes behind it. */
const findNotedTag = patternOf(['<', SPACES, ...NAME, ATTRIBUTES, '>', '[*_`]{0,3}', ANY_SPACE, ...literal(CONTEXT_NOTE_START)])

const findCloseTag = patternOf(['<', SPACES, ...SLASH, SPACES, ...NAME, ATTRIBUTES, '>'])

/** A line shares with a fence a run of so many letters and digits, or a shorter line of the fence that has at least the minimum. */
const MAX_RUN = 16
const MIN_RUN = 4

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

const TAG_LETTERS = 'memorycontext'

const linesOf = (fence: string): readonly string[] =>
  fence
    .split('\n')
    .map(lettersOf)
    .filter((line) => line !== '' && line !== TAG_LETTERS)

const runsOf = (line: string, length: number): readonly string[] =>
  Array.from({ length: Math.max(0, line.length - length + 1) }, (_, at) => line.slice(at, at + length))

/** Tells whether a line repeats one of the fences. `isLast`: the line may be cut off. */
const repetitionOf = (fences: readonly string[]): ((line: string, isLast: boolean) => boolean) => {
  const fenced = fences.flatMap(linesOf)
  const whole = new Set(fenced)
  const runs = new Set(fenced.flatMap((line) => (line.length < MAX_RUN ? [line] : runsOf(line, MAX_RUN))))
  const lengths = [...new Set(fenced.map(({ length }) => Math.min(length, MAX_RUN)))].filter((length) => length >= MIN_RUN)
  return (line, isLast) => {
    const own = lettersOf(line)
    if (own === '') return false
    if (whole.has(own) || (isLast && fenced.some((each) => each.startsWith(own)))) return true
    return lengths.some((length) => runsOf(own, length).some((run) => runs.has(run)))
  }
}

/**
 * The text behind the last line that repeats a line of a fence: one that equals it, contains it, begins it at the end of the text, or has
 * 16 letters and digits in a row in common with it; case, white space and marks do not count. All of the text if no line does.
 */
const afterRepeatedLines = (text: string, fences: readonly string[]): string => {
  const repeats = repetitionOf(fences)
  const lines = text.split('\n')
  const last = lines.findLastIndex((line, at) => repeats(line, at === lines.length - 1))
  return lines.slice(last + 1).join('\n')
}

/** What a line of streamed text holds so far. `''` at its head, where it has only white space and the marks of lists, quotes and headings; digits that may become the number of a list; undefined once the line has words. */
type LineHead = string | undefined

const HEAD = new RegExp(`^(?:[${WHITE_SPACE}>*+#|•–-]|\\d{1,9}[.)])*(\\d{0,9})$`)

const lineHeadAfter = (head: LineHead, text: string): LineHead => {
  const lineEnd = text.lastIndexOf('\n')
  const before = lineEnd < 0 ? head : ''
  return before === undefined ? undefined : HEAD.exec(before + text.slice(lineEnd + 1))?.[1]
}

/**
 * Contract: a block starts at an open tag (any case; spaces and attributes allowed) that is alone on its line except for the marks of
 * lists, quotes and headings before it, or that a note of recall follows, anywhere. It ends at the first close tag. Its content is never
 * returned. Of a block without a close tag, `flush` returns what follows the last line that repeats a fence. The joined output of `push`
 * and `flush` does not depend on chunk boundaries.
 */
export interface ContextScrubber {
  /** Returns the text that is certainly visible. Holds back only what may become a tag, at most 120 characters; usually at most 16. */
  readonly push: (chunk: string) => string
  /** Call at the end of an answer. Returns the held text. The next text counts as starting on a new line. */
  readonly flush: () => string
  /** Call for a new turn: drops held text and an open block. */
  readonly reset: () => void
}

/** `fences`: what was fenced in the prompt. Unknown by default; an unclosed block then hides the rest of the answer. */
export const createContextScrubber = (fences?: readonly string[]): ContextScrubber => {
  let held = ''
  let head: LineHead = ''
  /** The block so far, if it can matter; undefined outside a block. */
  let block: string | undefined

  const reset = (): void => {
    held = ''
    head = ''
    block = undefined
  }

  const keep = (text: string): void => {
    if (fences !== undefined) block += text
  }

  /** Drops the text up to and including the close tag; returns the offset after it. */
  const skip = (text: string, from: number): number => {
    let at = text.indexOf('<', from)
    let found: TagFound
    for (; at >= 0; at = text.indexOf('<', at + 1)) {
      found = findCloseTag(text, at)
      if (found !== undefined) break
    }
    if (typeof found === 'number') {
      block = undefined
      return found
    }
    const end = at < 0 ? text.length : at
    keep(text.slice(from, end))
    held = text.slice(end)
    return text.length
  }

  const findOpening = (text: string, at: number): TagFound => {
    const alone = head === '' ? findOpenTag(text, at) : undefined
    return typeof alone === 'number' ? alone : (findNotedTag(text, at) ?? alone)
  }

  /** Shows the text up to the next block; `next` is the offset after its tag. */
  const showPart = (text: string, from: number): { readonly visible: string; readonly next: number } => {
    let shown = from
    for (let at = text.indexOf('<', from); at >= 0; at = text.indexOf('<', at + 1)) {
      if (!mayOpen(text, at)) continue
      head = lineHeadAfter(head, text.slice(shown, at))
      shown = at
      const found = findOpening(text, at)
      if (found === undefined) continue
      if (found === 'begun') held = text.slice(at)
      else {
        block = ''
        keep(text.slice(at, found))
      }
      return { visible: text.slice(from, at), next: found === 'begun' ? text.length : found }
    }
    head = lineHeadAfter(head, text.slice(shown))
    return { visible: text.slice(from), next: text.length }
  }

  const push = (chunk: string): string => {
    const text = held + chunk
    let visible = ''
    let at = 0
    held = ''
    while (at < text.length) {
      if (block !== undefined) at = skip(text, at)
      else {
        const part = showPart(text, at)
        visible += part.visible
        at = part.next
      }
    }
    return visible
  }

  const flush = (): string => {
    const rest = block === undefined ? held : fences === undefined ? '' : afterRepeatedLines(block + held, fences)
    reset()
    return rest
  }

  return { push, flush, reset }
}
