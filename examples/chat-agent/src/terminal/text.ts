/** Wraps text at words while it streams in, so that an answer never breaks inside a word at the edge of the screen. */

export interface WordWrap {
  /** What can be shown now; the word that is still coming is held back. */
  push(text: string): string
  /** The held word. */
  end(): string
}

const width = (text: string): number => [...text].length

/** Line breaks and indents of the text are kept. With infinite `columns` nothing is wrapped. `indent`: what the caller puts before each later line. */
export const createWordWrap = (columns: number, indent = 0): WordWrap => {
  let start = 0
  let column = 0
  let spaces = ''
  let word = ''

  const flushWord = (): string => {
    if (word === '') return ''
    const breaks = column > start && column + width(spaces) + width(word) > columns
    const shown = breaks ? `\n${word}` : spaces + word
    if (breaks) start = indent
    column = breaks ? start + width(word) : column + width(spaces) + width(word)
    spaces = ''
    word = ''
    return shown
  }

  return {
    push: (text) => {
      let shown = ''
      for (const character of text) {
        if (character === '\n') {
          shown += `${flushWord()}\n`
          start = indent
          column = start
          spaces = ''
        } else if (character === ' ') {
          shown += flushWord()
          spaces += ' '
        } else {
          word += character
        }
      }
      return shown
    },
    end: flushWord,
  }
}

/** A whole paragraph, later lines indented. */
export const wrapText = (text: string, columns: number, indent = ''): string => {
  const wrap = createWordWrap(columns, width(indent))
  return (wrap.push(text) + wrap.end()).replaceAll('\n', `\n${indent}`)
}
