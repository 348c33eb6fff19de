/** The journal of a home in use loses its oldest days in the background. */

import { manualClock } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import { createHermes } from '../../src/create-hermes.ts'
import type { HermesOptions } from '../../src/hermes-options.ts'
import { createJournal } from '../../src/journal/journal.ts'
import type { HermesEvent } from '../../src/session/hermes-event.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { unwrap } from '../support/skill-library.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 5, 1, 12)

const homeWithDays = async (...daysAgo: readonly number[]): Promise<StorageBackend> => {
  const storage = inMemoryBackend()
  let ids = 0
  for (const days of daysAgo) {
    const journal = createJournal({ storage, clock: () => NOW - days * DAY_MS, createId: () => `id${++ids}` })
    unwrap(await journal.append([{ actor: 'review', kind: 'applied', reason: `${days} days ago` }]))
  }
  return storage
}

const useOnce = async (storage: StorageBackend, options: Partial<HermesOptions> = {}) => {
  const hermes = createHermes({ storage, clock: manualClock(NOW), ...options })
  await hermes.session('chat').systemBlock()
  await hermes.settled()
  return unwrap(await hermes.journal.list()).map(({ reason }) => reason)
}

describe('the journal of a home', () => {
  it('loses its oldest days when a session opens', async () => {
    const storage = await homeWithDays(400, 3, 0)
    expect(await useOnce(storage)).toEqual(['3 days ago', '0 days ago'])
    expect(unwrap(await storage.list('journal')).map(({ path }) => path)).toEqual(['journal/2026-05-29.jsonl', 'journal/2026-06-01.jsonl'])
  })

  it('is kept for as long as the host says', async () => {
    expect(await useOnce(await homeWithDays(400, 3, 0), { journal: { retainDays: 'forever' } })).toHaveLength(3)
    expect(await useOnce(await homeWithDays(400, 3, 0), { journal: { retainDays: 3 } })).toEqual(['0 days ago'])
  })

  it('reports a day that could not be removed, and the turn continues', async () => {
    const inner = await homeWithDays(400)
    const storage: StorageBackend = {
      ...inner,
      update: (paths, plan, options) => inner.update(paths.some((path) => path === 'journal/') ? ['../nowhere'] : paths, plan, options),
    }
    const events: HermesEvent[] = []
    await useOnce(storage, { onEvent: (event) => events.push(event) })
    expect(events).toContainEqual(expect.objectContaining({ type: 'storage-failed', operation: 'prune journal' }))
  })
})
