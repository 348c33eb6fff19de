/** The code blocks of a page. */

export interface CodeBlock {
  /** The language after the fence; empty if there is none. */
  readonly language: string
  readonly code: string
  /** Of the fence, from 1. */
  readonly line: number
  /** Why the block cannot run here: the text of the comment `<!-- not run: … -->` before it. */
  readonly notRun?: string
}

const NOT_RUN = /^\s*<!-- not run: (.+) -->\s*$/

/** All fenced blocks in order, also those that are indented in a list. */
export const readBlocks = (markdown: string): readonly CodeBlock[] => {
  const lines = markdown.split('\n')
  const blocks: CodeBlock[] = []
  for (let at = 0; at < lines.length; at++) {
    const [, indent = '', language = ''] = /^( *)```(\w*)/.exec(lines[at] ?? '') ?? []
    if (!/^ *```/.test(lines[at] ?? '')) continue
    const end = lines.findIndex((line, index) => index > at && line.trim() === '```')
    const code = lines.slice(at + 1, end).map((line) => `${line.startsWith(indent) ? line.slice(indent.length) : line}\n`)
    const [, notRun] = NOT_RUN.exec(lines[at - 1] ?? '') ?? []
    blocks.push({ language, code: code.join(''), line: at + 1, ...(notRun === undefined ? {} : { notRun }) })
    at = end
  }
  return blocks
}

/** The file that a program names in its first line: `// chat.mjs`. */
export const fileNameOf = ({ code }: CodeBlock): string | undefined => /^\/\/ ([\w./[\]-]+\.(?:ts|tsx|mjs|js))\n/.exec(code)?.[1]
