/** Processes are killed between the steps of a commit and at any moment, beside a writer like Python Hermes: nothing acknowledged is lost, torn or doubled. */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { bundledProgram } from '../../../../scripts/support/bundled-program.ts'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { FileBackend } from '../../src/storage/files/file-backend.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { type Child, startChild } from './support/child.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const script = bundledProgram(new URL('./support/update-process.ts', import.meta.url))
const python = fileURLToPath(new URL('./support/python-writer.py', import.meta.url))

const MOST_STEPS = 70
const MOST_LINES = 12
const UPDATES = 15

/** What the process printed, until it ended. */
const linesOf = async (child: Child, killAfter: number): Promise<readonly string[]> => {
  const lines: string[] = []
  try {
    for (;;) {
      lines.push(await child.line())
      if (lines.length === killAfter) child.process.kill('SIGKILL')
    }
  } catch {
    await child.ended
    return lines
  }
}

const textsOf = async (storage: StorageBackend, paths: readonly string[]): Promise<readonly string[]> => {
  const cut = await storage.read(paths)
  if (!cut.ok) throw cut.error
  return paths.map((path) => new TextDecoder().decode(cut.value.document(path)?.bytes))
}

interface Acknowledged {
  readonly ours: Set<string>
  readonly moved: Set<string>
  readonly pythons: Set<string>
}

/** The documents agree with each other, and hold each acknowledged name once. */
const check = async (home: string, { ours, moved, pythons }: Acknowledged): Promise<void> => {
  const warnings: string[] = []
  const storage = new FileBackend(home, { onWarning: (message) => warnings.push(message) })
  const [memory = '', list = '', log = '', usage = ''] = await textsOf(storage, [
    'memories/MEMORY.md',
    'list',
    'log/day',
    'skills/.usage.json',
  ])
  const entries = memory.split('\n§\n')
  expect(entries).toHaveLength(new Set(entries).size)
  const names = list.trimEnd().split('\n')
  expect(names).toHaveLength(new Set(names).size)
  expect(log.trimEnd().split('\n')).toEqual(names)
  expect(entries.filter((entry) => !entry.startsWith('py')).toSorted()).toEqual(names.toSorted())
  expect([...ours].filter((name) => !names.includes(name))).toEqual([])
  expect([...pythons].filter((name) => !entries.includes(name))).toEqual([])
  const counts = JSON.parse(usage) as Record<string, { readonly use_count: number } | undefined>
  expect(counts['ts']?.use_count).toBe(names.length)
  expect(counts['py']?.use_count ?? 0).toBeGreaterThanOrEqual(pythons.size)
  const listed = await storage.list('')
  if (!listed.ok) throw listed.error
  const paths = new Set(listed.value.map(({ path }) => path))
  expect(names.filter((name) => !paths.has(`notes/${name}`))).toEqual([])
  // A skill is in one place.
  expect(names.filter((name) => paths.has(`skills/${name}/SKILL.md`) === paths.has(`archive/${name}/SKILL.md`))).toEqual([])
  expect([...moved].filter((name) => !paths.has(`archive/${name}/SKILL.md`))).toEqual([])
  expect(paths.size).toBe(4 + 2 * names.length)
  const copies = await textsOf(storage, [...names.map((name) => `notes/${name}`)])
  expect(copies).toEqual(names)
  expect(warnings).toEqual([])
  await storage.close()
}

const AT_ONCE = 2

describe('kill -9', () => {
  const all = rounds(260)
  it(`loses, tears and doubles nothing in ${all} rounds of two processes`, { timeout: 1_800_000 }, async () => {
    const random = seededRandom(21)
    const upTo = (most: number) => 1 + Math.floor(random() * most)
    let kills = 0
    for (let first = 0; first < all; first += 10) {
      const home = mkdtempSync(join(temporaryFolder(), 'home-'))
      const acknowledged: Acknowledged = { ours: new Set(), moved: new Set(), pythons: new Set() }
      for (let round = first; round < Math.min(first + 10, all); round++) {
        const task = (index: number) => {
          const byStep = (round + index) % 3 > 0
          const killAtStep = byStep ? { killAtStep: upTo(MOST_STEPS) } : {}
          const child = startChild(process.execPath, [
            script,
            JSON.stringify({ home, writer: `r${round}${'ab'[index]}`, updates: UPDATES, ...killAtStep }),
          ])
          return { child, killAfter: byStep ? 0 : 1 + upTo(MOST_LINES) }
        }
        const tasks = Array.from({ length: AT_ONCE }, (_, index) => task(index))
        const besides = round % 2 === 1 ? [{ child: startChild('python3', [python, home, `py${round}`, '10']), killAfter: 0 }] : []
        for (const { child } of [...tasks, ...besides]) expect(await child.line()).toBe('ready')
        for (const { child } of [...tasks, ...besides]) child.say('go')
        const [said, saidBeside] = await Promise.all(
          [tasks, besides].map((some) => Promise.all(some.map(({ child, killAfter }) => linesOf(child, killAfter)))),
        )
        for (const { child } of tasks) if ((await child.ended) === 'SIGKILL') kills++
        for (const { child } of tasks) expect([0, 'SIGKILL']).toContain(await child.ended)
        for (const line of said?.flat() ?? [])
          line.startsWith('moved ') ? acknowledged.moved.add(line.slice(6)) : acknowledged.ours.add(line)
        for (const line of saidBeside?.flat() ?? []) acknowledged.pythons.add(line)
        if (round % 3 === 0) await check(home, acknowledged)
      }
      await check(home, acknowledged)
      rmSync(home, { recursive: true })
    }
    expect(kills).toBeGreaterThanOrEqual(1.9 * all)
  })
})
