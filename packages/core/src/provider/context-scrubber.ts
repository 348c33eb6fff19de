/** Removes fenced recall that the model repeats from streamed text (reference hermes-memory 11). */

import { WHITE_SPACE } from '../shared/white-space.ts'
import { findCloseTag, findNotedTag, findOpenTag, mayOpen, type TagFound } from './tag-pattern.ts'
import { afterRepeatedLines } from './unclosed-block.ts'

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
