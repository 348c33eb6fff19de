/** Code fences, triple quotes, what a host fenced with `fenceContext`, and tags that hold a document. */
import type { Range } from './lines.ts'

/** Begin and end of text from outside. Tildes count only at the start of a line, since chats use them inside lines. */
const fence = /`{3,}|(?<=^[ \t]{0,3})~{3,}|"{3,}|'{3,}|<\s{0,8}\/?\s{0,8}memory-context\b[^<>]{0,200}>/gim

export interface Mark extends Range {
  /** Its first character: marks of one kind close each other. */
  readonly kind: string
}

export const fencesIn = (text: string): readonly Mark[] =>
  [...text.matchAll(fence)].map(({ index, 0: found }) => ({ start: index, end: index + found.length, kind: found.charAt(0) }))

/**
 * From the first mark to the last, whatever is between them: quoted text may contain marks of its own, and none of these may turn what follows into the
 * user's words. A last mark without an earlier one of its kind is unclosed, so its text extends to the end.
 */
export const markedRange = (marks: readonly Mark[], length: number): Range => {
  const [first, last] = [marks[0], marks.at(-1)]
  if (!first || !last) return { start: length, end: length }
  const isClosed = marks.slice(0, -1).some(({ kind }) => kind === last.kind)
  return { start: first.start, end: isClosed ? last.end : length }
}
