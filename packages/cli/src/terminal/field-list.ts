/** Labels and their values, one pair a line. */
import { cleanText } from './clean-text.ts'
import type { Terminal } from './terminal.ts'
import { wrapText } from './text-width.ts'

export type Field = readonly [label: string, text: string | undefined]

const INDENT = 2

/** Omits fields whose value is undefined or blank. */
export const renderFields = (fields: readonly Field[], { columns, paint }: Terminal): string => {
  const shown = fields.flatMap(([label, text]): readonly (readonly [string, string])[] =>
    text === undefined || text.trim() === '' ? [] : [[label, cleanText(text)]],
  )
  const width = Math.max(0, ...shown.map(([label]) => label.length))
  const margin = ' '.repeat(INDENT)
  return shown
    .map(([label, text]) => `${margin}${paint.dim(label.padEnd(width))}  ${wrapText(text, columns, INDENT + width + 2)}\n`)
    .join('')
}

export const hint = (text: string, { columns, paint }: Pick<Terminal, 'columns' | 'paint'>): string =>
  wrapText(cleanText(text), columns)
    .split('\n')
    .map((line) => `${paint.dim(line)}\n`)
    .join('')
