/** Keeps fenced recall that the model repeats out of streamed text, however the stream is cut (reference hermes-memory 11). */
import { WHITE_SPACE } from '../shared/white-space.ts'
import { CONTEXT_CLOSE_TAG, CONTEXT_OPEN_TAG } from './context-fence.ts'

/**
 * Contract: a block opens at an open tag (any case) that has only white space before it on its line and a line end right after it, and
 * closes at the first close tag. What lies between is never returned; a block without an end hides the rest. The joined output of `push`
 * and `flush` does not depend on where the chunks are cut.
 */
export interface ContextScrubber {
  /** The part of the stream so far that is sure to be visible. Holds back what may become a tag, at most 16 characters. */
  readonly push: (chunk: string) => string
  /** At the end of a model's answer: the held text, or nothing inside a block. What comes next starts on a fresh line. */
  readonly flush: () => string
  /** For a new turn: forgets everything. */
  readonly reset: () => void
}

// Without the `u` flag, ignoring case stays within ASCII: ſ and the Kelvin sign are no letters of the tag, and no index ever shifts.
const openTag = new RegExp(CONTEXT_OPEN_TAG, 'gi')
const closeTag = new RegExp(CONTEXT_CLOSE_TAG, 'gi')
const blank = new RegExp(`^[${WHITE_SPACE}]*$`)

const indexOfTag = (tag: RegExp, text: string, from: number): number => {
  tag.lastIndex = from
  return tag.exec(text)?.index ?? -1
}

/** Length of the longest end of `text`, not before `from`, with which `tag` begins. */
const beginningOfTag = (text: string, from: number, tag: string): number => {
  for (let length = Math.min(tag.length - 1, text.length - from); length > 0; length--) {
    if (text.slice(text.length - length).toLowerCase() === tag.slice(0, length)) return length
  }
  return 0
}

export const createContextScrubber = (): ContextScrubber => {
  let held = ''
  let inBlock = false
  let lineIsBlank = true

  const show = (text: string): string => {
    const lineEnd = text.lastIndexOf('\n')
    lineIsBlank = (lineEnd >= 0 || lineIsBlank) && blank.test(text.slice(lineEnd + 1))
    return text
  }

  const reset = (): void => {
    held = ''
    inBlock = false
    lineIsBlank = true
  }

  /** Drops up to the close tag; gives the offset after it. */
  const skip = (text: string, at: number): number => {
    const found = indexOfTag(closeTag, text, at)
    if (found < 0) {
      held = text.slice(text.length - beginningOfTag(text, at, CONTEXT_CLOSE_TAG))
      return text.length
    }
    inBlock = false
    return found + CONTEXT_CLOSE_TAG.length
  }

  /** Shows up to the next open tag, and the tag too where it opens nothing; gives the offset after what it dealt with. */
  const showPart = (text: string, at: number): { readonly visible: string; readonly next: number } => {
    const found = indexOfTag(openTag, text, at)
    const start = found < 0 ? text.length - beginningOfTag(text, at, CONTEXT_OPEN_TAG) : found
    const visible = show(text.slice(at, start))
    const next = found < 0 ? text.length : start + CONTEXT_OPEN_TAG.length
    if (found < 0 || (lineIsBlank && next === text.length)) {
      held = text.slice(start)
      return { visible, next }
    }
    inBlock = lineIsBlank && (text[next] === '\n' || text[next] === '\r')
    return { visible: inBlock ? visible : visible + show(text.slice(start, next)), next }
  }

  const push = (chunk: string): string => {
    const text = held + chunk
    let visible = ''
    let at = 0
    held = ''
    while (at < text.length) {
      if (inBlock) at = skip(text, at)
      else {
        const part = showPart(text, at)
        visible += part.visible
        at = part.next
      }
    }
    return visible
  }

  const flush = (): string => {
    const rest = inBlock ? '' : held
    reset()
    return rest
  }

  return { push, flush, reset }
}
