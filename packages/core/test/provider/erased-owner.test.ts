/** An owner is erased while turns of theirs wait for delivery in another process: nothing of them reaches the provider or the storage any more. */

import { manualClock } from '@hermes/testing'
import { expect, it } from 'vitest'
import { createHermesHomes } from '../../src/create-hermes-homes.ts'
import type { MemoryProvider } from '../../src/provider/memory-provider.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { user } from '../session/open-home.ts'

const openHomes = (storage: StorageBackend, provider: MemoryProvider, clock = manualClock()) => {
  const problems: string[] = []
  const homes = createHermesHomes({
    storage,
    clock,
    memory: { provider },
    curator: { enabled: false },
    onEvent: (event) => {
      if ('error' in event && event.type !== 'provider-failed') problems.push(`${event.type} ${event.error?.message}`)
    },
  })
  return { homes, clock, problems }
}

it('delivers nothing of an owner who was erased while a turn was being stored', async () => {
  const storage = inMemoryBackend()
  const attempts: string[] = []
  const provider: MemoryProvider = {
    name: 'testing',
    initialize: ({ owner }) => ({
      syncTurn: async (turn) => void attempts.push(`${owner?.user}: ${turn.user}`),
      forget: async () => 0,
    }),
  }
  const other = openHomes(storage, provider)
  let erased = false
  const erasing: StorageBackend = {
    ...storage,
    async update(paths, plan, options) {
      if (!erased && paths.some((path) => path.endsWith('provider/testing.json'))) {
        erased = true
        await other.homes.erase('ann')
      }
      return storage.update(paths, plan, options)
    },
  }
  const first = openHomes(erasing, provider)
  const ann = first.homes.for('ann')
  await ann.memoryStore().apply('user', { action: 'add', content: 'Likes tea.' })
  ann.session('chat').recordTurn({ messages: [user('I have diabetes.')] })
  await ann.settled()
  await first.homes.close()
  await other.homes.close()
  expect(erased).toBe(true)
  expect(attempts).toEqual([])
  expect(JSON.stringify(await texts(storage))).not.toContain('diabetes')
})

const texts = async (storage: StorageBackend): Promise<readonly string[]> => {
  const listed = await storage.list('')
  const paths = listed.ok ? listed.value.map(({ path }) => path) : []
  const found = await Promise.all(paths.map((path) => readDocument(storage, path)))
  return found.map((each) => (each.ok && each.value ? new TextDecoder().decode(each.value.bytes) : ''))
}
