/** Draws one line for each number: its name, its course, and its sum. */
import { hint } from '../../terminal/field-list.ts'
import { counted, formatCount } from '../../terminal/format.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { textWidth, wrapText } from '../../terminal/text-width.ts'
import type { Span } from './count-records.ts'

export interface Stats {
  readonly days: number
  /** Of each span. */
  readonly spanDays: number
  /** Oldest first. */
  readonly spans: readonly Span[]
  readonly entries: number
  /** The frozen text of a session that starts now. */
  readonly prompt: { readonly chars: number; readonly tokens: number }
  /** Over all time. */
  readonly skills: { readonly count: number; readonly uses: number; readonly successes: number; readonly corrections: number }
}

type Line = readonly [label: string, values: readonly number[], total: string, combine?: (some: readonly number[]) => number]

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
const last = (numbers: readonly number[]): number => numbers.at(-1) ?? 0

const growthOf = (spans: readonly Span[], entries: number): string => {
  const before = spans[0]?.entries ?? entries
  const change = entries - before
  return change === 0 ? '' : ` (${change > 0 ? '+' : '-'}${formatCount(Math.abs(change))})`
}

const costOf = (input: number, output: number): string =>
  input + output === 0 ? '' : `; ${formatCount(input)} tokens in, ${formatCount(output)} out`

const linesOf = ({ spans, entries, skills }: Stats): readonly Line[] => {
  const of = (key: Exclude<keyof Span, 'from'>): readonly number[] => spans.map((span) => span[key])
  const total = (key: Exclude<keyof Span, 'from'>): number => sum(of(key))
  const failures = total('failedReviews')
  const reviews = `${counted(total('reviews'), 'review')}${failures === 0 ? '' : `, ${formatCount(failures)} failed`}${costOf(total('inputTokens'), total('outputTokens'))}`
  const outcome =
    skills.successes + skills.corrections === 0
      ? ''
      : `; ever: ${formatCount(skills.successes)} ended well, ${counted(skills.corrections, 'correction')}`
  return [
    ['memory', of('entries'), `${counted(entries, 'entry', 'entries')}${growthOf(spans, entries)}`, last],
    ['learned', of('learned'), formatCount(total('learned'))],
    ['changed', of('changed'), formatCount(total('changed'))],
    ['rejected', of('rejected'), formatCount(total('rejected'))],
    ['held', of('held'), formatCount(total('held'))],
    ['skill uses', of('skillUses'), `${formatCount(total('skillUses'))}${outcome}`],
    ['reviews', of('reviews'), reviews],
  ]
}

const LABEL_WIDTH = 10
/** Room for the sums on a narrow screen. */
const TOTAL_WIDTH = 22
const MAX_COURSE = 60

export const renderStats = (stats: Stats, terminal: Terminal): string => {
  const { columns, paint } = terminal
  const width = Math.max(4, Math.min(MAX_COURSE, columns - LABEL_WIDTH - TOTAL_WIDTH - 6))
  const lines = linesOf(stats).map(([label, values, total, combine = sum]) => {
    const course = sparkline(fitTo(values, width, combine))
    const indent = 2 + LABEL_WIDTH + 2 + textWidth(course) + 2
    return `  ${paint.dim(label.padEnd(LABEL_WIDTH))}  ${paint.green(course)}  ${wrapText(total, columns, indent)}\n`
  })
  const { days, spanDays, prompt } = stats
  const head = `Last ${counted(days, 'day')}, by ${spanDays === 1 ? 'day' : 'week'}`
  const size = `The prompt of a session that starts now: ${counted(prompt.chars, 'character')}, about ${counted(prompt.tokens, 'token')}.`
  return `${paint.bold(head)}\n${lines.join('')}${hint(`${size} Entries are counted back through the journal; edits by hand are not in it.`, terminal)}`
}

const MARKS = [...'▁▂▃▄▅▆▇█']

/** Only the lowest mark is a zero; the highest is the greatest of the numbers. */
export const sparkline = (values: readonly number[]): string => {
  const most = Math.max(0, ...values)
  const markOf = (value: number): string => {
    if (value <= 0 || most === 0) return MARKS[0] ?? ''
    return MARKS[Math.max(1, Math.round((value / most) * (MARKS.length - 1)))] ?? ''
  }
  return values.map(markOf).join('')
}

/** At most `width` numbers, each for several neighbours. `combine`: such as their sum, or the last of them. */
export const fitTo = (values: readonly number[], width: number, combine: (some: readonly number[]) => number): readonly number[] => {
  if (values.length <= width) return values
  const size = Math.ceil(values.length / Math.max(1, width))
  // The last group ends at the present.
  const first = values.length % size
  const starts = Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    first === 0 ? index * size : index * size - (size - first),
  )
  return starts.map((start) => combine(values.slice(Math.max(0, start), start + size)))
}
