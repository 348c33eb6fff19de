/** What a change of the memory costs: in memory with 18 entries present, and durably, beside bare durable replaces under flock(2). */
import { join } from 'node:path'
import { updateDocument } from '@hermes/core/storage'
import { MemoryStore } from '../../packages/core/src/memory/memory-store.ts'
import { fileSystemBackend } from '../../packages/core/src/storage/files/index.ts'
import { inMemoryBackend } from '../../packages/core/src/storage/in-memory.ts'
import type { StorageBackend } from '../../packages/core/src/storage/storage-backend.ts'
import type { Report } from '../report.ts'
import { takeTurns, timesTable } from '../timing.ts'
import { bareReplace } from './bare-replace.ts'

const ROUNDS = 200
const WARM_UP = 30
const PRESENT = 18

const note = (index: number): string =>
  `Note ${index}: the deployment of service ${index * 7} runs on Tuesdays after the review, and the owner is team ${index % 5}.`

const text = (count: number): Uint8Array => new TextEncoder().encode(Array.from({ length: count }, (_, index) => note(index)).join('\n§\n'))

/**
 * What a replaced entry is promised, without a library: its record and the copy of the old text are durable before the entry is. Both are
 * written concurrently, the memory file after them.
 */
const barePromise = async (folder: string): Promise<void> => {
  const [record, copy, file] = [text(PRESENT), text(1), text(PRESENT)]
  await Promise.all([bareReplace(folder, 'record', () => record), bareReplace(join(folder, 'archive'), 'copy', () => copy)])
  await bareReplace(folder, 'file', () => file)
}

/** With so many entries present, made by the user, as a session has it. */
const openStore = async (storage: StorageBackend): Promise<MemoryStore> => {
  const store = new MemoryStore({ storage, memoryCharLimit: 8000 })
  await store.load()
  const ops = Array.from({ length: PRESENT }, (_, index) => ({ action: 'add', content: note(index) }) as const)
  const written = await store.apply('memory', ops, { origin: 'user', sessionId: 'first' })
  if (!written.ok) throw written.error
  return store
}

const source = { origin: 'user', sessionId: 'second' } as const

/** Takes away what the change before has added, unmeasured, so that each finds 18 entries. */
const candidates = (store: MemoryStore) => {
  let last = note(0)
  const check = async (doing: ReturnType<MemoryStore['apply']>): Promise<void> => {
    const done = await doing
    if (!done.ok) throw done.error
  }
  return {
    add: {
      act: (round: number) => check(store.apply('memory', { action: 'add', content: note(1000 + (round % 7)) }, source)),
      after: (round: number) => check(store.apply('memory', { action: 'remove', oldText: note(1000 + (round % 7)) }, source)),
    },
    replace: {
      act: (round: number) => check(store.apply('memory', { action: 'replace', oldText: last, content: note(5000 + (round % 7)) }, source)),
      after: async (round: number) => {
        last = note(5000 + (round % 7))
      },
    },
  }
}

export const measureMemory = async (folder: string): Promise<Report> => {
  const inMemory = candidates(await openStore(inMemoryBackend()))
  const memory = await takeTurns({ 'add an entry': inMemory.add, 'replace an entry': inMemory.replace }, ROUNDS, WARM_UP)
  const storage = fileSystemBackend(join(folder, 'home'))
  const bytes = text(PRESENT)
  const onDisk = candidates(await openStore(storage))
  const files = await takeTurns(
    {
      'bare: flock, write, fsync, rename, fsync': { act: () => bareReplace(folder, 'document', () => bytes) },
      'bare: 2 such replaces, then 1': { act: () => barePromise(folder) },
      'an update of one document': {
        act: (round) => updateDocument(storage, 'notes/one.md', () => new TextEncoder().encode(note(round))),
      },
      'add an entry': onDisk.add,
      'replace an entry': onDisk.replace,
    },
    ROUNDS,
    WARM_UP,
  )
  await storage.close()
  return {
    blocks: [timesTable(`in memory, ${PRESENT} entries present`, memory), timesTable(`in files, ${PRESENT} entries present`, files)],
  }
}
