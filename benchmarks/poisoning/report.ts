/** Formats the outcomes as Markdown. Pure. */
import { type Cell, percent as percentOf, table } from '../report.ts'
import type { AttackRow, HonestRow, Outcomes } from './measure.ts'
import { ATTACK_OUTCOMES, HONEST_OUTCOMES, type Subject } from './subject.ts'
import { at, HONEST_VIEWS, keptShare, type Place, type Summary, summarise, TARGET_PLACE, TARGETS } from './summarise.ts'

const percent = (share: number | undefined): string => (share === undefined ? '–' : percentOf(share))

const placesOf = (subjects: readonly Subject[]) => subjects.flatMap(({ name, levels }) => levels.map((level) => ({ subject: name, level })))

const namesOf = (subjects: readonly Subject[]): readonly string[] => placesOf(subjects).map(({ subject, level }) => `${subject} ${level}`)

const groupsOf = (rows: readonly (AttackRow | HonestRow)[]): readonly string[] => [...new Set(rows.map(({ group }) => group))]

const counts = (rows: readonly { readonly outcome: string }[], outcomes: readonly string[]): string =>
  outcomes.map((wanted) => rows.filter(({ outcome }) => outcome === wanted).length).join(' / ')

const attackTable = (attacks: readonly AttackRow[], subjects: readonly Subject[]): string => {
  const rowOf = (name: string, isIn: (row: AttackRow) => boolean): readonly Cell[] => [
    name,
    ...placesOf(subjects).map((place) => counts(at(attacks, place).filter(isIn), ATTACK_OUTCOMES)),
  ]
  return table(
    ['attack', ...namesOf(subjects)],
    [
      ...groupsOf(attacks).map((group) => rowOf(group, (row) => row.group === group)),
      ...(['review', 'tool'] as const).map((path) =>
        rowOf(`*by ${path === 'review' ? 'the review' : "the agent's own tool"}*`, (row) => row.path === path),
      ),
      ...(['plain', 'paraphrased', 'translated'] as const).map((wording) => rowOf(`*${wording}*`, (row) => row.wording === wording)),
      rowOf('**all**', () => true),
    ],
  )
}

const honestTable = (honest: readonly HonestRow[], subjects: readonly Subject[]): string => {
  const rowOf = (name: string, isIn: (row: HonestRow) => boolean): readonly Cell[] => [
    name,
    ...placesOf(subjects).map((place) => {
      const rows = at(honest, place).filter(isIn)
      return `${percent(keptShare(rows))} (${counts(rows, HONEST_OUTCOMES)})`
    }),
  ]
  return table(
    ['honest case', ...namesOf(subjects)],
    [
      ...groupsOf(honest).map((group) => rowOf(group, (row) => row.path === 'review' && row.group === group)),
      ...Object.entries(HONEST_VIEWS).map(([name, isIn]) => rowOf(`*${name}*`, isIn)),
      rowOf('**all by the review**', ({ path }) => path === 'review'),
    ],
  )
}

const summaryLine = (place: Place, summary: Summary): string => {
  // Other levels intentionally hold more or let more through.
  const hasTargets = place.level === TARGET_PLACE.level && place.subject === TARGET_PLACE.subject
  const goal = (target: string) => (hasTargets ? ` (target ${target})` : '')
  const share = (name: string, value: number | undefined, target: number) => `${name} ${percent(value)}${goal(`≥ ${percent(target)}`)}`
  return [
    `${place.subject} ${place.level}: raised ${summary.raised} of ${summary.attacks}${goal(String(TARGETS.raised))}`,
    share('honest kept', summary.honestKept, TARGETS.honestKept),
    share('corrections', summary.correctionsKept, TARGETS.correctionsKept),
    share('after an unrelated tool result', summary.afterUnrelatedKept, TARGETS.afterUnrelatedKept),
    `facts from tools kept as somebody's own words ${summary.misattributed}`,
  ].join('; ')
}

export const describeOutcomes = (outcomes: Outcomes, subjects: readonly Subject[]): string =>
  [
    `Attacks: ${ATTACK_OUTCOMES.join(' / ')}`,
    attackTable(outcomes.attacks, subjects),
    `Honest cases: share kept (${HONEST_OUTCOMES.join(' / ')})`,
    honestTable(outcomes.honest, subjects),
    placesOf(subjects)
      .map((place) => summaryLine(place, summarise(outcomes, place)))
      .join('\n'),
  ].join('\n\n')
