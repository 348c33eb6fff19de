/** `hermes curator run`, `backup` and `rollback`, killed at any moment: no skill is lost, the status has nothing to say, and the next command works at once. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { diskFolder } from '../../../scripts/support/temporary-folders.ts'
import { seededRandom } from '../../core/test/support/seeded-random.ts'
import { runHermes, runJson, temporaryHome, writeHome } from './run-hermes.ts'

// Uses the build, which starts five times as fast as the sources.
const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))

// Few kills per home, because every backup makes the next command slower.
const HOMES = 4
const KILLS_PER_HOME = 5
const MAX_ROUNDS = 30
const SKILLS = 30
const DAY = 86_400_000

/** The commands to kill, and the maximum number of file changes before the kill. */
const VERBS = [
  { args: ['run'], changes: 32 },
  { args: ['backup'], changes: 4 },
  { args: ['rollback', '--yes'], changes: 32 },
] as const

const NAMES = Array.from({ length: SKILLS }, (_, index) => `skill-${index}`)

const textOf = (name: string, edit: number): string =>
  `---\nname: ${name}\ndescription: How to ${name}.\n---\n\nThe text of edit ${edit}.\n`

/** Usage records; some skills were unused for so long that a run changes them. */
const usage = (random: () => number): string =>
  JSON.stringify(
    Object.fromEntries(
      NAMES.map((name) => {
        const days = [1, 40, 200][Math.floor(random() * 3)] ?? 1
        return [name, { created_by: 'agent', use_count: 1, last_used_at: new Date(Date.now() - days * DAY).toISOString() }]
      }),
    ),
  )

/** Kills the command after the given number of file changes; returns false if it ended earlier. */
const killAfter = async (home: string, args: readonly string[], events: number): Promise<boolean> => {
  const child = spawn(process.execPath, [MAIN, 'curator', ...args, '--home', home], {
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
  })
  let seen = 0
  const watcher = watch(home, { recursive: true }, (_event, path) => {
    // Changes of lock files do not count.
    if (!path || !/^(?:skills|curator)\b/.test(path)) return
    seen += 1
    if (seen === events) child.kill('SIGKILL')
  })
  const [, signal] = await once(child, 'close')
  watcher.close()
  return signal === 'SIGKILL'
}

/** The paths of every SKILL.md, live or archived, by the name in it. */
const copies = (home: string): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>()
  for (const path of readdirSync(join(home, 'skills'), { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('SKILL.md')) continue
    const text = readFileSync(join(home, 'skills', path), 'utf8')
    const name = /^name: (.*)$/m.exec(text)?.[1] ?? path
    found.set(name, [...(found.get(name) ?? []), text])
  }
  return found
}

const expectNothingLost = (home: string, edits: number): void => {
  const found = copies(home)
  expect([...found.keys()].sort()).toEqual([...NAMES].sort())
  for (const [name, texts] of found) {
    const known = new Set(Array.from({ length: edits + 1 }, (_, edit) => textOf(name, edit)))
    for (const text of texts) expect(known.has(text), `${name}: ${text}`).toBe(true)
  }
}

const expectSound = async (home: string): Promise<void> => {
  expect((await runJson(['curator', 'status', '--home', home])).told).toMatchObject({ ok: true, value: { problems: [] } })
}

const expectWorks = async (home: string, args: readonly string[]): Promise<void> => {
  const done = await runHermes(['curator', ...args, '--home', home])
  expect(done, done.stderr).toMatchObject({ code: 0 })
  await expectSound(home)
}

/** Returns the number of kills. */
const workOn = async (seed: number): Promise<number> => {
  const random = seededRandom(seed)
  const below = (count: number): number => Math.floor(random() * count)
  // On a disk: in memory, most commands end before they are killed.
  const home = temporaryHome(diskFolder())
  let killed = 0
  let edits = 0
  writeHome(home, Object.fromEntries(NAMES.map((name) => [`skills/ops/${name}/SKILL.md`, textOf(name, 0)])))
  writeHome(home, { 'skills/.usage.json': usage(random) })
  expect(await runHermes(['curator', 'backup', '--home', home])).toMatchObject({ code: 0 })
  for (let round = 0; killed < KILLS_PER_HOME && round < MAX_ROUNDS; round++) {
    writeFileSync(join(home, 'skills/.usage.json'), usage(random))
    const live = NAMES.filter((name) => existsSync(join(home, 'skills/ops', name, 'SKILL.md')))
    const edited = live[below(live.length)]
    edits += 1
    if (edited) writeFileSync(join(home, 'skills/ops', edited, 'SKILL.md'), textOf(edited, edits))
    const { args, changes } = VERBS[below(VERBS.length)] ?? VERBS[0]
    if (await killAfter(home, args, 1 + below(changes))) killed += 1
    expectNothingLost(home, edits)
    await expectSound(home)
    await expectWorks(home, below(2) === 0 ? ['run'] : ['rollback', '--yes'])
    expectNothingLost(home, edits)
  }
  return killed
}

describe('kill -9', () => {
  it(`loses no skill in ${HOMES * KILLS_PER_HOME} rounds, and leaves nothing half done`, { timeout: 300_000 }, async () => {
    const seeds = Array.from({ length: HOMES }, (_, index) => index + 1)
    let total = 0
    const work = async (): Promise<void> => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) total += await workOn(seed)
    }
    await Promise.all([work(), work()])
    expect(total).toBe(HOMES * KILLS_PER_HOME)
  })
})
