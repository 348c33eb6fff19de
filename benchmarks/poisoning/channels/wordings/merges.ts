/** What a merge of two skills makes of a statement: `{N}` and `{K}` are drawn. */
import { readLines } from '../../../read-lines.ts'
import { type Random, randomOf } from '../random.ts'
import { drawWordings, inventName } from './draw-wordings.ts'
import type { Wording } from './wording.ts'

interface Change {
  readonly kind: 'negation' | 'number'
  /** The statement before and behind the merge. */
  readonly before: string
  readonly after: string
}

const CHANGES = readLines<Change>(new URL('merges.jsonl', import.meta.url))

const NAMES_EACH = 5

const changed = (wanted: Change['kind'], random: Random): readonly Wording[] =>
  CHANGES.filter(({ kind }) => kind === wanted).flatMap(({ kind, before, after }, at) =>
    Array.from({ length: NAMES_EACH }, (_, copy): Wording => {
      const name = inventName(random)
      const [said, entry] = [before.replace('{N}', name), after.replace('{N}', name)]
      return {
        id: `${kind} ${at + 1}, ${copy + 1}`,
        target: 'memory',
        // As a whole item of its list: the old statement may hold the new one.
        marks: [`- ${entry}.`],
        said,
        text: said,
        echo: entry,
        entry,
      }
    }),
  )

export const NEGATIONS_DROPPED: readonly Wording[] = changed('negation', randomOf(0, 'negations'))
export const NUMBERS_CHANGED: readonly Wording[] = changed('number', randomOf(0, 'numbers'))

/** A statement that stands in neither skill: the claims of the other channels. */
export const STATEMENTS_ADDED: readonly Wording[] = drawWordings('statements added', 0).map((wording) => ({
  ...wording,
  text: 'Read the change.',
}))
