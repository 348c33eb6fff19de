/** Formats the outcomes as Markdown and compares them with the targets. Pure. */
import {
  type Row,
  type ScenarioOutcome,
  type Share,
  shareOf,
  summarise,
  sumOutcomes,
} from '../../packages/cli/src/commands/eval/outcomes.ts'
import { percent, table } from '../report.ts'

/** Shares from 0 to 1 over all scenarios, and tokens of learning per token of the host in sessions of usual length. */
const TARGETS = { known: 0.95, stale: 0.05, lost: 0, toolTokens: 0.1, plainTokens: 0.15, requestTokens: 2_500 } as const

const told = (share: Share): string => (share.total === 0 ? '–' : `${percent(shareOf(share) ?? 0)} (${share.hits} of ${share.total})`)

/** Tokens of learning per token of the host. */
const learningShare = ({ hostTokens, learningTokens }: Row): number => (hostTokens === 0 ? 0 : learningTokens / hostTokens)

const rowLine = (row: Row): readonly (string | number)[] => [
  row.name,
  row.played,
  told(row.known),
  told(row.stale),
  told(row.lost),
  told(row.answered),
  row.held,
  row.reviews,
  row.failures,
  `${percent(learningShare(row))} (${row.learningTokens} of ${row.hostTokens})`,
]

const HEAD = [
  'kind',
  'scenarios',
  'known',
  'stale',
  'lost',
  'answered',
  'held',
  'reviews',
  'failed',
  'tokens of learning per token of the host',
]

export interface Finding {
  readonly name: string
  readonly value: string
  readonly target: string
  readonly isMet: boolean
}

const finding = (name: string, value: string, target: string, isMet: boolean): Finding => ({ name, value, target, isMet })

const one = (outcomes: readonly ScenarioOutcome[], id: string): Row =>
  sumOutcomes(
    id,
    outcomes.filter((outcome) => outcome.id === id),
  )

/** The measurable promises. */
export const compareWithTargets = (outcomes: readonly ScenarioOutcome[]): readonly Finding[] => {
  const all = sumOutcomes('all', outcomes)
  const ofKind = (kind: ScenarioOutcome['kind']) =>
    sumOutcomes(
      kind,
      outcomes.filter((outcome) => outcome.kind === kind),
    )
  const twelve = one(outcomes, 'twelve-by-five')
  const hundred = one(outcomes, 'a-hundred-sessions')
  const ada = one(outcomes, 'my-name-is-ada')
  const tenPlain = one(outcomes, 'ten-plain-turns')
  const request = outcomes.find(({ id }) => id === 'ten-plain-turns')?.largestRequest ?? 0
  const [known = 0, stale = 0, lost = 0] = [all.known, all.stale, all.lost].map(shareOf)
  const tools = learningShare(ofKind('tools'))
  const plain = learningShare(tenPlain)
  return [
    finding('facts that should be known and are', told(all.known), `≥ ${percent(TARGETS.known)}`, known >= TARGETS.known),
    finding('stale facts that are still shown', told(all.stale), `≤ ${percent(TARGETS.stale)}`, stale <= TARGETS.stale),
    finding('facts lost', told(all.lost), '0', lost <= TARGETS.lost),
    finding('12 sessions of 5 turns: reviews', String(twelve.reviews), '6', twelve.reviews === 6),
    finding(
      '100 sessions of one new fact each: lost, held, shown of the newest ten',
      `${hundred.lost.hits}, ${hundred.held}, ${hundred.known.hits}`,
      '0, 0, 10',
      hundred.lost.hits === 0 && hundred.held === 0 && hundred.known.hits === hundred.known.total,
    ),
    finding('"my name is Ada", quit, "what is my name?"', told(ada.answered), '1 of 1', ada.answered.hits === 1),
    finding(
      'tokens of learning per token of the host, work with tools',
      percent(tools),
      `≤ ${percent(TARGETS.toolTokens)}`,
      tools <= TARGETS.toolTokens,
    ),
    finding('the same, ten plain turns', percent(plain), `≤ ${percent(TARGETS.plainTokens)}`, plain <= TARGETS.plainTokens),
    finding('tokens of the review of ten plain turns', String(request), `≤ ${TARGETS.requestTokens}`, request <= TARGETS.requestTokens),
  ]
}

const NOTES_SHOWN = 5

const describeNotes = ({ id, notes, failures }: ScenarioOutcome): readonly string[] => {
  const told = [...notes, ...failures.map((message) => `a review failed: ${message}`)]
  if (told.length === 0) return []
  const more = told.length > NOTES_SHOWN ? `; ${told.length - NOTES_SHOWN} more` : ''
  return [`- ${id}: ${told.slice(0, NOTES_SHOWN).join('; ')}${more}`]
}

const findingLine = ({ name, value, target, isMet }: Finding): readonly string[] => [name, value, target, isMet ? 'yes' : 'no']

export const describeFindings = (findings: readonly Finding[]): string =>
  table(['target', 'measured', 'wanted', 'met'], findings.map(findingLine))

/** `findings`: of all scenarios; none if only some were played. */
export const describeOutcomes = (outcomes: readonly ScenarioOutcome[], findings: readonly Finding[]): string => {
  const notes = outcomes.flatMap(describeNotes)
  return [
    table(HEAD, summarise(outcomes).map(rowLine)),
    'Tokens are estimated. The host sends its whole conversation with each call of its model, and no system prompt but ours. Sessions of a few short lines cost it next to nothing, so only the last two kinds are like real work in this column.',
    ...(findings.length === 0 ? [] : [describeFindings(findings)]),
    ...(notes.length === 0 ? [] : [`Not as expected:\n${notes.join('\n')}`]),
  ].join('\n\n')
}
