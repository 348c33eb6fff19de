/** Processes that are killed at any moment of their updates: what was acknowledged is there whole, nothing is there twice or in part. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { WIDE } from '../../../scripts/support/update-together.ts'
import { sqliteBackend } from '../src/sqlite-backend.ts'
import { startUpdating } from './support/child.ts'
import { textAt } from './support/entries.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const ROUNDS = 40

it(`loses and doubles nothing in ${ROUNDS} kills of two processes`, async () => {
  const file = join(temporaryFolder(), 'hermes.db')
  const acknowledged: string[] = []
  for (let round = 0; round < ROUNDS / 2; round++) {
    const children = [0, 1].map((index) =>
      startUpdating({ file, name: `${round}-${index}`, updates: 100_000 }, (entry) => acknowledged.push(entry)),
    )
    const before = acknowledged.length
    await expect.poll(() => acknowledged.length, { interval: 2 }).toBeGreaterThan(before + 3)
    for (const child of children) {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 30))
      child.process.kill('SIGKILL')
    }
    await Promise.all(children.map(({ ended }) => ended))
    const storage = sqliteBackend(file)
    const entries = (await textAt(storage, 'log'))?.trimEnd().split('\n') ?? []
    expect(new Set(entries).size).toBe(entries.length)
    expect(acknowledged.filter((entry) => !entries.includes(entry))).toEqual([])
    expect(await textAt(storage, 'count')).toBe(String(entries.length))
    expect(await textAt(storage, 'wide')).toBe(String(entries.length).padStart(WIDE, '.'))
    await storage.close()
  }
  console.info(`${ROUNDS} kills: ${acknowledged.length} acknowledged`)
}, 240_000)
