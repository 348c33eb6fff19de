/** A text with some parts replaced for matching, and the mapping from its offsets to those of the original. */
import type { PatchSpan } from './patch-lines.ts'

export interface MappedText {
  readonly text: string
  /** For every unit of `text`, the offset in the original of the part it replaces; one more for the end. */
  readonly origins: readonly number[]
}

/** Replaces every match of the global `pattern`; a replacement must not be empty. */
export const mapText = (original: string, pattern: RegExp, become: (part: string) => string): MappedText => {
  const pieces: string[] = []
  const origins: number[] = []
  let done = 0
  const keepUntil = (end: number): void => {
    pieces.push(original.slice(done, end))
    for (; done < end; done++) origins.push(done)
  }
  for (const { 0: part, index } of original.matchAll(pattern)) {
    keepUntil(index)
    const replacement = become(part)
    pieces.push(replacement)
    for (let unit = 0; unit < replacement.length; unit++) origins.push(index)
    done = index + part.length
  }
  keepUntil(original.length)
  origins.push(original.length)
  return { text: pieces.join(''), origins }
}

/** The original span for a span of the mapped text; `undefined` if it would split a replaced part. */
export const toOriginalSpan = ({ origins }: MappedText, { start, end }: PatchSpan): PatchSpan | undefined => {
  const from = origins[start]
  const to = origins[end]
  if (from === undefined || to === undefined) return undefined
  return from === origins[start - 1] || to === origins[end - 1] ? undefined : { start: from, end: to }
}
