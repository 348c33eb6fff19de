/** Processes of one home are killed at any moment: each stored turn reaches the provider, those of a process in order. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { bundledProgram } from '../../../../scripts/support/bundled-program.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { startChild } from '../storage/support/child.ts'
import { temporaryFolder } from '../storage/support/temporary-home.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { manualTime, openConnection } from './open-connection.ts'
import type { OutboxTask } from './outbox-main.ts'

const script = bundledProgram(new URL('./outbox-main.ts', import.meta.url))
const KILLS = 6
const PROCESSES = 2

/** Starts a process and collects what it says is stored. */
const startProcess = (task: OutboxTask, env: NodeJS.ProcessEnv) => {
  const child = startChild(process.execPath, [script, JSON.stringify(task)], { env })
  const stored: string[] = []
  const read = async () => {
    for (;;) stored.push(await child.line())
  }
  const ended = read().catch(() => child.ended)
  return { child, stored, ended }
}

const firstOf = (lines: readonly string[]): readonly string[] => [...new Set(lines)]

it(`delivers every stored turn although ${KILLS} processes are killed`, { timeout: 120_000 }, async () => {
  const random = seededRandom(7)
  const folder = temporaryFolder()
  const file = join(temporaryFolder(), 'delivered.txt')
  const env = { ...process.env, NODE_COMPILE_CACHE: temporaryFolder() }
  const delivered = () =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
      : []
  const all: ReturnType<typeof startProcess>[] = []
  const start = () => {
    const task = { folder, file, name: `p${all.length}`, turns: 10_000, takesMs: 3 }
    const started = startProcess(task, env)
    all.push(started)
    return started
  }
  const running = Array.from({ length: PROCESSES }, start)
  for (let kill = 0; kill < KILLS; kill++) {
    const victim = running[kill % PROCESSES]
    const before = victim?.stored.length ?? 0
    while ((victim?.stored.length ?? 0) < before + 5) await wait(5)
    await wait(random() * 30)
    victim?.child.process.kill('SIGKILL')
    await victim?.ended
    running[kill % PROCESSES] = start()
  }
  for (const { stored, child, ended } of running) {
    while (stored.length < 5) await wait(5)
    child.process.kill('SIGTERM')
    expect(await ended).toBe(0)
  }

  // A later process delivers what the killed ones have left.
  const time = manualTime()
  const left: string[] = []
  const storage = fileSystemBackend(folder)
  const clock = () => Date.now() + 600_000
  const later = openConnection(
    { syncTurn: async ({ user }) => void left.push(user) },
    { storage, provider: { name: 'log' }, clock, timers: time.timers },
  )
  await later.recall()
  await later.connection.settled()
  expect(await storage.list('provider')).toEqual({ ok: true, value: [] })

  const lines = [...delivered(), ...left]
  const stored = all.flatMap((each) => each.stored)
  expect(stored.filter((turn) => !lines.includes(turn))).toEqual([])
  // Without a kill no turn is delivered twice; a killed process repeats those that it had not removed yet.
  const first = firstOf(lines)
  for (const [index] of all.entries()) {
    const numbers = first.filter((line) => line.startsWith(`p${index}-`)).map((line) => Number(line.split('-')[1]))
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  }
  expect(left.length).toBeGreaterThan(0)
  expect(first.length).toBeGreaterThan(PROCESSES * KILLS)
  await storage.close()
})

it('delivers each turn once if no process is killed, two at once', { timeout: 60_000 }, async () => {
  const folder = temporaryFolder()
  const file = join(temporaryFolder(), 'delivered.txt')
  const tasks = ['a', 'b'].map((name): OutboxTask => ({ folder, file, name, turns: 30, takesMs: 2 }))
  const running = tasks.map((task) => startProcess(task, process.env))
  expect(await Promise.all(running.map(({ ended }) => ended))).toEqual([0, 0])
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const turnsOf = (name: string) => lines.filter((line) => line.startsWith(`${name}-`))
  for (const { name } of tasks) expect(turnsOf(name)).toEqual(Array.from({ length: 30 }, (_, turn) => `${name}-${turn}`))
  const storage = fileSystemBackend(folder)
  expect(await storage.list('')).toEqual({ ok: true, value: [] })
  await storage.close()
})
