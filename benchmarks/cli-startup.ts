/** Duration of `hermes` commands as installed, each in a new process, compared with an empty Node process. Target: a status of 300 skills under 300 ms. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { writeSkillHome } from './skill-home.ts'

const MAIN = fileURLToPath(new URL('../packages/cli/dist/main.js', import.meta.url))
const SKILLS = 300
const ROUNDS = 15

export interface StartupFigures {
  /** Milliseconds: the median and the best of all rounds. */
  readonly medianMs: Readonly<Record<string, number>>
  readonly bestMs: Readonly<Record<string, number>>
}

const time = (args: readonly string[]): number => {
  const start = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: { PATH: process.env['PATH'] } })
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`)
  return performance.now() - start
}

/** Prints a table and returns the figures. The candidates alternate, so that load on the machine affects them equally. */
export const run = (): StartupFigures => {
  const home = mkdtempSync(join(tmpdir(), 'hermes-bench-cli-'))
  try {
    // Of different ages, so that the status has transitions to forecast.
    writeSkillHome(home, { skills: SKILLS, idleDays: (index) => (index * 37) % 100, isAgents: (index) => index % 7 !== 0 })
    const candidates: Readonly<Record<string, readonly string[]>> = {
      'node -e 0': ['-e', '0'],
      'hermes --help': [MAIN, '--help'],
      'hermes memory show': [MAIN, 'memory', 'show', '--home', home],
      [`hermes curator status, ${SKILLS} skills`]: [MAIN, 'curator', 'status', '--home', home],
    }
    const times = new Map(Object.keys(candidates).map((name) => [name, [] as number[]]))
    // The first round fills the disk cache and the compile cache.
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [name, args] of Object.entries(candidates)) {
        const taken = time(args)
        if (round > 0) times.get(name)?.push(taken)
      }
    }
    const sorted = [...times].map(([name, list]) => [name, list.sort((a, b) => a - b)] as const)
    const at = (share: number) =>
      Object.fromEntries(sorted.map(([name, list]) => [name, list[Math.floor(list.length * share)] ?? Number.NaN]))
    const figures: StartupFigures = { medianMs: at(0.5), bestMs: at(0) }
    console.log(`Node ${process.versions.node}, ${ROUNDS} rounds`)
    for (const [name] of sorted) {
      const [median = Number.NaN, best = Number.NaN] = [figures.medianMs[name], figures.bestMs[name]]
      console.log(`  ${name.padEnd(36)} median ${median.toFixed(0).padStart(5)} ms   best ${best.toFixed(0).padStart(5)} ms`)
    }
    return figures
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) run()
