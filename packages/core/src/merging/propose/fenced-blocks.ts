/** The fenced blocks of a Markdown text. A fence inside a block counts only where it could end it. Pure, linear. */

export interface FencedBlock {
  /** The words behind the opening fence, such as `yaml`. */
  readonly info: string
  readonly body: string
  /** Where the opening fence stands in the text. */
  readonly start: number
  /** False for one that runs to the end of the text. */
  readonly isClosed: boolean
}

const opening = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})[ \t]*(.*?)[ \t]*$/

export const fencedBlocks = (text: string): readonly FencedBlock[] => {
  const blocks: FencedBlock[] = []
  let open: { readonly mark: string; readonly info: string; readonly start: number; readonly lines: string[] } | undefined
  let at = 0
  for (const line of text.split('\n')) {
    const plain = line.endsWith('\r') ? line.slice(0, -1) : line
    const fence = opening.exec(plain)
    const [, mark = '', info = ''] = fence ?? []
    if (!open) {
      if (fence) open = { mark, info, start: at, lines: [] }
    } else if (fence && info === '' && mark.startsWith(open.mark)) {
      blocks.push({ info: open.info, body: open.lines.join('\n'), start: open.start, isClosed: true })
      open = undefined
    } else open.lines.push(line)
    at += line.length + 1
  }
  if (open) blocks.push({ info: open.info, body: open.lines.join('\n'), start: open.start, isClosed: false })
  return blocks
}
