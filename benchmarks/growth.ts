/**
 * How the cost of an operation grows with turns, sessions, entries, skills, journal records and owners: processor time, storage calls and bytes, over storage in memory. Each
 * should be constant, or at most linear: the exponent is 0 for constant, 1 for linear, fitted to all sizes and for the last step alone. `--records <n>` and `--owners <n>`: the
 * largest journal, and the most owners (default 1,000,000 and 100,000).
 */
import { parseArgs } from 'node:util'
import { axes } from './growth/axes.ts'
import { type GrowthLine, measureAxis } from './growth/measure-axis.ts'
import { readCount } from './options.ts'
import { type Cell, describeMeasuring, type LineChart, type Part, table } from './report.ts'

const HEAD = ['operation', 'size', 'ms', 'calls', 'bytes read', 'bytes written', 'exponent', 'last step']

const rowsOf = ({ operation, exponent, lastStep, points }: GrowthLine): readonly (readonly Cell[])[] =>
  points.map(({ size, ms, calls, read, written }, index) => {
    const isLast = index === points.length - 1
    return [
      operation,
      size.toLocaleString('en'),
      ms.toFixed(3),
      calls,
      read,
      written,
      isLast ? exponent.toFixed(2) : '',
      isLast ? lastStep.toFixed(2) : '',
    ]
  })

/** What the pages show, by axis and operation. */
const SHOWN: readonly (readonly [string, string])[] = [
  ['sessions', 'session start in a new process'],
  ['skills', 'session start in a new process'],
  ['skills', 'session start, warm'],
  ['journal records', 'newest 20 records'],
  ['owners', 'first turn of a new owner'],
]

const shownOf = (lines: readonly GrowthLine[]): readonly GrowthLine[] =>
  SHOWN.flatMap(([axis, operation]) => lines.filter((line) => line.axis === axis && line.operation === operation))

const chartOf = (lines: readonly GrowthLine[]): LineChart => ({
  title: 'Time of an operation while a home grows',
  x: 'sessions, skills, records, owners',
  y: 'milliseconds of the processor',
  isLogarithmic: true,
  lines: shownOf(lines).map(({ axis, operation, points }) => ({
    name: `${axis}: ${operation}`,
    points: points.map(({ size, ms }) => ({ x: size, y: ms })),
  })),
})

const pageRows = (lines: readonly GrowthLine[]): readonly (readonly Cell[])[] =>
  shownOf(lines).map(({ axis, operation, points }) => {
    const steps = (textOf: (point: (typeof points)[number]) => string) => points.map(textOf).join(' → ')
    return [
      `${axis}: ${steps(({ size }) => size.toLocaleString('en'))}`,
      operation,
      steps(({ ms }) => ms.toFixed(ms < 10 ? 2 : 0)),
      steps(({ calls }) => `${calls}`),
    ]
  })

const all: Part = async (args) => {
  const { values } = parseArgs({
    args: [...args],
    options: { records: { type: 'string', default: '1000000' }, owners: { type: 'string', default: '100000' } },
  })
  const lines: GrowthLine[] = []
  const largest = { records: readCount('records', values.records, 10_000), people: readCount('owners', values.owners, 100) }
  for (const axis of axes(largest)) lines.push(...(await measureAxis(axis)))
  const [worst] = lines.toSorted((a, b) => b.lastStep - a.lastStep)
  const names = [...new Set(lines.map(({ axis }) => axis))]
  return {
    blocks: [
      ...names.map((name) => `${name}\n\n${table(HEAD, lines.filter(({ axis }) => axis === name).flatMap(rowsOf))}`),
      worst ? `Grows most: ${worst.axis}, ${worst.operation}, exponent ${worst.lastStep.toFixed(2)} in the last step` : '',
    ],
    page: (measured) =>
      `${table(['what grows', 'operation', 'ms of processor time', 'storage calls'], pageRows(lines))}\n\n${describeMeasuring(measured)}`,
    chart: chartOf(lines),
    outcomes: lines,
  }
}

export const parts = { all }
