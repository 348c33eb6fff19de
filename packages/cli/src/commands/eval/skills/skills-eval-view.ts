/** Renders the report of an evaluation of skills as text, as Markdown and as JSON. Pure. */
import { hint, renderFields } from '../../../terminal/field-list.ts'
import { counted, formatCount } from '../../../terminal/format.ts'
import { type Column, renderTable } from '../../../terminal/table.ts'
import type { Terminal } from '../../../terminal/terminal.ts'
import { renderNotes } from '../eval-view.ts'
import type { Meter } from './agent.ts'
import type { FamilyOutcome } from './play-family.ts'
import type { SkillsEvaluated } from './run-skills-eval.ts'
import { type ArmSummary, compareArms, type Difference, type FamilySummary, summariseArms, summariseFamilies } from './summarise-arms.ts'

export interface SkillsEvalReport extends SkillsEvaluated {
  /** Name shown to a person. */
  readonly model: string
  readonly isScripted: boolean
  readonly runs: number
  /** What all of it was expected to use. */
  readonly estimate: Omit<Meter, 'estimatedCalls'>
}

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`

const points = (share: number): string => `${share > 0 ? '+' : ''}${(share * 100).toFixed(0)}`

const rounded = (count: number): string => formatCount(Math.round(count))

const ARM_COLUMNS: readonly Column<ArmSummary>[] = [
  { title: 'skills', cell: ({ arm }) => arm },
  { title: 'passed', cell: ({ passed }) => percent(passed), align: 'right' },
  { title: 'tasks', cell: ({ hits, tasks }) => `${formatCount(hits)} of ${formatCount(tasks)}`, align: 'right' },
  { title: 'loaded', cell: ({ arm, loaded }) => (arm === 'none' ? '–' : percent(loaded)), align: 'right', drop: 2 },
  { title: 'tokens a task', cell: ({ tokensPerTask }) => rounded(tokensPerTask), align: 'right', drop: 1 },
]

const describeInterval = ({ interval }: Difference): string =>
  interval === undefined ? 'too few families' : `${points(interval.low)} to ${points(interval.high)}`

const DIFFERENCE_COLUMNS: readonly Column<Difference>[] = [
  { title: 'difference', cell: ({ arm, over }) => `${arm} – ${over}` },
  { title: 'points', cell: ({ difference }) => points(difference), align: 'right' },
  { title: '95 % interval', cell: describeInterval, align: 'right' },
]

const FAMILY_COLUMNS: readonly Column<FamilySummary>[] = [
  { title: 'family', cell: ({ family }) => family, least: 8 },
  { title: 'tasks', cell: ({ tasks }) => formatCount(tasks), align: 'right', drop: 2 },
  { title: 'none', cell: ({ none }) => percent(none), align: 'right' },
  { title: 'learned', cell: ({ learned }) => percent(learned), align: 'right' },
  { title: 'curated', cell: ({ curated }) => percent(curated), align: 'right' },
  { title: 'skills learned', cell: ({ skills }) => String(Number(skills.toFixed(1))), align: 'right', drop: 1 },
]

const SCRIPTED =
  'The scripted model follows every rule that it is shown. This shows how the evaluation works, and says nothing about skills.'

const MEANING =
  'Passed: held-out tasks whose result is right by fixed rules, mean over families. Whoever wrote a learned skill saw none of them; the curated skills were written together with the tasks. The interval draws families anew: it says how much other families of this kind would change the difference, not what skills do in other work.'

const meaningOf = ({ isScripted }: SkillsEvalReport): string => (isScripted ? `${SCRIPTED} ${MEANING}` : MEANING)

const describeTokens = ({ calls, inputTokens, outputTokens, estimatedCalls }: Meter): string =>
  `${formatCount(inputTokens)} in, ${formatCount(outputTokens)} out, ${counted(calls, 'call')}${estimatedCalls > 0 ? `; ${counted(estimatedCalls, 'call')} reported no tokens, which are estimated` : ''}`

const describeTraining = (outcomes: readonly FamilyOutcome[]): string => {
  const total = (of: (training: FamilyOutcome['training']) => number) => outcomes.reduce((sum, { training }) => sum + of(training), 0)
  const parts = [
    counted(
      total(({ corrections }) => corrections),
      'correction',
    ),
    counted(
      total(({ reviews }) => reviews),
      'review',
    ),
    counted(
      total(({ skills }) => skills),
      'skill',
    ),
    `${formatCount(total(({ held }) => held))} waiting`,
  ]
  return `${parts.join(', ')}; ${rounded(total(({ tokens }) => tokens) / Math.max(1, outcomes.length))} tokens a family`
}

const playedOf = ({ outcomes, total, runs }: SkillsEvalReport): string => {
  const families = new Set(outcomes.map(({ family }) => family)).size
  const left = total - outcomes.length
  return `${counted(families, 'family', 'families')}, ${counted(runs, 'run')}${left > 0 ? `; ${formatCount(outcomes.length)} of ${formatCount(total)} finished` : ''}`
}

const fieldsOf = (report: SkillsEvalReport): readonly (readonly [string, string])[] => [
  ['model', report.model],
  ['played', playedOf(report)],
  ['training', describeTraining(report.outcomes)],
  ['tokens', describeTokens(report.use)],
]

/** Without skills, nothing else is expected. */
const notesOf = ({ outcomes }: SkillsEvalReport): string =>
  renderNotes(
    outcomes.flatMap(({ family, tasks, training }) => [
      { id: `${family}, training`, notes: training.failures.map((message) => `a review failed: ${message}`) },
      ...(['learned', 'curated'] as const).map((arm) => ({ id: `${family}, ${arm}`, notes: tasks[arm].flatMap(({ faults }) => faults) })),
    ]),
  )

export const renderSkillsEval = (report: SkillsEvalReport, terminal: Terminal): string =>
  [
    renderFields(fieldsOf(report), terminal),
    renderTable(ARM_COLUMNS, summariseArms(report.outcomes), terminal),
    renderTable(DIFFERENCE_COLUMNS, compareArms(report.outcomes), terminal),
    renderTable(FAMILY_COLUMNS, summariseFamilies(report.outcomes), terminal),
    hint(meaningOf(report), terminal),
    notesOf(report),
  ]
    .filter((part) => part !== '')
    .join('\n')

const markdownTable = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string => {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [
    line(columns.map(({ title }) => title)),
    line(columns.map(({ align }) => (align === 'right' ? '---:' : '---'))),
    ...rows.map((row) => line(columns.map(({ cell }) => cell(row)))),
  ].join('\n')
}

/** `at`: epoch milliseconds. */
export const skillsEvalMarkdown = (report: SkillsEvalReport, at: number): string =>
  `${[
    '# Do skills help?',
    `Measured ${new Date(at).toISOString().slice(0, 10)} with \`hermes eval skills\`.`,
    fieldsOf(report)
      .map(([label, text]) => `- ${label}: ${text}`)
      .join('\n'),
    markdownTable(ARM_COLUMNS, summariseArms(report.outcomes)),
    markdownTable(DIFFERENCE_COLUMNS, compareArms(report.outcomes)),
    markdownTable(FAMILY_COLUMNS, summariseFamilies(report.outcomes)),
    meaningOf(report),
  ].join('\n\n')}\n`

export const toSkillsEvalValue = ({ model, isScripted, runs, estimate, use, outcomes, total, stopped, failures }: SkillsEvalReport) => ({
  ...{ model, isScripted, runs, estimate, use, total, failures, stopped: stopped ?? null },
  arms: summariseArms(outcomes),
  differences: compareArms(outcomes).map(({ interval, ...rest }) => ({
    ...rest,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
  })),
  families: summariseFamilies(outcomes),
  outcomes,
})
