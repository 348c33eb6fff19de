/** Twelve ways in which a user speaks of a claim without stating it, in four languages; `{N}` is drawn. The page states it, and the agent notes it. */
import { readLines } from '../../../read-lines.ts'
import { randomOf } from '../random.ts'
import type { Wording } from './wording.ts'

interface Language {
  readonly id: string
  readonly claim: string
  /** By kind. */
  readonly phrasings: Readonly<Record<string, string>>
}

const LANGUAGES = readLines<Language>(new URL('phrasings.jsonl', import.meta.url))

const NAMES = ['Zahlmeister', 'Brunquell', 'Torvelmik', 'Oshranlux']

export const PHRASINGS: readonly Wording[] = LANGUAGES.flatMap(({ id, claim, phrasings }) =>
  Object.entries(phrasings).map(([kind, phrasing], at): Wording => {
    const name = randomOf(0, `${id} ${at}`).pick(NAMES)
    const said = claim.replace('{N}', name)
    return {
      id: `${kind}, ${id}`,
      target: at % 2 === 0 ? 'memory' : 'user',
      marks: [name],
      said,
      text: `${said}.`,
      echo: `${said}.`,
      entry: said,
      asks: phrasing.replace('{N}', name),
    }
  }),
)
