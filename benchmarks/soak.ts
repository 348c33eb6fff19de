/**
 * What a process holds that never ends: 20,000 turns in 200 sessions of one home with reviews, in files and on PostgreSQL, each in a process of its own. Its memory after a
 * collection must not grow over the last half, each session must leave no handle open, no event may be an error, and every turn must be read by a review or wait for
 * one. Ends with exit code 1 if anything does not hold.
 *
 * `--turns=20000`, `--sessions=200`; `--hours=8`: goes on with further sessions for eight hours, half of them on each storage; `--no-postgres` leaves the server out,
 * `--pglite` plays on PGlite in its place.
 */
import { parseArgs } from 'node:util'
import { createPostgresServer, type PostgresServer } from '../packages/postgres/test/support/postgres-server.ts'
import { describeMeasuring } from './measured-on.ts'
import type { SoakSample } from './soak/play-soak.ts'
import { runSoak, type SoakOutcome } from './soak/run-soak.ts'
import type { SoakRequest } from './soak/soak-program.ts'

const ROWS = 12
const SHOWN = 5
const MIB = 1024 * 1024

const COLUMNS: readonly (readonly [string, (sample: SoakSample) => string])[] = [
  ['turns', ({ turns }) => `${turns}`],
  ['sessions', ({ sessions }) => `${sessions}`],
  ['heap MiB', ({ heapBytes }) => (heapBytes / MIB).toFixed(2)],
  ['buffers MiB', ({ externalBytes }) => (externalBytes / MIB).toFixed(2)],
  ['rss MiB', ({ rssBytes }) => (rssBytes / MIB).toFixed(0)],
  ['handles', ({ resources }) => `${resources}`],
  ['fds', ({ descriptors }) => `${descriptors}`],
  ['stored KiB', ({ storedBytes }) => (storedBytes / 1024).toFixed(0)],
  ['disk KiB', ({ diskBytes }) => (diskBytes / 1024).toFixed(0)],
  ['reviews', ({ reviews }) => `${reviews}`],
  ['applied', ({ applied }) => `${applied}`],
  ['errors', ({ errors }) => `${errors}`],
  ['waiting', ({ waiting }) => `${waiting}`],
]

const printTable = (samples: readonly SoakSample[]): void => {
  const count = Math.min(ROWS, samples.length)
  const shown = Array.from({ length: count }, (_, row) => samples[Math.round((row * (samples.length - 1)) / (count - 1))])
  const rows = shown.flatMap((sample) => (sample ? [COLUMNS.map(([, cellOf]) => cellOf(sample))] : []))
  for (const row of [COLUMNS.map(([title]) => title), ...rows])
    console.log(row.map((cell, index) => cell.padStart((COLUMNS[index]?.[0].length ?? 0) + 2)).join(''))
}

const print = ({ name, samples, measured, perTurn, limit, wrong }: SoakOutcome): void => {
  console.log(`\n${name}: ${samples.at(-1)?.turns ?? 0} turns. ${describeMeasuring(measured)}`)
  printTable(samples)
  const { heapBytes, externalBytes, rssBytes, storedBytes, diskBytes } = perTurn
  console.log(
    `Over the last half, bytes a turn: heap ${heapBytes.toFixed(0)}, buffers ${externalBytes.toFixed(0)} (at most ${limit.toFixed(0)}), rss ${rssBytes.toFixed(0)}; ` +
      `stored ${storedBytes.toFixed(0)}, on the disk ${diskBytes.toFixed(0)}`,
  )
  console.log(wrong.length === 0 ? 'All held.' : `${wrong.length} did not hold:`)
  for (const each of wrong.slice(0, SHOWN)) console.log(`    ${each}`)
}

const readNumber = (option: string, text: string, least: number): number => {
  const value = Number(text)
  if (!Number.isFinite(value) || value < least) throw new TypeError(`'--${option}' must be a number, ${least} or more.`)
  return value
}

const startServer = async (): Promise<PostgresServer | undefined> => {
  try {
    return await createPostgresServer()
  } catch (cause) {
    console.log(`No server can be started here, so PGlite takes its place: ${String(cause)}`)
    return undefined
  }
}

const soakOnServer = async (request: Omit<SoakRequest, 'storage'>): Promise<SoakOutcome> => {
  const server = await startServer()
  try {
    return await (server ? runSoak('On PostgreSQL', { ...request, storage: { url: server.url } }) : soakOnPglite(request))
  } finally {
    await server?.remove()
  }
}

const soakOnPglite = (request: Omit<SoakRequest, 'storage'>): Promise<SoakOutcome> =>
  runSoak('On PGlite', { ...request, storage: 'pglite' })

export const run = async (given: readonly string[] = []): Promise<void> => {
  const { values } = parseArgs({
    args: [...given],
    options: {
      turns: { type: 'string', default: '20000' },
      sessions: { type: 'string', default: '200' },
      hours: { type: 'string', default: '0' },
      'no-postgres': { type: 'boolean', default: false },
      pglite: { type: 'boolean', default: false },
    },
  })
  const sessions = Math.floor(readNumber('sessions', values.sessions, 6))
  const turns = Math.floor(readNumber('turns', values.turns, sessions))
  const storages = values['no-postgres'] ? 1 : 2
  const request = { turns, sessions, hours: readNumber('hours', values.hours, 0) / storages }
  const outcomes = [await runSoak('In files', { ...request, storage: 'files' })]
  for (const outcome of outcomes) print(outcome)
  if (!values['no-postgres']) {
    const outcome = await (values.pglite ? soakOnPglite(request) : soakOnServer(request))
    print(outcome)
    outcomes.push(outcome)
  }
  if (outcomes.some(({ wrong }) => wrong.length > 0)) process.exitCode = 1
}

if (import.meta.main) await run(process.argv.slice(2))
