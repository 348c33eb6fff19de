/** Lines with invisible characters, which are not typed but pasted. */
import { holdsInvisible } from '../../threats/invisible.ts'
import type { Range } from './lines.ts'

const line = /[^\n]+/g

export const hiddenLines = (text: string): readonly Range[] =>
  holdsInvisible(text)
    ? [...text.matchAll(line)]
        .filter(([each]) => holdsInvisible(each))
        .map(({ index, 0: each }) => ({ start: index, end: index + each.length }))
    : []
