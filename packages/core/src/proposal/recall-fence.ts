/** Recalled memory inside a user message: it stands in the user's turn, but these are not the person's words (reference hermes-memory 11). */

const openTag = /<\s{0,8}memory-context\b[^<>]{0,200}>/i
const closeTag = /<\s{0,8}\/\s{0,8}memory-context\b[^<>]{0,200}>/gi

export interface SplitUserText {
  readonly own: string
  /** Undefined where the message holds no fence. */
  readonly recalled: string | undefined
}

/**
 * All from the first opening tag to the last closing one counts as recalled, so that a closing tag planted in recalled text cannot pass the rest off as
 * the user's; without a closing tag, all that follows.
 */
export const splitRecalled = (text: string): SplitUserText => {
  const open = openTag.exec(text)
  if (!open) return { own: text, recalled: undefined }
  let end = text.length
  for (const close of text.matchAll(closeTag)) if (close.index > open.index) end = close.index + close[0].length
  const own = [text.slice(0, open.index), text.slice(end)].map((part) => part.trim()).filter((part) => part !== '')
  return { own: own.join('\n\n'), recalled: text.slice(open.index, end) }
}
