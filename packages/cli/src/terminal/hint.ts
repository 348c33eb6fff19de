/** What to do next, below a result: dim, and wrapped to the screen. */
import { cleanText } from './clean-text.ts'
import type { Terminal } from './terminal.ts'
import { wrapText } from './wrap-text.ts'

export const hint = (text: string, { columns, paint }: Pick<Terminal, 'columns' | 'paint'>): string =>
  wrapText(cleanText(text), columns)
    .split('\n')
    .map((line) => `${paint.dim(line)}\n`)
    .join('')
