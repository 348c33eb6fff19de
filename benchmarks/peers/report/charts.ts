/** The charts of the pages, as specifications of Vega-Lite. Pure. */
import { createHash } from 'node:crypto'
import type { LineChart } from '../../report.ts'
import { PEERS } from '../peers.ts'
import type { Results } from './results.ts'
import { outcomeOf } from './tables.ts'

interface Bar {
  readonly peer: string
  readonly value: number
  readonly label: string
  readonly kind: 'ours' | 'peer' | 'floor'
}

/** One picture: bars with their values. */
export interface Chart {
  readonly title: string
  readonly unit: string
  readonly bars: readonly Bar[]
}

const kindOf = (name: string): Bar['kind'] =>
  name.startsWith('ours') ? 'ours' : name === 'floor' || name.startsWith('bare') ? 'floor' : 'peer'

const rounded = (value: number): string => (value >= 10 ? Math.round(value).toLocaleString('en-US') : value.toFixed(1))

/** A bar for each peer of which `amountOf` knows a value, the best first. */
const barsOf = (amountOf: (name: string, host: string) => number | undefined, best: 'least' | 'most', label = rounded): readonly Bar[] =>
  PEERS.flatMap(({ name, title, host }) => {
    const value = amountOf(name, host)
    return value === undefined ? [] : [{ peer: title, value, label: label(value), kind: kindOf(name) }]
  }).sort((a, b) => (best === 'least' ? a.value - b.value : b.value - a.value))

const prefixChart = ({ figures }: Results): Chart => {
  const outcomes = figures.prefix?.outcomes ?? {}
  const uncachedOf = (name: string): number | undefined => outcomeOf(outcomes, name)?.uncached
  const beyond = (name: string, host: string): number | undefined => {
    const [own, floor] = [uncachedOf(name), uncachedOf(host)]
    return own === undefined || floor === undefined || name === host ? undefined : (own - floor) / 1_000
  }
  return {
    title: 'Prompt text sent anew over 50 turns with five writes, beyond the framework alone',
    unit: 'thousand characters (less is cheaper)',
    bars: barsOf(beyond, 'least'),
  }
}

const startChart = ({ figures }: Results): Chart => ({
  title: 'From the start of a new process to the memory block of the prompt',
  unit: 'milliseconds, median (less is better)',
  bars: barsOf((name) => outcomeOf(figures.start?.outcomes ?? {}, name)?.cold.p50, 'least'),
})

const updatesChart = ({ figures }: Results): Chart => {
  const acknowledged = outcomeOf(figures.updates?.outcomes ?? {}, 'floor')?.processes.acknowledged ?? 400
  return {
    title: `Eight processes write to one memory: what is left of ${acknowledged} writes`,
    unit: 'facts kept (more is better)',
    bars: barsOf((name) => outcomeOf(figures.updates?.outcomes ?? {}, name)?.processes.kept, 'most'),
  }
}

/** By the name of the file. */
export const chartsOf = (results: Results): Readonly<Record<string, Chart>> => ({
  'bench-prefix': prefixChart(results),
  'bench-start': startChart(results),
  'bench-updates': updatesChart(results),
})

/** Written into the picture, so that a test can tell whether it shows these values. */
export const fingerprintOf = (chart: Chart | LineChart): string =>
  createHash('sha256').update(JSON.stringify(chart)).digest('hex').slice(0, 16)

// Readable on white and on black: the text colour changes with the reader's scheme, in `draw.ts`.
export const COLOURS = {
  ours: '#2f81f7',
  peer: '#8b949e',
  floor: '#57ab5a',
  fourth: '#d29922',
  fifth: '#db61a2',
  text: '#57606a',
  darkText: '#adbac7',
} as const

const frameOf = (title: string) => ({
  $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
  title: { text: title, anchor: 'start', fontSize: 14, fontWeight: 600, color: COLOURS.text, offset: 12 },
  width: 520,
  padding: 12,
  background: null,
  config: {
    font: 'system-ui, sans-serif',
    view: { stroke: null },
    axis: {
      labelColor: COLOURS.text,
      titleColor: COLOURS.text,
      labelFontSize: 12,
      titleFontSize: 12,
      titleFontWeight: 400,
      labelLimit: 400,
    },
    axisX: { gridColor: '#8b949e', gridOpacity: 0.25, domain: false, tickColor: '#8b949e', tickCount: 5 },
    axisY: { domain: false, ticks: false, labelPadding: 8 },
    legend: { labelColor: COLOURS.text, labelFontSize: 12, labelLimit: 400, orient: 'bottom', direction: 'vertical', title: null },
    text: { fontSize: 12 },
  },
})

const toBars = ({ title, unit, bars }: Chart) => ({
  ...frameOf(title),
  height: { step: 24 },
  data: { values: bars },
  encoding: {
    y: { field: 'peer', type: 'nominal', sort: null, title: null },
    x: { field: 'value', type: 'quantitative', title: unit },
  },
  layer: [
    {
      mark: { type: 'bar', cornerRadiusEnd: 3 },
      encoding: {
        color: {
          field: 'kind',
          type: 'nominal',
          legend: null,
          scale: { domain: ['ours', 'peer', 'floor'], range: [COLOURS.ours, COLOURS.peer, COLOURS.floor] },
        },
      },
    },
    { mark: { type: 'text', align: 'left', dx: 5, color: COLOURS.text }, encoding: { text: { field: 'label', type: 'nominal' } } },
  ],
})

const toLines = ({ title, x, y, isLogarithmic, lines }: LineChart) => {
  const scale = isLogarithmic ? { type: 'log' } : { zero: true }
  const grid = { gridColor: '#8b949e', gridOpacity: 0.25, tickCount: 5 }
  const { ours, floor, fourth, fifth, peer } = COLOURS
  return {
    ...frameOf(title),
    height: 240,
    data: { values: lines.flatMap(({ name, points }) => points.map((point) => ({ name, ...point }))) },
    mark: { type: 'line', point: isLogarithmic },
    encoding: {
      x: { field: 'x', type: 'quantitative', title: x, scale },
      y: { field: 'y', type: 'quantitative', title: y, scale, axis: grid },
      color: {
        field: 'name',
        type: 'nominal',
        scale: { domain: lines.map(({ name }) => name), range: [ours, floor, fourth, fifth, peer] },
      },
    },
  }
}

export const toVegaLite = (chart: Chart | LineChart): Readonly<Record<string, unknown>> =>
  'lines' in chart ? toLines(chart) : toBars(chart)
