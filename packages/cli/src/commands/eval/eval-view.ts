/** Renders the report of an evaluation as text and as JSON. Pure. */
import { describeDollars, dollarsOf, type Price } from '../../model/price.ts'
import { renderFields } from '../../terminal/field-list.ts'
import { counted, formatCount } from '../../terminal/format.ts'
import { type Column, renderTable } from '../../terminal/table.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { type Row, type ScenarioOutcome, type Share, shareOf, summarise, wilsonInterval } from './outcomes.ts'
import type { ModelUse } from './run-eval.ts'

export interface EvalReport {
  readonly model: string
  readonly runs: number
  readonly outcomes: readonly ScenarioOutcome[]
  readonly use: ModelUse
  readonly price: Price | undefined
}

const percent = (share: number): string => (share * 100).toFixed(0)

/** `95 % (88–98)`: the share and its 95 % confidence interval. */
const describeShare = (share: Share): string => {
  const [value, interval] = [shareOf(share), wilsonInterval(share)]
  return value === undefined || interval === undefined ? '–' : `${percent(value)} % (${percent(interval.low)}–${percent(interval.high)})`
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'kind', cell: ({ name }) => name },
  { title: 'played', cell: ({ played }) => formatCount(played), align: 'right', drop: 3 },
  { title: 'known', cell: ({ known }) => describeShare(known), align: 'right' },
  { title: 'stale', cell: ({ stale }) => describeShare(stale), align: 'right' },
  { title: 'lost', cell: ({ lost }) => describeShare(lost), align: 'right' },
  { title: 'answered', cell: ({ answered }) => describeShare(answered), align: 'right' },
  { title: 'held', cell: ({ held }) => formatCount(held), align: 'right', drop: 2 },
  { title: 'reviews', cell: ({ reviews }) => formatCount(reviews), align: 'right', drop: 4 },
  { title: 'failed', cell: ({ failures }) => formatCount(failures), align: 'right', drop: 1 },
]

const describeTokens = (use: ModelUse, price: Price | undefined): string => {
  const { calls, inputTokens, cachedInputTokens, outputTokens, unmeasured } = use
  const cached = cachedInputTokens > 0 ? ` (${formatCount(cachedInputTokens)} of them from a cache)` : ''
  const missing = unmeasured > 0 ? `; ${counted(unmeasured, 'call')} reported no tokens` : ''
  const cost = price ? `, ${describeDollars(use, price)}` : ''
  return `${formatCount(inputTokens)} in${cached}, ${formatCount(outputTokens)} out, ${counted(calls, 'call')}${cost}${missing}`
}

const NOTES_SHOWN = 20

/** What was not as expected, each once; '' if nothing was. */
export const renderNotes = (outcomes: readonly Pick<ScenarioOutcome, 'id' | 'notes'>[]): string => {
  const counts = new Map<string, number>()
  for (const { id, notes } of outcomes) for (const note of notes) counts.set(`${id}: ${note}`, (counts.get(`${id}: ${note}`) ?? 0) + 1)
  const lines = [...counts].map(([note, count]) => (count === 1 ? note : `${note} (${count} times)`))
  const more = lines.length - NOTES_SHOWN
  const shown = more > 0 ? [...lines.slice(0, NOTES_SHOWN), `${counted(more, 'more line')}; --json lists all of them`] : lines
  return shown.length === 0 ? '' : `Not as expected:\n${shown.map((note) => `  ${note}\n`).join('')}`
}

export const renderEval = ({ model, runs, outcomes, use, price }: EvalReport, terminal: Terminal): string => {
  const rows = summarise(outcomes)
  const notes = renderNotes(outcomes)
  const table = renderTable(COLUMNS, rows, terminal)
  const fields = renderFields(
    [
      ['model', model],
      ['played', `${counted(outcomes.length, 'scenario')}, ${counted(runs, 'run')}`],
      ['tokens', describeTokens(use, price)],
    ],
    terminal,
  )
  const meaning = 'In brackets: the 95 % confidence interval. A good model has known and answered near 100, stale and lost near 0.\n'
  return `${fields}\n${table}\n${meaning}${notes === '' ? '' : `\n${notes}`}`
}

/** The share and the bounds of its confidence interval, 0 to 1; null if nothing was counted. */
const toShareValue = (share: Share) => {
  const interval = wilsonInterval(share)
  return { ...share, share: shareOf(share) ?? null, low: interval?.low ?? null, high: interval?.high ?? null }
}

export const toEvalValue = ({ model, runs, outcomes, use, price }: EvalReport) => ({
  model,
  runs,
  use: price ? { ...use, dollars: dollarsOf(use, price) } : use,
  summary: summarise(outcomes).map(({ known, stale, lost, answered, ...row }) => ({
    ...row,
    known: toShareValue(known),
    stale: toShareValue(stale),
    lost: toShareValue(lost),
    answered: toShareValue(answered),
  })),
  outcomes,
})
