/** Text for a terminal: without control characters, on one line, counted, or wrapped at words. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** So that a model or a memory entry cannot steer the terminal. Line breaks stay; a tab becomes two spaces. */
export const cleanText = (text: string): string => text.replace(CONTROL, '').replaceAll('\t', '  ')

/** On one line, cut to `length` characters. */
export const oneLine = (text: string, length = Number.POSITIVE_INFINITY): string => {
  const line = cleanText(text).replace(/\s+/g, ' ').trim()
  return [...line].length <= length ? line : `${[...line].slice(0, Math.max(1, length - 1)).join('')}…`
}

/** `1 turn`, `2 turns`. */
export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

/** `2026-11-21 23:05`, in UTC. `at`: epoch milliseconds. */
export const minute = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ')

/** How full a store is: `memory ▓▓░░░░░░░░ 12% 264/2,200`. Any use shows at least one cell; a full bar means full. */
export const gauge = (label: string, used: number, limit: number): string => {
  const percent = limit <= 0 ? 0 : Math.min(100, Math.trunc((used / limit) * 100))
  const filled = used === 0 ? 0 : Math.max(1, Math.floor(percent / 10))
  const bar = '▓'.repeat(filled) + '░'.repeat(10 - filled)
  return `${label} ${bar} ${percent}% ${used.toLocaleString('en-US')}/${limit.toLocaleString('en-US')}`
}

const width = (text: string): number => [...text].length

/**
 * Wraps text that streams in: `push` returns what can be shown now and keeps the word that is still coming, `end` returns that word. Line breaks and
 * indents of the text are kept. With infinite `columns` nothing is wrapped. `indent`: width of what the caller puts before each later line.
 */
export const createWordWrap = (columns: number, indent = 0) => {
  let [start, column, held] = [0, 0, '']
  /** `part`: a line break, or a word with the spaces before it. */
  const put = (part: string): string => {
    const word = part.trimStart()
    const breaks = part === '\n' || (word !== '' && column > start && column + width(part) > columns)
    if (breaks) start = indent
    column = breaks ? start + width(word) : column + width(part)
    return breaks ? `\n${word}` : word && part
  }
  return {
    push: (text: string): string => {
      const parts = (held + text).match(/\n| *[^ \n]+| +/g) ?? []
      held = parts.at(-1) === '\n' ? '' : (parts.pop() ?? '')
      return parts.map(put).join('')
    },
    end: (): string => {
      const shown = put(held)
      held = ''
      return shown
    },
  }
}

/** A whole paragraph, later lines indented. */
export const wrapText = (text: string, columns: number, indent = ''): string => {
  const wrap = createWordWrap(columns, width(indent))
  return (wrap.push(text) + wrap.end()).replaceAll('\n', `\n${indent}`)
}
