/** Tables and chart of what grows. Pure. */
import type { GrowthLine, GrowthPoint } from '../growth/measure-axis.ts'
import type { Panel, Picture } from './draw-panels.ts'
import { tableOf } from './fill-sections.ts'
import { describeMeasuring, type MeasuredOn } from './measured-on.ts'

export interface GrowthResults {
  readonly measured: MeasuredOn
  readonly lines: readonly GrowthLine[]
}

const count = (value: number): string => value.toLocaleString('en-US')

const milliseconds = (ms: number): string => (ms >= 10 ? ms.toFixed(0) : ms.toFixed(2))

/** `from → to`, or one if they are the same. */
const fromTo = (from: string, to: string): string => (from === to ? from : `${from} → ${to}`)

/** As a word, since exponents of a few sizes have an error of about a tenth. */
const GROWTH: readonly (readonly [number, string])[] = [
  [0.2, 'constant'],
  [0.8, 'less than linear'],
  [1.15, 'linear'],
]

export const growthOf = (exponent: number): string => GROWTH.find(([below]) => exponent < below)?.[1] ?? 'more than linear'

const kibibytes = ({ read, written }: GrowthPoint): string => count(Math.round((read + written) / 1024))

const rowOf = ({ axis, operation, points, exponent, lastStep }: GrowthLine): readonly string[] => {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) throw new TypeError(`${axis}, ${operation}: nothing was measured.`)
  return [
    `${axis}, ${count(first.size)} → ${count(last.size)}`,
    operation,
    fromTo(milliseconds(first.ms), milliseconds(last.ms)),
    fromTo(count(first.calls), count(last.calls)),
    fromTo(kibibytes(first), kibibytes(last)),
    exponent.toFixed(2),
    lastStep.toFixed(2),
    growthOf(lastStep),
  ]
}

const HEAD = ['what grows', 'operation', 'ms of processor time', 'storage calls', 'KiB read and written', 'exponent', 'last step', '']

const worstOf = (lines: readonly GrowthLine[]): string => {
  const [worst] = lines.toSorted((a, b) => b.lastStep - a.lastStep)
  const last = worst?.points.at(-1)
  if (!worst || !last) return 'Nothing was measured.'
  return `Grows most: **${worst.operation}** with ${worst.axis}, exponent ${worst.lastStep.toFixed(2)} in the last step, ${milliseconds(last.ms)} ms at ${count(last.size)}.`
}

export const growthSections = ({ measured, lines }: GrowthResults): Readonly<Record<string, string>> => ({
  growth: [tableOf(HEAD, lines.map(rowOf), 2), worstOf(lines), describeMeasuring(measured)].join('\n\n'),
})

const SMALLEST_MS = 0.1

/** What a linear operation would take, from the lowest left corner of the panel. */
const guideOf = (lines: readonly GrowthLine[]): Panel['lines'][number] => {
  const points = lines.flatMap((line) => line.points)
  const sizes = points.map(({ size }) => size)
  const [from, to, most] = [Math.min(...sizes), Math.max(...sizes), Math.max(...points.map(({ ms }) => ms))]
  const least = Math.min(SMALLEST_MS, ...points.map(({ ms }) => ms))
  // Not beyond what is measured, so that it leaves the axis as it is.
  const end = Math.min(to, (from * most) / least)
  return {
    name: 'linear',
    isGuide: true,
    points: [
      [from, least],
      [end, (least * end) / from],
    ],
  }
}

const panelOf = (axis: string, lines: readonly GrowthLine[]): Panel => ({
  title: axis,
  unit: 'ms of processor time, over their number',
  scale: 'log',
  lines: [
    ...lines.map(({ operation, points }) => ({ name: operation, points: points.map(({ size, ms }) => [size, ms] as const) })),
    guideOf(lines),
  ],
})

export const growthPicture = ({ lines }: GrowthResults): Picture => ({
  title: 'Processor time of an operation over the size of what grows, both logarithmic: a level line is constant',
  panels: [...new Set(lines.map(({ axis }) => axis))].map((axis) =>
    panelOf(
      axis,
      lines.filter((line) => line.axis === axis),
    ),
  ),
})
