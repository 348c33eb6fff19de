/**
 * Measures Hermes beside its peers. Without options: everything, in about 25 minutes on a quiet machine with two processors; then `../results/peers.json`, the tables of
 * this folder's README.md, the summary of docs/benchmarks.md and the charts are written anew. With `--only` or `--figures` the outcome is printed, and written only with `--save`, which keeps the other figures.
 *
 *   --only mastra,ours      these peers, and those that they are compared with
 *   --figures writes,start  these figures
 *   --share 0.1             a tenth of the rounds, to try an adapter; if it is saved, the page says so
 *   --save                  writes the outcome of a part: whole figures, or single rows of those that only count
 *   --page                  measures nothing: only the pages and the charts, from the results
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { createPostgresServer } from '../../packages/postgres/test/support/postgres-server.ts'
import { measuring, thisMachine } from '../report.ts'
import { measureKill } from './figures/kill.ts'
import { measureLearning } from './figures/learning.ts'
import { measureOverhead } from './figures/overhead.ts'
import { measurePoisoning } from './figures/poisoning.ts'
import { measurePrefix, measureProcesses } from './figures/prefix.ts'
import { measureStart } from './figures/start.ts'
import { measureUndo } from './figures/undo.ts'
import { measureUpdates } from './figures/updates.ts'
import { measureWeight, versionOf } from './figures/weight.ts'
import { measureMany, measureWrites } from './figures/writes.ts'
import { buildAll, HOME } from './harness/build.ts'
import { type Context, newFolder, type Outcomes } from './harness/context.ts'
import { installOurs } from './harness/install-ours.ts'
import { startModelServer } from './harness/model-server.ts'
import { FIGURES, type Figure, PEERS, type PeerFacts, peersOf } from './peers.ts'
import type { FigureTypes, Results } from './report/results.ts'
import { summaryOf } from './report/summary.ts'
import { fillPage, sectionsOf } from './report/tables.ts'

const run = promisify(execFile)
const RESULTS = join(HOME, '../results/peers.json')
const TABLES = join(HOME, 'README.md')
const SUMMARY = join(HOME, '../../docs/benchmarks.md')

const MEASURES: { readonly [Name in keyof FigureTypes]: (context: Context) => Promise<Outcomes<FigureTypes[Name]>> } = {
  prefix: measurePrefix,
  processes: measureProcesses,
  writes: measureWrites,
  many: measureMany,
  start: measureStart,
  overhead: measureOverhead,
  updates: measureUpdates,
  kill: measureKill,
  weight: measureWeight,
  poisoning: measurePoisoning,
  undo: measureUndo,
  learning: measureLearning,
}

/** The names of a comma-separated option, or all; an unknown name is an error. */
const choose = <Name extends string>(given: string | undefined, all: readonly Name[], what: string): readonly Name[] => {
  if (given === undefined) return all
  const chosen = given.split(',')
  const unknown = chosen.filter((name) => !(all as readonly string[]).includes(name))
  if (unknown.length > 0) throw new TypeError(`There is no ${what} ${unknown.join(', ')}. There are: ${all.join(', ')}.`)
  return all.filter((name) => chosen.includes(name))
}

/** The floor and the frameworks alone are part of every run, since the others are compared with them. */
const withFloors = (chosen: readonly string[]): readonly PeerFacts[] => {
  const hosts = PEERS.filter(({ name }) => chosen.includes(name)).map(({ host }) => host)
  return PEERS.filter(({ name }) => name === 'floor' || chosen.includes(name) || hosts.some((host) => host === name))
}

const readResults = async (): Promise<Results | undefined> =>
  existsSync(RESULTS) ? (JSON.parse(await readFile(RESULTS, 'utf8')) as Results) : undefined

const versionsOf = async (peers: readonly PeerFacts[]): Promise<Results['versions']> => {
  const versions: Record<string, Record<string, string>> = {}
  for (const { name, packages } of peers) {
    const own = await Promise.all(packages.map(async (each) => [each, await versionOf(name, each)] as const))
    versions[name] = Object.fromEntries(own)
  }
  return versions
}

type OnMeasured = (measured: Results['figures']) => Promise<void>

const measureAll = async (context: Context, figures: readonly Figure[], onMeasured: OnMeasured): Promise<void> => {
  for (const figure of figures) {
    const finish = measuring()
    process.stderr.write(`${figure} … `)
    const outcomes = await MEASURES[figure](context)
    const { machine: _, ...when } = finish()
    process.stderr.write(`${when.seconds} s\n`)
    const measured = { ...when, share: context.share, outcomes }
    await onMeasured({ [figure]: measured } as Results['figures'])
  }
}

interface Job {
  readonly peers: readonly PeerFacts[]
  readonly figures: readonly Figure[]
  readonly share: number
  /** Called with each figure as soon as it is measured, so that a run which is stopped has not been in vain. */
  readonly onMeasured: (results: Results) => Promise<void>
}

/** Installs and builds everything, starts the model and the database, measures, and removes what was made. */
const measure = async ({ peers, figures, share, onMeasured }: Job): Promise<void> => {
  await run('npx', ['-y', 'pnpm@12', 'install', '--frozen-lockfile', '--prefer-offline'], { cwd: HOME })
  await installOurs()
  await buildAll(PEERS.map(({ name }) => name))
  const root = await mkdtemp(join(tmpdir(), 'hermes-peers-'))
  const home = join(root, 'home')
  await mkdir(home)
  const server = await startModelServer()
  const postgres = await createPostgresServer()
  const clean = async (): Promise<void> => {
    await server.close()
    await postgres.remove()
    await rm(root, { recursive: true, force: true })
  }
  // The database is a process that would go on by itself.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void clean().finally(() => process.exit(1)))
  try {
    const surroundings = { modelUrl: `${server.url}/plain`, postgresUrl: postgres.url, home }
    const context = { peers, server, surroundings, share, folder: (peer: string) => newFolder(root, peer) }
    const about = { machine: thisMachine(), versions: await versionsOf(peers) }
    await measureAll(context, figures, (measured) => onMeasured({ ...about, figures: measured }))
  } finally {
    await clean()
  }
}

/** Their outcomes do not depend on how busy the machine is, so single rows can be measured anew. */
const COUNTED: readonly Figure[] = ['prefix', 'processes', 'poisoning', 'undo', 'learning']

const isComplete = ({ outcomes }: { readonly outcomes: Readonly<Record<string, unknown>> }, figure: Figure): boolean =>
  peersOf(figure, PEERS).every(({ name }) => name in outcomes)

/** Keeps the figures, and of counted figures the rows, that were not measured now. */
const save = async (now: Results): Promise<void> => {
  const before = await readResults()
  const figures: Record<string, unknown> = { ...before?.figures }
  for (const [name, measured] of Object.entries(now.figures)) {
    const figure = name as Figure
    const known = COUNTED.includes(figure) ? before?.figures[figure] : undefined
    const merged = { ...measured, outcomes: { ...known?.outcomes, ...measured.outcomes } }
    if (!isComplete(merged, figure)) throw new TypeError(`${figure} lacks a peer, so it cannot be saved: leave out --only.`)
    figures[figure] = merged
  }
  const all = { machine: now.machine, versions: { ...before?.versions, ...now.versions }, figures }
  await writeFile(RESULTS, `${JSON.stringify(all, undefined, 2)}\n`)
}

const writePage = async (): Promise<void> => {
  const results = await readResults()
  if (results === undefined) throw new TypeError(`There is no ${RESULTS}: run bench:peers without options.`)
  await writeFile(TABLES, fillPage(await readFile(TABLES, 'utf8'), sectionsOf(results)))
  await writeFile(SUMMARY, fillPage(await readFile(SUMMARY, 'utf8'), summaryOf(results)))
  await run(process.execPath, [join(HOME, 'report/draw.ts')])
}

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    only: { type: 'string' },
    figures: { type: 'string' },
    share: { type: 'string', default: '1' },
    save: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
  },
})
const names = PEERS.map(({ name }) => name)
const peers = withFloors(choose(values.only, names, 'peer'))
const figures = choose(values.figures, FIGURES, 'figure')
const isWhole = peers.length === PEERS.length && figures.length === FIGURES.length && values.share === '1'

const report = async (results: Results): Promise<void> => {
  for (const name of Object.keys(results.figures)) console.log(`\n${name}\n\n${sectionsOf(results)[name]}`)
  if (isWhole || values.save) await save(results)
}

if (!values.page) await measure({ peers, figures, share: Number(values.share), onMeasured: report })
if (values.page || isWhole || values.save) await writePage()
