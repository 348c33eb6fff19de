/** Formats the outcomes as Markdown. Pure. */
import { type Cell, percent, table } from '../report.ts'
import type { Answered, Noise, SubjectOutcome } from './measure-recall.ts'

const share = <T>(list: readonly T[], isIn: (item: T) => boolean): number =>
  list.length === 0 ? 0 : list.filter(isIn).length / list.length

const mean = (numbers: readonly number[]): number =>
  numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length

/** `rank` from 0 to 1: nearest rank. */
export const percentile = (numbers: readonly number[], rank: number): number => {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(rank * sorted.length) - 1)] ?? 0
}

export const times = (ms: readonly number[]): string =>
  [percentile(ms, 0.5), percentile(ms, 0.95), percentile(ms, 1)].map((each) => each.toFixed(1)).join(' / ')

/** Share of the questions whose evidence is among the first `k` sessions. */
export const recallAt = (answered: readonly Answered[], k: number): number => share(answered, ({ place }) => place > 0 && place <= k)

const reciprocalRank = (answered: readonly Answered[]): number => mean(answered.map(({ place }) => (place === 0 ? 0 : 1 / place)))

const CHARS_OF_A_TOKEN = 4

export const tokensPerTurn = (answered: readonly Answered[]): number =>
  mean(answered.map(({ prefetchedChars }) => prefetchedChars / CHARS_OF_A_TOKEN))

export const noiseShare = (noise: readonly Noise[]): number => share(noise, ({ recalled }) => recalled.length > 0)

const hasUpdates = (answered: readonly Answered[]): boolean => answered.some(({ question }) => question.outdated.length > 0)

export const newestFirstShare = (answered: readonly Answered[]): number =>
  share(
    answered.filter(({ question }) => question.outdated.length > 0),
    ({ newestFirst }) => newestFirst,
  )

interface Group {
  readonly name: string
  readonly isIn: (answered: Answered) => boolean
}

const BANDS: readonly Group[] = [
  { name: '*no word in common*', isIn: ({ inCommon }) => inCommon === 0 },
  { name: '*up to a third*', isIn: ({ inCommon }) => inCommon > 0 && inCommon <= 1 / 3 },
  { name: '*up to two thirds*', isIn: ({ inCommon }) => inCommon > 1 / 3 && inCommon <= 2 / 3 },
  { name: '*more*', isIn: ({ inCommon }) => inCommon > 2 / 3 },
]

const groupsOf = (answered: readonly Answered[]): readonly Group[] => [
  ...[...new Set(answered.map(({ question }) => question.kind))].map((kind) => ({
    name: kind,
    isIn: ({ question }: Answered) => question.kind === kind,
  })),
  ...(['same', 'partly', 'other'] as const).map((wording) => ({
    name: `*worded ${wording}*`,
    isIn: ({ question }: Answered) => question.wording === wording,
  })),
  ...BANDS,
  { name: '**all**', isIn: () => true },
]

const qualityTable = (outcomes: readonly SubjectOutcome[]): string =>
  table(
    ['questions', 'number', ...outcomes.flatMap(({ subject }) => [`${subject}: @1`, '@5', '@10', 'MRR', 'prefetched'])],
    groupsOf(outcomes[0]?.answered ?? []).flatMap(({ name, isIn }) => {
      const number = (outcomes[0]?.answered ?? []).filter(isIn).length
      if (number === 0) return []
      const cells = outcomes.flatMap(({ answered }): readonly Cell[] => {
        const rows = answered.filter(isIn)
        const recall = [1, 5, 10].map((k) => percent(recallAt(rows, k)))
        return [...recall, reciprocalRank(rows).toFixed(2), percent(share(rows, ({ prefetched }) => prefetched))]
      })
      return [[name, number, ...cells]]
    }),
  )

const quietRows = (outcomes: readonly SubjectOutcome[]): readonly (readonly Cell[])[] =>
  (
    [
      ['small talk such as "ok thanks"', ({ smallTalk }) => smallTalk],
      ['questions about the world', ({ unrelated }) => unrelated],
    ] satisfies readonly (readonly [string, (outcome: SubjectOutcome) => readonly Noise[]])[]
  ).map(([what, noiseOf]) => [
    `nothing recalled for ${what} (${outcomes[0] ? noiseOf(outcomes[0]).length : 0})`,
    ...outcomes.map((outcome) => percent(1 - noiseShare(noiseOf(outcome)))),
  ])

const costTable = (outcomes: readonly SubjectOutcome[]): string =>
  table(
    ['', ...outcomes.map(({ subject }) => subject)],
    [
      [
        'updates: the newest before the outdated',
        ...outcomes.map(({ answered }) => (hasUpdates(answered) ? percent(newestFirstShare(answered)) : '–')),
      ],
      ['tokens recalled per turn (estimated)', ...outcomes.map(({ answered }) => tokensPerTurn(answered).toFixed(0))],
      ...quietRows(outcomes),
      ['messages', ...outcomes.map(({ messages }) => messages)],
      ['time to index, s', ...outcomes.map(({ indexMs }) => (indexMs / 1000).toFixed(1))],
      ['bytes of the index per message', ...outcomes.map(({ bytes, messages }) => (bytes / Math.max(1, messages)).toFixed(0))],
    ],
  )

const MISSES_SHOWN = 60

/** Questions whose evidence is not among the first five. */
export const describeMisses = ({ subject, answered }: SubjectOutcome, shown = MISSES_SHOWN): string => {
  const missed = answered.filter(({ place }) => place === 0 || place > 5)
  const lines = missed.slice(0, shown).map(({ question, place, found, inCommon }) => {
    const { id, kind, text, said, evidence } = question
    const first = said.split('\n')[0]?.slice(0, 160)
    return `- ${kind} \`${id}\` (${place === 0 ? 'not found' : `place ${place}`}, ${percent(inCommon)} in common): "${text}" is answered in ${evidence.join(', ')} by "${first}"; found ${found.slice(0, 5).join(', ')}`
  })
  return [`${subject}: ${missed.length} of ${answered.length} questions have no answer among the first five sessions.`, ...lines].join('\n')
}

const WORDED_OTHER: Group = { name: 'in none of the words', isIn: ({ question }) => question.wording === 'other' }

/** What the pages show: found among the first five sessions, and what is recalled without being asked for. */
export const summariseRecall = (outcomes: readonly SubjectOutcome[]): string => {
  const all = outcomes[0]?.answered ?? []
  const kinds = groupsOf(all).filter(({ name }) => !name.startsWith('*'))
  const everything: Group = { name: '**all**', isIn: () => true }
  return table(
    ['found among the first five', ...outcomes.map(({ subject }) => subject)],
    [
      ...[...kinds, WORDED_OTHER, everything].map(({ name, isIn }) => [
        `${name} (${all.filter(isIn).length})`,
        ...outcomes.map(({ answered }) => percent(recallAt(answered.filter(isIn), 5))),
      ]),
      ['shown without being asked for', ...outcomes.map(({ answered }) => percent(share(answered, ({ prefetched }) => prefetched)))],
      ['updates: the newest session before the outdated ones', ...outcomes.map(({ answered }) => percent(newestFirstShare(answered)))],
      ...quietRows(outcomes),
    ],
  )
}

export const describeRecall = (outcomes: readonly SubjectOutcome[]): string => {
  const answered = outcomes[0]?.answered ?? []
  return [
    `${answered.length} questions; mean share of their content words in the answering turn: ${percent(mean(answered.map(({ inCommon }) => inCommon)))}`,
    qualityTable(outcomes),
    costTable(outcomes),
  ].join('\n\n')
}
