/**
 * Queues of due reviews with 1,000 and 100,000 waiting entries, in memory and in files: the first claim of a new process, claims and ends one at a time and four at a
 * time, additions, and what four handles claim together. `HERMES_BENCH_ENTRIES`: number of entries.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addEntry, EMPTY_SHARD, type QueueShard } from '../packages/core/src/queue/queue-shard.ts'
import type { ReviewQueue } from '../packages/core/src/queue/review-queue.ts'
import { shardPath, storageReviewQueue } from '../packages/core/src/queue/storage-review-queue.ts'
import { fileSystemBackend } from '../packages/core/src/storage/backends/file-system/index.ts'
import { inMemoryBackend } from '../packages/core/src/storage/backends/in-memory.ts'
import type { StorageBackend } from '../packages/core/src/storage/storage-backend.ts'

const COUNTS = process.env['HERMES_BENCH_ENTRIES'] ? [Number(process.env['HERMES_BENCH_ENTRIES'])] : [1_000, 100_000]
const CLAIMS = 100
const HANDLES = 4
const LEASE_MS = 60_000

/** The documents of a queue with this many entries, each of another owner. */
const documentsOf = (entries: number): ReadonlyMap<string, QueueShard> => {
  const shards = new Map<string, QueueShard>()
  for (let index = 0; index < entries; index++) {
    const owner = { tenant: `tenant-${index % 100}`, user: `user-${index}` }
    const path = shardPath(owner)
    const shard = shards.get(path) ?? EMPTY_SHARD
    shards.set(path, addEntry(shard, { owner, kind: 'turns', dueAt: 1_000_000 + index }) ?? shard)
  }
  return shards
}

const unwrap = <T>(result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Error }): T => {
  if (result.ok) return result.value
  throw result.error
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now()
  await work()
  return performance.now() - from
}

const claimAndEnd = async (queue: ReviewQueue, limit: number): Promise<number> => {
  const claims = unwrap(await queue.claim({ limit, leaseMs: LEASE_MS }))
  await Promise.all(claims.map(async (claim) => unwrap(await queue.end(claim, 'done'))))
  return claims.length
}

const perSecond = (count: number, ms: number): string => `${Math.round((count * 1_000) / ms)}/s`

const measure = async (name: string, entries: number, storage: StorageBackend): Promise<void> => {
  const queue = storageReviewQueue({ storage })
  const first = await timed(() => claimAndEnd(queue, 1))
  const singly = await timed(async () => {
    for (let claim = 0; claim < CLAIMS; claim++) await claimAndEnd(queue, 1)
  })
  const inFours = await timed(async () => {
    for (let claim = 0; claim < CLAIMS; claim += 4) await claimAndEnd(queue, 4)
  })
  const adding = await timed(async () => {
    for (let added = 0; added < CLAIMS; added++)
      unwrap(await queue.add({ owner: { user: `new-${added}` }, kind: 'idle', dueAt: Date.now() }))
  })
  const handles = Array.from({ length: HANDLES }, () => storageReviewQueue({ storage }))
  for (const handle of handles) unwrap(await handle.stats())
  const together = await timed(() =>
    Promise.all(
      handles.map(async (handle) => {
        for (let claimed = 0; claimed < CLAIMS / HANDLES; ) claimed += await claimAndEnd(handle, 4)
      }),
    ),
  )
  console.log(
    `${name}, ${entries} entries: first claim ${Math.round(first)} ms · one at a time ${perSecond(CLAIMS, singly)} · four at a time ${perSecond(CLAIMS, inFours)} · ${HANDLES} handles ${perSecond(CLAIMS, together)} · additions ${perSecond(CLAIMS, adding)}`,
  )
}

const encode = (shard: QueueShard): Uint8Array => new TextEncoder().encode(JSON.stringify(shard))

export const run = async (): Promise<void> => {
  for (const entries of COUNTS) {
    const documents = documentsOf(entries)
    const memory = inMemoryBackend()
    for (const [path, shard] of documents) unwrap(await memory.update(path, () => encode(shard)))
    await measure('in memory', entries, memory)
    const folder = mkdtempSync(join(tmpdir(), 'hermes-queue-'))
    mkdirSync(join(folder, 'queue/reviews'), { recursive: true })
    for (const [path, shard] of documents) writeFileSync(join(folder, path), encode(shard))
    const files = fileSystemBackend(folder)
    await measure('in files', entries, files)
    await files.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
