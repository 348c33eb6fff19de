/** Whether a line of streamed text so far consists of white space and the marks of lists, quotes and headings. Pure. */
import { WHITE_SPACE } from '../shared/white-space.ts'

/** `''` at the head of a line; digits that may become the number of a list; undefined once the line has words. */
export type LineHead = string | undefined

const HEAD = new RegExp(`^(?:[${WHITE_SPACE}>*+#|•–-]|\\d{1,9}[.)])*(\\d{0,9})$`)

export const lineHeadAfter = (head: LineHead, text: string): LineHead => {
  const lineEnd = text.lastIndexOf('\n')
  const before = lineEnd < 0 ? head : ''
  return before === undefined ? undefined : HEAD.exec(before + text.slice(lineEnd + 1))?.[1]
}
