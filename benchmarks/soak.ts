/**
 * What a process holds that never ends: 20,000 turns in 200 sessions of one home with reviews, in files and on PostgreSQL, each in a process of its own. Its heap after a
 * collection must not grow over the last half, each session must leave no handle open, no event may be an error, and every turn must be read by a review or wait for
 * one. Ends with exit code 1 if anything does not hold.
 *
 * `--turns=20000`, `--sessions=200`; `--hours=8`: goes on with further sessions for eight hours, half of them on each storage; `--no-postgres` leaves the server out.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { createPostgresServer, type PostgresServer } from '../packages/postgres/test/support/postgres-server.ts'
import { judgeSoak } from './soak/judge-soak.ts'
import type { SoakSample } from './soak/play-soak.ts'
import type { SoakLine, SoakRequest } from './soak/soak-program.ts'

const ROWS = 12
const SHOWN = 5
const MIB = 1024 * 1024

const COLUMNS = ['turns', 'sessions', 'heap MiB', 'rss MiB', 'handles', 'fds', 'stored KiB', 'reviews', 'applied', 'errors', 'waiting']

const cellsOf = (sample: SoakSample): readonly string[] => [
  String(sample.turns),
  String(sample.sessions),
  (sample.heapBytes / MIB).toFixed(2),
  (sample.rssBytes / MIB).toFixed(0),
  String(sample.resources),
  String(sample.descriptors),
  (sample.storedBytes / 1024).toFixed(0),
  String(sample.reviews),
  String(sample.applied),
  String(sample.errors),
  String(sample.waiting),
]

const printTable = (samples: readonly SoakSample[]): void => {
  const rows = [COLUMNS]
  const step = (samples.length - 1) / (Math.min(ROWS, samples.length) - 1)
  for (let row = 0; row < Math.min(ROWS, samples.length); row++) {
    const sample = samples[Math.round(row * step)]
    if (sample) rows.push([...cellsOf(sample)])
  }
  for (const row of rows) console.log(row.map((cell, index) => cell.padStart((COLUMNS[index]?.length ?? 0) + 2)).join(''))
}

/** Runs the soak in a process of its own. Returns true if all held. */
const soak = async (name: string, request: SoakRequest): Promise<boolean> => {
  const program = new URL('soak/soak-program.ts', import.meta.url).pathname
  const child = spawn(process.execPath, ['--expose-gc', program, JSON.stringify(request)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve))
  const started = performance.now()
  const samples: SoakSample[] = []
  const found: string[] = []
  for await (const text of createInterface({ input: child.stdout })) {
    const line: SoakLine = JSON.parse(text)
    if ('sample' in line) samples.push(line.sample)
    else found.push(line.wrong)
  }
  const code = await ended
  const seconds = (performance.now() - started) / 1000
  const { slope, limit, wrong } = judgeSoak(samples, code === 0 ? found : [...found, `the process ended with code ${code}`])
  const turns = samples.at(-1)?.turns ?? 0
  console.log(`\n${name}: ${turns} turns in ${seconds.toFixed(0)} s`)
  printTable(samples)
  console.log(`Heap over the last half: ${slope.toFixed(0)} bytes a turn, at most ${limit.toFixed(0)}`)
  console.log(wrong.length === 0 ? 'All held.' : `${wrong.length} did not hold:`)
  for (const each of wrong.slice(0, SHOWN)) console.log(`    ${each}`)
  return wrong.length === 0
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

export const run = async (given: readonly string[] = []): Promise<void> => {
  const { values } = parseArgs({
    args: [...given],
    options: {
      turns: { type: 'string', default: '20000' },
      sessions: { type: 'string', default: '200' },
      hours: { type: 'string', default: '0' },
      'no-postgres': { type: 'boolean', default: false },
    },
  })
  const sessions = Math.floor(readNumber('sessions', values.sessions, 6))
  const turns = Math.floor(readNumber('turns', values.turns, sessions))
  const storages = values['no-postgres'] ? 1 : 2
  const request = { turns, sessions, hours: readNumber('hours', values.hours, 0) / storages }
  let held = await soak('In files', { ...request, storage: 'files' })
  if (!values['no-postgres']) {
    const server = await startServer()
    try {
      const storage = server ? { url: server.url } : 'pglite'
      held = (await soak(server ? 'On PostgreSQL' : 'On PGlite', { ...request, storage })) && held
    } finally {
      await server?.remove()
    }
  }
  if (!held) process.exitCode = 1
}

if (import.meta.main) await run(process.argv.slice(2))
