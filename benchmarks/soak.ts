/**
 * What a process holds that never ends: 20,000 turns in 200 sessions of one home with reviews, in files and on PostgreSQL, each in a process of its own. Its memory after a
 * collection must not grow over the last half, each session must leave no handle open, no event may be an error, and every turn must be read by a review or wait for
 * one.
 *
 * `--turns 20000`, `--sessions 200`; `--hours 8`: goes on with further sessions for eight hours; `--pglite`: PGlite in place of the server.
 */
import { parseArgs } from 'node:util'
import { createPostgresServer } from '../packages/postgres/test/support/postgres-server.ts'
import { readCount } from './options.ts'
import { type Part, type Report, table } from './report.ts'
import type { SoakSample } from './soak/play-soak.ts'
import { runSoak } from './soak/run-soak.ts'
import type { SoakRequest } from './soak/soak-program.ts'

const ROWS = 12
const SHOWN = 5
const MIB = 1024 * 1024

const COLUMNS: readonly (readonly [string, (sample: SoakSample) => string | number])[] = [
  ['turns', ({ turns }) => turns],
  ['sessions', ({ sessions }) => sessions],
  ['heap MiB', ({ heapBytes }) => (heapBytes / MIB).toFixed(2)],
  ['buffers MiB', ({ externalBytes }) => (externalBytes / MIB).toFixed(2)],
  ['rss MiB', ({ rssBytes }) => (rssBytes / MIB).toFixed(0)],
  ['handles', ({ resources }) => resources],
  ['fds', ({ descriptors }) => descriptors],
  ['stored KiB', ({ storedBytes }) => (storedBytes / 1024).toFixed(0)],
  ['disk KiB', ({ diskBytes }) => (diskBytes / 1024).toFixed(0)],
  ['reviews', ({ reviews }) => reviews],
  ['applied', ({ applied }) => applied],
  ['errors', ({ errors }) => errors],
  ['waiting', ({ waiting }) => waiting],
]

const soak = async (where: string, request: SoakRequest): Promise<Report> => {
  const { samples, perTurn, limit, wrong } = await runSoak(request)
  const count = Math.min(ROWS, samples.length)
  const shown = Array.from({ length: count }, (_, row) => samples[Math.round((row * (samples.length - 1)) / (count - 1))])
  const { heapBytes, externalBytes, rssBytes, storedBytes, diskBytes } = perTurn
  return {
    blocks: [
      table(
        COLUMNS.map(([title]) => title),
        shown.flatMap((sample) => (sample ? [COLUMNS.map(([, cellOf]) => cellOf(sample))] : [])),
      ),
      `Over the last half, bytes a turn: heap ${heapBytes.toFixed(0)}, buffers ${externalBytes.toFixed(0)} (at most ${limit.toFixed(0)}), rss ${rssBytes.toFixed(0)}; ` +
        `stored ${storedBytes.toFixed(0)}, on the disk ${diskBytes.toFixed(0)}`,
      wrong.length === 0 ? 'All held.' : [`${wrong.length} did not hold:`, ...wrong.slice(0, SHOWN).map((each) => `- ${each}`)].join('\n'),
    ],
    page: ({ at }) => {
      const [half, last] = [samples[Math.floor(samples.length / 2)], samples.at(-1)]
      const heap = (sample: SoakSample | undefined) => `${((sample?.heapBytes ?? Number.NaN) / MIB).toFixed(1)} MiB`
      const found = wrong.length === 0 ? 'no turn lost, no handle left open, no error' : `${wrong.length} things did not hold`
      return `- **${where}**, ${last?.turns.toLocaleString('en')} turns in ${last?.sessions} sessions, on ${at.slice(0, 10)}: a heap of ${heap(half)} halfway and of ${heap(last)} at the end, where ${((limit * (last?.turns ?? 0)) / 2 / MIB).toFixed(1)} MiB more would be a leak; ${found}.`
    },
    chart: {
      title: `${where}: what a process holds over ${samples.at(-1)?.turns.toLocaleString('en')} turns`,
      x: 'turns',
      y: 'MiB after a collection',
      isLogarithmic: false,
      lines: [
        { name: 'heap', points: samples.map(({ turns, heapBytes }) => ({ x: turns, y: heapBytes / MIB })) },
        { name: 'buffers', points: samples.map(({ turns, externalBytes }) => ({ x: turns, y: externalBytes / MIB })) },
      ],
    },
    outcomes: samples,
    held: wrong.length === 0,
  }
}

const readRequest = (args: readonly string[]): Omit<SoakRequest, 'storage'> & { readonly pglite: boolean } => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      turns: { type: 'string', default: '20000' },
      sessions: { type: 'string', default: '200' },
      hours: { type: 'string', default: '0' },
      pglite: { type: 'boolean', default: false },
    },
  })
  const sessions = readCount('sessions', values.sessions, 6)
  const turns = readCount('turns', values.turns, sessions)
  const hours = Number(values.hours)
  if (!(hours >= 0)) throw new RangeError("'--hours' must be a number, 0 or more.")
  return { turns, sessions, hours, pglite: values.pglite }
}

const files: Part = (args) => {
  const { pglite: _, ...request } = readRequest(args)
  return soak('In files', { ...request, storage: 'files' })
}

const postgres: Part = async (args) => {
  const { pglite, ...request } = readRequest(args)
  if (pglite) return soak('On PGlite', { ...request, storage: 'pglite' })
  const server = await createPostgresServer()
  try {
    return await soak('On PostgreSQL', { ...request, storage: { url: server.url } })
  } finally {
    await server.remove()
  }
}

export const parts = { files, postgres }
