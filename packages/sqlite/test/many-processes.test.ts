/** Processes that update the same documents at once: all of it is there, once, and nobody waits for too long. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { IS_LONG_RUN } from '../../../scripts/support/rounds.ts'
import { sqliteBackend } from '../src/sqlite-backend.ts'
import { startUpdating } from './support/child.ts'
import { textAt } from './support/entries.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const [PROCESSES, UPDATES] = IS_LONG_RUN ? [8, 50] : [4, 20]

it(`keeps every update of ${PROCESSES} processes, ${UPDATES} each`, async () => {
  const file = join(temporaryFolder(), 'hermes.db')
  const entries: string[] = []
  const began = performance.now()
  const children = Array.from({ length: PROCESSES }, (_, index) =>
    startUpdating({ file, name: `p${index}`, updates: UPDATES }, (entry) => entries.push(entry)),
  )
  expect(await Promise.all(children.map(({ ended }) => ended))).toEqual(children.map(() => 0))
  console.info(`${PROCESSES} × ${UPDATES}: ${Math.round(performance.now() - began)} ms`)
  expect(entries).toHaveLength(PROCESSES * UPDATES)
  const storage = sqliteBackend(file)
  expect((await textAt(storage, 'log'))?.trimEnd().split('\n').toSorted()).toEqual(entries.toSorted())
  expect(await textAt(storage, 'count')).toBe(String(entries.length))
  await storage.close()
})
