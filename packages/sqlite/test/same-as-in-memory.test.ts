/** Random updates do what they do in a tree in memory, or fail for the same reason. */
import { join } from 'node:path'
import { sameAsInMemory } from '@hermes/core/testing'
import { expect, it } from 'vitest'
import { rounds } from '../../../scripts/support/rounds.ts'
import { sqliteBackend } from '../src/index.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

it.each(Array.from({ length: rounds(20) }, (_, seed) => seed))('with the seed %d', async (seed) => {
  const storage = sqliteBackend(join(temporaryFolder(), 'hermes.db'))
  const outcomes = await sameAsInMemory(storage, seed, 100)
  expect(outcomes.filter((outcome) => typeof outcome === 'number').length).toBeGreaterThan(10)
  await storage.close()
})
