/** What a change of the memory costs: in memory with 18 entries present, and durably, beside a bare durable replace under flock(2). */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { updateDocument } from '@hermes/core/storage'
import { MemoryStore } from '../packages/core/src/memory/memory-store.ts'
import { fileSystemBackend } from '../packages/core/src/storage/files/index.ts'
import { inMemoryBackend } from '../packages/core/src/storage/in-memory.ts'
import type { StorageBackend } from '../packages/core/src/storage/storage-backend.ts'
import { bareReplace } from './files/bare-replace.ts'

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

interface Candidate {
  readonly act: (round: number) => Promise<void>
  readonly after?: (round: number) => Promise<void>
}

const percentile = (sorted: readonly number[], share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN

/** All take turns, so that a busy machine is equally busy for each; the ratio is that of the medians. */
const compare = async (all: Readonly<Record<string, Candidate>>): Promise<void> => {
  const times = new Map(Object.keys(all).map((name) => [name, [] as number[]]))
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    for (const [name, { act, after }] of Object.entries(all)) {
      const start = performance.now()
      await act(round)
      const time = performance.now() - start
      if (round >= WARM_UP) times.get(name)?.push(time)
      await after?.(round)
    }
  }
  const sorted = [...times].map(([name, list]) => [name, list.sort((a, b) => a - b)] as const)
  const base = percentile(sorted[0]?.[1] ?? [], 0.5)
  for (const [name, list] of sorted) {
    const [least, half, late] = [list[0] ?? Number.NaN, percentile(list, 0.5), percentile(list, 0.9)]
    console.log(
      `${name.padEnd(46)} min ${least.toFixed(3)}   p50 ${half.toFixed(3)}   p90 ${late.toFixed(3)} ms   ${(half / base).toFixed(2)} × the first`,
    )
  }
}

/** Prints its own table. */
export const run = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-bench-'))
  try {
    const inMemory = candidates(await openStore(inMemoryBackend()))
    await compare({
      [`in memory: add 1 to ${PRESENT} entries`]: inMemory.add,
      [`in memory: replace 1 of ${PRESENT} entries`]: inMemory.replace,
    })
    const storage = fileSystemBackend(join(folder, 'home'))
    const bytes = text(PRESENT)
    const onDisk = candidates(await openStore(storage))
    await compare({
      'floor: flock, write, fsync, rename, fsync': { act: () => bareReplace(folder, 'document', () => bytes) },
      'floor of the promise: 2 such replaces, then 1': { act: () => barePromise(folder) },
      'file system: one update of the storage': {
        act: async (round) => void (await updateDocument(storage, 'notes/one.md', () => new TextEncoder().encode(note(round)))),
      },
      [`file system: add 1 to ${PRESENT} entries`]: onDisk.add,
      [`file system: replace 1 of ${PRESENT} entries`]: onDisk.replace,
    })
    await storage.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await run()
