/**
 * Whole `hermes` commands on homes of 300 and of 10,000 skills, each in a new process, beside an empty Node process, on the user's Node and on the one of this
 * repository. Targets: a status of 300 skills within 300 ms on Node 20, of 10,000 within 1 s, a run with 4,360 changes within 8 s. Load on the machine slows all of them:
 * compare with `node -e 0`, and read the processor time.
 *
 * Options: `--skills 300,10000`, `--rounds 5`, `--main <file>`: another build of the command to compare with, in the same rounds.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { usersNode } from '../scripts/support/users-node.ts'
import { writeSkillHome } from './skill-home.ts'

const MAIN = fileURLToPath(new URL('../packages/cli/dist/main.js', import.meta.url))

const READING = ['memory show', 'skills list', 'curator status', 'curator run --dry-run']
/** A run costs seconds and needs a fresh copy of the home. */
const RUN_ROUNDS = 2

/** Of a thousand skills, 241 turn stale and 195 are archived: 4,360 changes in a library of 10,000. */
const idleDays = (index: number): number => {
  const place = (index * 37) % 1_000
  return place < 241 ? 45 : place < 436 ? 120 : 1
}

interface Taken {
  readonly wallMs: number
  /** User and system time of the process. */
  readonly cpuMs: number
}

const CPU_TIME =
  'data:text/javascript,' +
  encodeURIComponent(
    `process.on('exit', () => { const { user, system } = process.cpuUsage(); process.stderr.write('\\ncpu ' + (user + system) / 1000) })`,
  )

const time = (node: string, args: readonly string[]): Taken => {
  const start = performance.now()
  const { status, stderr } = spawnSync(node, ['--import', CPU_TIME, ...args], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
    maxBuffer: 1e9,
  })
  const wallMs = performance.now() - start
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`)
  return { wallMs, cpuMs: Number(/cpu ([\d.]+)$/.exec(stderr)?.[1]) }
}

const at = (list: readonly number[], share: number): number => list.toSorted((a, b) => a - b)[Math.floor(list.length * share)] ?? Number.NaN

const line = (name: string, taken: readonly Taken[]): string => {
  const walls = taken.map(({ wallMs }) => wallMs)
  const cpus = taken.map(({ cpuMs }) => cpuMs)
  const cells = [at(walls, 0), at(walls, 0.5), at(cpus, 0), at(cpus, 0.5)]
  return `  ${name.padEnd(34)}${cells.map((cell) => cell.toFixed(0).padStart(9)).join('')}`
}

interface Round {
  readonly node: string
  readonly builds: ReadonlyMap<string, string>
  readonly home: string
  readonly rounds: number
}

/** The candidates alternate, so that load on the machine affects them equally. */
const measureReading = ({ node, builds, home, rounds }: Round): void => {
  const candidates = new Map<string, readonly string[]>([['node -e 0', ['-e', '0']]])
  for (const [label, main] of builds) {
    for (const words of ['--help', ...READING])
      candidates.set(`${label} ${words}`, [main, ...words.split(' '), ...(words === '--help' ? [] : ['--home', home])])
  }
  const taken = new Map([...candidates.keys()].map((name) => [name, [] as Taken[]]))
  // The first round fills the caches of the disk and of compiled code.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, args] of candidates) {
      const one = time(node, args)
      if (round > 0) taken.get(name)?.push(one)
    }
  }
  for (const [name, list] of taken) console.log(line(name, list))
}

const measureRun = ({ node, builds, home }: Round): void => {
  const taken = new Map([...builds.keys()].map((label) => [label, [] as Taken[]]))
  for (let round = 0; round < RUN_ROUNDS; round++) {
    for (const [label, main] of builds) {
      const copy = mkdtempSync(join(tmpdir(), 'hermes-bench-run-'))
      try {
        cpSync(home, copy, { recursive: true })
        taken.get(label)?.push(time(node, [main, 'curator', 'run', '--home', copy]))
      } finally {
        rmSync(copy, { recursive: true, force: true })
      }
    }
  }
  for (const [label, list] of taken) console.log(line(`${label} curator run`, list))
}

/** Prints a table for each library and each Node. */
export const run = (options: readonly string[] = []): void => {
  const { values } = parseArgs({
    args: [...options],
    options: {
      skills: { type: 'string', default: '300,10000' },
      rounds: { type: 'string', default: '5' },
      main: { type: 'string' },
    },
  })
  const builds = new Map([...(values.main === undefined ? [] : [['other', values.main] as const]), ['hermes', MAIN] as const])
  for (const skills of values.skills.split(',').map(Number)) {
    const home = mkdtempSync(join(tmpdir(), 'hermes-bench-cli-'))
    try {
      writeSkillHome(home, { skills, idleDays })
      for (const node of new Set([usersNode(), process.execPath])) {
        const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()
        console.log(
          `${skills} skills, Node ${version}, ${values.rounds} rounds; ms: best and median of the wall clock, best and median of processor time`,
        )
        const round = { node, builds, home, rounds: Number(values.rounds) }
        measureReading(round)
        measureRun(round)
      }
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) run(process.argv.slice(2))
