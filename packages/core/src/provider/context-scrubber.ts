/** Removes fenced recall that the model repeats from streamed text (reference hermes-memory 11). */
import { WHITE_SPACE } from '../shared/white-space.ts'
import { CONTEXT_CLOSE_TAG, CONTEXT_OPEN_TAG } from './context-fence.ts'

/**
 * Contract: a block starts at an open tag (any case) that has only white space before it on its line and a line break directly after it, and ends at the first
 * close tag. Its content is never returned; an unclosed block hides the rest. The joined output of `push` and `flush` does not depend on chunk boundaries.
 */
export interface ContextScrubber {
  /** Returns the text that is certainly visible. Holds back at most 16 characters that may become a tag. */
  readonly push: (chunk: string) => string
  /** Call at the end of an answer. Returns the held text, or nothing inside a block. The next text counts as starting on a new line. */
  readonly flush: () => string
  /** Call for a new turn: drops held text and an open block. */
  readonly reset: () => void
}

// No `u` flag, so that case folding stays within ASCII: ſ and the Kelvin sign do not match, and indices never shift.
const openTag = new RegExp(CONTEXT_OPEN_TAG, 'gi')
const closeTag = new RegExp(CONTEXT_CLOSE_TAG, 'gi')
const blank = new RegExp(`^[${WHITE_SPACE}]*$`)

const indexOfTag = (tag: RegExp, text: string, from: number): number => {
  tag.lastIndex = from
  return tag.exec(text)?.index ?? -1
}

/** Length of the longest prefix of `tag` that ends `text`, starting at `from` or later. */
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

  /** Drops the text up to the close tag; returns the offset after it. */
  const skip = (text: string, at: number): number => {
    const found = indexOfTag(closeTag, text, at)
    if (found < 0) {
      held = text.slice(text.length - beginningOfTag(text, at, CONTEXT_CLOSE_TAG))
      return text.length
    }
    inBlock = false
    return found + CONTEXT_CLOSE_TAG.length
  }

  /** Shows the text up to the next open tag, and the tag too if it does not open a block; `next` is the offset after it. */
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
