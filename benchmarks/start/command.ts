/**
 * Whole `hermes` commands on homes of 300 and of 10,000 skills, each in a new process, beside an empty Node process, on the user's Node and on the one of this
 * repository. Load on the machine slows all of them: compare with `node -e 0`, and read the processor time.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { usersNode } from '../../scripts/support/users-node.ts'
import { type Part, table } from '../report.ts'
import { percentile } from '../timing.ts'
import { writeSkillHome } from './skill-home.ts'

const MAIN = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url))

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

const cellsOf = (taken: readonly Taken[]): readonly string[] => {
  const [walls, cpus] = [taken.map(({ wallMs }) => wallMs), taken.map(({ cpuMs }) => cpuMs)]
  return [percentile(walls, 0), percentile(walls, 0.5), percentile(cpus, 0), percentile(cpus, 0.5)].map((ms) => ms.toFixed(0))
}

interface Round {
  readonly node: string
  readonly builds: ReadonlyMap<string, string>
  readonly home: string
  readonly rounds: number
}

/** The candidates alternate, so that load on the machine affects them equally. */
const measureReading = ({ node, builds, home, rounds }: Round): ReadonlyMap<string, readonly Taken[]> => {
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
  return taken
}

const measureRun = ({ node, builds, home }: Round): ReadonlyMap<string, readonly Taken[]> => {
  const taken = new Map([...builds.keys()].map((label) => [`${label} curator run`, [] as Taken[]]))
  for (let round = 0; round < RUN_ROUNDS; round++) {
    for (const [label, main] of builds) {
      const copy = mkdtempSync(join(tmpdir(), 'hermes-bench-run-'))
      try {
        cpSync(home, copy, { recursive: true })
        taken.get(`${label} curator run`)?.push(time(node, [main, 'curator', 'run', '--home', copy]))
      } finally {
        rmSync(copy, { recursive: true, force: true })
      }
    }
  }
  return taken
}

const HEAD = ['least ms', 'p50 ms', 'least processor ms', 'p50 processor ms']

export const measureCommand: Part = (args) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      skills: { type: 'string', default: '300,10000' },
      rounds: { type: 'string', default: '5' },
      main: { type: 'string' },
    },
  })
  const builds = new Map([...(values.main === undefined ? [] : [['other', values.main] as const]), ['hermes', MAIN] as const])
  const blocks: string[] = []
  for (const skills of values.skills.split(',').map(Number)) {
    const home = mkdtempSync(join(tmpdir(), 'hermes-bench-cli-'))
    try {
      writeSkillHome(home, { skills, idleDays })
      for (const node of new Set([usersNode(), process.execPath])) {
        const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()
        const round = { node, builds, home, rounds: Number(values.rounds) }
        const taken = [...measureReading(round), ...measureRun(round)]
        blocks.push(
          table(
            [`${skills} skills, Node ${version}`, ...HEAD],
            taken.map(([name, list]) => [name, ...cellsOf(list)]),
          ),
        )
      }
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  }
  return { blocks }
}
