/** The one form of what a benchmark found: Markdown to print, outcomes to keep, and whether everything held that must. */
import { execFileSync } from 'node:child_process'
import { cpus, loadavg, release, totalmem, type } from 'node:os'

export type Cell = string | number

/** Amounts over a size. `peers/report/draw.ts` draws it as `docs/images/bench-<benchmark>-<part>.svg`. */
export interface LineChart {
  readonly title: string
  readonly x: string
  readonly y: string
  /** Both axes. */
  readonly isLogarithmic: boolean
  readonly lines: readonly { readonly name: string; readonly points: readonly { readonly x: number; readonly y: number }[] }[]
}

export interface Report {
  /** Tables and sentences, printed with a blank line in between. */
  readonly blocks: readonly string[]
  /** What pages of the documentation show of it, in Markdown: see `pages.ts`. */
  readonly page?: (measured: MeasuredOn) => string
  readonly chart?: LineChart
  /** Every outcome, for `--outcomes <file>`. */
  readonly outcomes?: unknown
  /** False if something did not hold, which is exit code 1. Default: true. */
  readonly held?: boolean
}

/** One measurement of a benchmark. `args`: its options. */
export type Part = (args: readonly string[]) => Report | Promise<Report>

/** Markdown. The first column is text, the others are numbers. */
export const table = (head: readonly Cell[], rows: readonly (readonly Cell[])[]): string => {
  const line = (cells: readonly Cell[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

/** Of a share from 0 to 1. */
export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

/** Where and when something was measured. */
export interface MeasuredOn {
  /** ISO 8601. */
  readonly at: string
  readonly commit: string
  readonly seconds: number
  /** Load average of the machine over one minute, before and after: beyond its number of processors, others were at work. */
  readonly load: { readonly before: number; readonly after: number }
  readonly machine: Machine
}

export interface Machine {
  readonly processors: string
  readonly memoryGigabytes: number
  readonly system: string
  readonly node: string
}

const GIGABYTE = 1024 ** 3

const load = (): number => Math.round((loadavg()[0] ?? 0) * 10) / 10

export const thisMachine = (): Machine => ({
  processors: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
  memoryGigabytes: Math.round(totalmem() / GIGABYTE),
  system: `${type()} ${release()}`,
  node: process.versions.node,
})

/** What is measured, and what measures it. */
const SOURCES = [':/packages', ':/benchmarks', ':(top,exclude)benchmarks/results'] as const

/** Of the sources, with `+` if they were changed since. */
export const thisCommit = (): string => {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    return `${git('rev-parse', '--short=8', 'HEAD')}${git('status', '--porcelain', '--untracked-files=no', '--', ...SOURCES) === '' ? '' : '+'}`
  } catch {
    return 'unknown'
  }
}

/** Call it before, and what it returns after. */
export const measuring = (): (() => MeasuredOn) => {
  const [at, commit, before, start] = [new Date().toISOString(), thisCommit(), load(), performance.now()]
  return () => ({
    at,
    commit,
    seconds: Math.round((performance.now() - start) / 1_000),
    load: { before, after: load() },
    machine: thisMachine(),
  })
}

export const describeMachine = ({ processors, memoryGigabytes, system, node }: Machine): string =>
  `${processors}, ${memoryGigabytes} GB, ${system}, Node ${node}`

export const describeMeasuring = ({ at, commit, seconds, load: { before, after }, machine }: MeasuredOn): string =>
  `Measured ${at.slice(0, 10)} at commit ${commit} in ${seconds.toLocaleString('en-US')} s on ${describeMachine(machine)}; load of the machine ${before.toFixed(1)} before, ${after.toFixed(1)} after.`
