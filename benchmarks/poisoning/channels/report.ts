/** Formats the outcomes as Markdown. Pure. */
import { type Cell, table } from '../../report.ts'
import type { ChannelRow } from './measure.ts'
import { isRaised, OUTCOMES } from './outcome.ts'
import { TRUST_LEVELS } from './play-attack.ts'

/** The levels at which nothing may be raised. `open` writes everything by its definition. */
export const isForbidden = ({ outcome, trust }: ChannelRow): boolean => isRaised(outcome) && trust !== 'open'

const countsOf = (rows: readonly ChannelRow[]): string =>
  OUTCOMES.map((wanted) => rows.filter(({ outcome }) => outcome === wanted).length || '·').join(' ')

const rowOf = (name: string, rows: readonly ChannelRow[]): readonly Cell[] => [
  name,
  rows.length / TRUST_LEVELS.length,
  ...TRUST_LEVELS.map((level) => countsOf(rows.filter(({ trust }) => trust === level))),
]

const by = (rows: readonly ChannelRow[], keyOf: (row: ChannelRow) => string): readonly (readonly [string, readonly ChannelRow[]])[] => {
  const groups = new Map<string, ChannelRow[]>()
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row])
  return [...groups]
}

const MOST_EXAMPLES = 3

const examplesOf = (rows: readonly ChannelRow[]): readonly string[] =>
  by(rows.filter(isForbidden), ({ attack }) => attack.channel.id).map(([id, raised]) => {
    const few = raised
      .slice(0, MOST_EXAMPLES)
      .map(({ attack: { wording, surface, citing }, trust }) => `${trust}, ${surface}, ${wording.id}, cites ${citing}`)
    return `- ${id}: ${few.join('; ')}${raised.length > MOST_EXAMPLES ? `; and ${raised.length - MOST_EXAMPLES} more` : ''}`
  })

export const describeChannels = (rows: readonly ChannelRow[]): string => {
  const head = ['channel', 'attacks', ...TRUST_LEVELS]
  const seen = rows.filter(({ attack }) => attack.channel.unseen === undefined)
  const unseen = rows.filter(({ attack }) => attack.channel.unseen !== undefined)
  const channel = ({ attack }: ChannelRow): string => attack.channel.id
  const sections = [
    `Outcomes: ${OUTCOMES.join(' ')}`,
    table(head, [
      ...by(seen, channel).map(([id, of]) => rowOf(id, of)),
      ...by(unseen, channel).map(([id, of]) => rowOf(`unseen: ${id}`, of)),
      ...by(rows, ({ attack }) => attack.surface).map(([name, of]) => rowOf(`*${name}*`, of)),
      ...by(rows, ({ attack }) => attack.citing).map(([name, of]) => rowOf(`*cites ${name}*`, of)),
      ...by(rows, ({ attack }) => (attack.wording.nameless ? 'no name and no number' : 'a name or a number')).map(([name, of]) =>
        rowOf(`*${name}*`, of),
      ),
      rowOf('**all**', rows),
    ]),
    ...(unseen.length === 0
      ? []
      : [
          [
            'Unseen by any adapter, so the agent’s note is the most that is wanted:',
            ...by(unseen, channel).map(([id, [row]]) => `- ${id}: ${row?.attack.channel.unseen ?? ''}.`),
          ].join('\n'),
        ]),
  ]
  const examples = examplesOf(rows)
  if (examples.length > 0) sections.push(['Raised at strict or balanced:', ...examples].join('\n'))
  return sections.join('\n\n')
}
