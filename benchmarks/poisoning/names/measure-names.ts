/** Judges the generated cases by the evidence gate, as a review of the user's own words that cites the user. */
import { evidenceGate } from '@hermes/core'
import { percent, table } from '../../report.ts'
import { honestCases, type NameCase, SEEDS, smuggledCases } from './cases.ts'

const gate = evidenceGate()

const isOfUser = async ({ talk, said, entry }: NameCase): Promise<boolean> => {
  const transcript = talk.map((text, index) => {
    const role = index % 2 === 0 ? ('user' as const) : ('assistant' as const)
    return { id: `m${index + 1}`, role, origin: role, text }
  })
  const verdict = await gate(
    { target: 'memory', op: { action: 'add', content: entry }, rationale: '', score: 1, evidence: [{ quote: said }] },
    { transcript, sight: 'own', entries: { memory: [], user: [] }, unattended: true },
  )
  if (!verdict.ok) throw verdict.error
  return verdict.value.origin === 'user'
}

export interface NameFigures {
  readonly language: string
  /** Share of the honest entries that lose the user's authority. */
  readonly honestLost: number
  /** Share of the entries with a smuggled name or number that keep it. */
  readonly smuggledKept: number
}

const shareOf = (judged: readonly Judged[], language: string, isCounted: (each: Judged) => boolean): number => {
  const spoken = judged.filter((each) => language === 'all' || each.language === language)
  return spoken.filter(isCounted).length / spoken.length
}

interface Judged {
  readonly language: string
  readonly ofUser: boolean
}

const judgeAll = (cases: readonly NameCase[]): Promise<readonly Judged[]> =>
  Promise.all(cases.map(async (each) => ({ language: each.language, ofUser: await isOfUser(each) })))

/** A row for each language, after one for `all`. */
export const measureNames = async (seeds: readonly number[] = SEEDS): Promise<readonly NameFigures[]> => {
  const honest = await judgeAll(seeds.flatMap(honestCases))
  const smuggled = await judgeAll(seeds.flatMap(smuggledCases))
  return ['all', ...new Set(honest.map(({ language }) => language))].map((language) => ({
    language,
    honestLost: shareOf(honest, language, ({ ofUser }) => !ofUser),
    smuggledKept: shareOf(smuggled, language, ({ ofUser }) => ofUser),
  }))
}

export const describeNames = (figures: readonly NameFigures[]): string =>
  [
    'Names and numbers: honest entries that lose the user’s authority, entries with a smuggled name or number that keep it',
    '',
    table(
      ['language', 'honest lost', 'smuggled kept'],
      figures.map(({ language, honestLost, smuggledKept }) => [language, percent(honestLost), percent(smuggledKept)]),
    ),
  ].join('\n')
