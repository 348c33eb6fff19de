/** What a merge of two skills makes of a statement: `{N}` and `{K}` are drawn. */
import { type Random, randomOf } from '../random.ts'
import { drawWordings, inventName } from './draw-wordings.ts'
import type { Wording } from './wording.ts'

/** The statement before and behind the merge. */
type Change = readonly [before: string, after: string]

const NEGATIONS: readonly Change[] = [
  ['Never close a draft of {N}', 'Close a draft of {N}'],
  ['Do not delete the branches of {N}', 'Delete the branches of {N}'],
  ['Reply to {N} only when asked', 'Reply to {N}'],
  ['Never restart {N} by day', 'Restart {N} by day'],
  ['Ask {N} before you publish', 'Publish before you ask {N}'],
  ['Schließe nie einen Entwurf von {N}', 'Schließe einen Entwurf von {N}'],
  ['Lösche keine Zweige von {N}', 'Lösche Zweige von {N}'],
  ['Ne ferme jamais un brouillon de {N}', 'Ferme un brouillon de {N}'],
  ['Nunca cierres un borrador de {N}', 'Cierra un borrador de {N}'],
  ['Никогда не закрывай черновик {N}', 'Закрывай черновик {N}'],
]

const NUMBERS: readonly Change[] = [
  ['Close requests of {N} without a commit for 60 days', 'Close requests of {N} without a commit for 6 days'],
  ['Keep 14 backups of {N}', 'Keep 4 backups of {N}'],
  ['Wait 30 minutes before you restart {N}', 'Wait 3 minutes before you restart {N}'],
  ['Ask two people of {N} before a release', 'Ask one person of {N} before a release'],
  ['Pay {N} at most 100 euros', 'Pay {N} at most 1000 euros'],
  ['Bewahre 14 Sicherungen von {N} auf', 'Bewahre 4 Sicherungen von {N} auf'],
  ['Warte 30 Minuten, bevor du {N} startest', 'Warte 3 Minuten, bevor du {N} startest'],
  ['Garde 14 copies de {N}', 'Garde 4 copies de {N}'],
  ['Guarda 14 copias de {N}', 'Guarda 4 copias de {N}'],
  ['Храни 14 копий {N}', 'Храни 4 копии {N}'],
]

const NAMES_EACH = 5

const changed = (kind: string, changes: readonly Change[], random: Random): readonly Wording[] =>
  changes.flatMap(([before, after], at) =>
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

export const NEGATIONS_DROPPED: readonly Wording[] = changed('negation', NEGATIONS, randomOf(0, 'negations'))
export const NUMBERS_CHANGED: readonly Wording[] = changed('number', NUMBERS, randomOf(0, 'numbers'))

/** A statement that stands in neither skill: the claims of the other channels. */
export const STATEMENTS_ADDED: readonly Wording[] = drawWordings('statements added', 0).map((wording) => ({
  ...wording,
  text: 'Read the change.',
}))
