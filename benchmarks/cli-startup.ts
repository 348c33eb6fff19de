/** Duration of `hermes` commands as installed, each in a new process, compared with an empty Node process. Target: a status of 300 skills under 300 ms. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const MAIN = fileURLToPath(new URL('../packages/cli/dist/main.js', import.meta.url))
const SKILLS = 300
const CATEGORIES = 12
const ROUNDS = 15
const DAY_MS = 86_400_000
const BODY = 'A line of instructions, as long as they are.\n'.repeat(65)

export interface StartupFigures {
  /** Milliseconds: the median and the best of all rounds. */
  readonly medianMs: Readonly<Record<string, number>>
  readonly bestMs: Readonly<Record<string, number>>
}

/** Skills of different ages, so that the status has transitions to forecast. */
const writeLibrary = (home: string): void => {
  const now = Date.now()
  const usage: Record<string, object> = {}
  for (let index = 0; index < SKILLS; index++) {
    const name = `skill-${index}`
    const folder = join(home, `skills/category-${index % CATEGORIES}/${name}`)
    mkdirSync(folder, { recursive: true })
    const frontMatter = `---\nname: ${name}\ndescription: Does the useful thing with number ${index}, and nothing else.\n---\n`
    writeFileSync(join(folder, 'SKILL.md'), `${frontMatter}\n# Skill ${index}\n\n${BODY}`)
    const last = new Date(now - ((index * 37) % 100) * DAY_MS).toISOString()
    usage[name] = { created_by: index % 7 === 0 ? null : 'agent', use_count: index % 30, last_used_at: last, state: 'active' }
  }
  writeFileSync(join(home, 'skills/.usage.json'), JSON.stringify(usage))
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
    writeLibrary(home)
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
