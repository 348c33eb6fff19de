/** Table and chart of the soak. Pure. */
import type { SoakSample } from '../soak/play-soak.ts'
import type { SoakOutcome } from '../soak/run-soak.ts'
import type { Panel, Picture } from './draw-panels.ts'
import { tableOf } from './fill-sections.ts'
import { describeMeasuring } from './measured-on.ts'

const MIB = 1024 * 1024
const PER = 1_000

const count = (value: number): string => value.toLocaleString('en-US')

const mebibytes = (bytes: number): string => (bytes / MIB).toFixed(1)

/** KiB for each thousand turns. */
const kibibytesPer = (bytesPerTurn: number): string => ((bytesPerTurn * PER) / 1024).toFixed(1)

type Row = readonly [string, (outcome: SoakOutcome, last: SoakSample) => string]

const ROWS: readonly Row[] = [
  ['turns, in sessions', (_, { turns, sessions }) => `${count(turns)}, in ${count(sessions)}`],
  ['reviews, of which wrote a fact', (_, { reviews, applied }) => `${count(reviews)}, ${count(applied)}`],
  ['errors; turns lost; turns waiting at the end', (_, { errors, lost, waiting }) => `${errors}; ${lost}; ${waiting}`],
  ['heap after a collection, MiB', ({ samples }, { heapBytes }) => spanOf(samples, heapBytes, 'heapBytes')],
  ['buffers outside the heap, MiB', ({ samples }, { externalBytes }) => spanOf(samples, externalBytes, 'externalBytes')],
  ['memory of the process (rss), MiB', ({ samples }, { rssBytes }) => spanOf(samples, rssBytes, 'rssBytes')],
  ['heap: growth in KiB per 1,000 turns, over the last half', ({ perTurn }) => kibibytesPer(perTurn.heapBytes)],
  ['rss: growth in KiB per 1,000 turns, over the last half', ({ perTurn }) => kibibytesPer(perTurn.rssBytes)],
  ['open sockets, timers and streams: first, last', ({ samples }, { resources }) => `${samples[0]?.resources}, ${resources}`],
  ['open files: first, last', ({ samples }, { descriptors }) => `${samples[0]?.descriptors}, ${descriptors}`],
  ['stored bytes per turn', ({ perTurn }) => count(Math.round(perTurn.storedBytes))],
  ['bytes on the disk per turn', ({ perTurn }) => count(Math.round(perTurn.diskBytes))],
  ['on the disk at the end, MiB', (_, { diskBytes }) => mebibytes(diskBytes)],
  ['what did not hold', ({ wrong }) => (wrong.length === 0 ? 'nothing' : wrong.slice(0, 3).join('; '))],
]

/** In the first sample, in the middle, at the end. */
const spanOf = (samples: readonly SoakSample[], last: number, measure: 'heapBytes' | 'externalBytes' | 'rssBytes'): string => {
  const [first, middle] = [samples[0], samples[Math.floor(samples.length / 2)]]
  return [first?.[measure] ?? last, middle?.[measure] ?? last, last].map(mebibytes).join(' → ')
}

export const soakSections = (outcomes: readonly SoakOutcome[]): Readonly<Record<string, string>> => {
  const rows = ROWS.map(([title, cellOf]) => [
    title,
    ...outcomes.map((outcome) => {
      const last = outcome.samples.at(-1)
      return last ? cellOf(outcome, last) : ''
    }),
  ])
  const measured = outcomes.map(({ name, measured: each }) => `${name}: ${describeMeasuring(each)}`)
  return { soak: [tableOf(['', ...outcomes.map(({ name }) => name)], rows), ...measured].join('\n\n') }
}

const panelOf = (title: string, unit: string, outcomes: readonly SoakOutcome[], amountOf: (sample: SoakSample) => number): Panel => ({
  title,
  unit,
  scale: 'linear',
  lines: outcomes.map(({ name, samples }) => ({ name, points: samples.map((sample) => [sample.turns, amountOf(sample)] as const) })),
})

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000

export const soakPicture = (outcomes: readonly SoakOutcome[]): Picture => ({
  title: 'Memory of a process that never ends, over the turns of all its sessions',
  panels: [
    panelOf('Heap after a collection', 'MiB, over turns', outcomes, ({ heapBytes }) => rounded(heapBytes / MIB)),
    panelOf('On the disk', 'MiB, over turns', outcomes, ({ diskBytes }) => rounded(diskBytes / MIB)),
  ],
})
