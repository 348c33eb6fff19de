/** Duration of a durable update, compared with the bare system calls that it needs, and of 400 updates by 8 processes. */

import { closeSync, fsync, fsyncSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { moveDocuments, readDocument, updateDocument } from '@hermes/core/storage'
import { ok } from '../packages/core/src/shared/result.ts'
import { fileSystemBackend } from '../packages/core/src/storage/files/index.ts'
import { inMemoryBackend } from '../packages/core/src/storage/in-memory.ts'
import type { Cut, Paths, Plan, StorageBackend } from '../packages/core/src/storage/storage-backend.ts'
import { startChild } from '../packages/testing/src/child-process.ts'
import type { WriterTask } from '../packages/testing/src/storage-conformance/writer-main.ts'
import { bareReplace } from './files/bare-replace.ts'

const ROUNDS = 500
const WARM_UP = 50
const SIZE = 3500
const WRITERS = 8
const TIMES = 50
const MOVE_ROUNDS = 50
const PATH = 'memories/MEMORY.md'

// Called by the writer processes, which import this module.
export const open = async ({ home, lock }: { home: string; lock: Lock }): Promise<StorageBackend> =>
  lock === 'bare' ? bareBackend(home) : fileSystemBackend(home, { lock, onWarning: () => undefined })

/** `bare`: no library, only the system calls that a durable replace needs. */
type Lock = 'auto' | 'exclusive-file' | 'bare'

/** Updates of one document only. */
const bareBackend = (home: string): StorageBackend => ({
  ...inMemoryBackend(),
  update: async <T>([path = '']: Paths, plan: (cut: Cut) => Plan<T>) => {
    let value: T | undefined
    await bareReplace(dirname(join(home, path)), basename(path), (current) => {
      const planned = plan({ document: () => current && { bytes: current }, list: () => [] })
      const next = planned.put?.[path]
      value = planned.value
      if (!next) throw new TypeError('Only bytes can be written.')
      return 'bytes' in next ? next.bytes : next
    })
    return ok(value as T)
  },
})

const percentile = (sorted: readonly number[], share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN

const timed = async (act: () => unknown): Promise<number> => {
  const start = performance.now()
  await act()
  return performance.now() - start
}

const content = (round: number): Uint8Array => new Uint8Array(SIZE).fill(97 + (round % 26))

const syncFile = promisify(fsync)

const floorIn = (folder: string) => {
  let count = 0
  const write = () => {
    const temporary = join(folder, `temporary-${count}`)
    const handle = openSync(temporary, 'wx', 0o600)
    writeSync(handle, content(count++))
    return { temporary, handle }
  }
  const target = join(folder, 'document')
  return {
    blocking: () => {
      const { temporary, handle } = write()
      fsyncSync(handle)
      closeSync(handle)
      renameSync(temporary, target)
      const parent = openSync(folder, 'r')
      fsyncSync(parent)
      closeSync(parent)
    },
    waiting: async () => {
      const { temporary, handle } = write()
      await syncFile(handle)
      closeSync(handle)
      renameSync(temporary, target)
      const parent = openSync(folder, 'r')
      await syncFile(parent)
      closeSync(parent)
    },
  }
}

/** The candidates alternate, so that load on the machine affects them equally. */
const compare = async (candidates: Readonly<Record<string, (round: number) => unknown>>, rounds = ROUNDS): Promise<void> => {
  const names = Object.keys(candidates)
  const times = new Map(names.map((name) => [name, [] as number[]]))
  for (let round = 0; round < WARM_UP + rounds; round++) {
    for (const name of names) {
      const time = await timed(() => candidates[name]?.(round))
      if (round >= WARM_UP) times.get(name)?.push(time)
    }
  }
  const sorted = new Map([...times].map(([name, list]) => [name, list.sort((a, b) => a - b)]))
  const base = percentile(sorted.get(names[0] ?? '') ?? [], 0.5)
  for (const [name, list] of sorted) {
    const [half, late] = [percentile(list, 0.5), percentile(list, 0.99)]
    console.log(`${name.padEnd(46)} p50 ${half.toFixed(3)} ms   p99 ${late.toFixed(3)} ms   ${(half / base).toFixed(2)} × the first`)
  }
}

/** Milliseconds. */
const processes = async (home: string, lock: Lock, floor?: number): Promise<number> => {
  const task = { module: import.meta.url, config: { home, lock }, path: PATH, times: TIMES }
  const writers = Array.from({ length: WRITERS }, (_, writer) =>
    startChild<WriterTask>('storage-conformance/writer-main', { ...task, writer: `${writer}` }),
  )
  await Promise.all(writers.map((writer) => writer.ready))
  const time = await timed(async () => {
    for (const writer of writers) writer.go()
    await Promise.all(writers.map((writer) => writer.printed(TIMES)))
  })
  await Promise.all(writers.map((writer) => writer.finished))
  const document = await readDocument(await open({ home, lock: 'auto' }), PATH)
  const kept: number = JSON.parse(new TextDecoder().decode(document.ok ? document.value?.bytes : undefined)).length
  console.log(
    `${`${WRITERS} processes × ${TIMES} updates, lock: ${lock}`.padEnd(46)} ${time.toFixed(0)} ms, ${kept} of ${WRITERS * TIMES} kept   ${(time / (floor ?? time)).toFixed(2)} × the first`,
  )
  return time
}

/** Prints a table. */
export const run = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-bench-'))
  try {
    const floor = floorIn(folder)
    const home = join(folder, 'home')
    const storage = fileSystemBackend(home)
    const fallback = await open({ home: join(folder, 'fallback'), lock: 'exclusive-file' })
    const memory = inMemoryBackend()
    await compare({
      'floor: write, fsync, rename, fsync; blocking': floor.blocking,
      'floor: the same, event loop free in each fsync': floor.waiting,
      'file system: update, flock': (round) => updateDocument(storage, PATH, () => content(round)),
      'file system: update, fallback lock': (round) => updateDocument(fallback, PATH, () => content(round)),
      'in memory: update': (round) => updateDocument(memory, PATH, () => content(round)),
    })
    await compare({
      'floor: readFileSync': () => readFileSync(join(home, PATH)),
      'file system: read': () => readDocument(storage, PATH),
      'in memory: read': () => readDocument(memory, PATH),
    })
    for (let index = 0; index < 200; index++) await updateDocument(storage, `skills/s${index}/SKILL.md`, () => content(index))
    await updateDocument(storage, 'from-0/SKILL.md', () => content(0))
    await compare(
      {
        'file system: move of a folder': (round) => moveDocuments(storage, `from-${round}`, `from-${round + 1}`),
        'file system: list of 202 documents': () => storage.list(''),
      },
      MOVE_ROUNDS,
    )
    const bare = await processes(join(folder, 'bare'), 'bare')
    await processes(join(folder, 'flock'), 'auto', bare)
    await processes(join(folder, 'exclusive'), 'exclusive-file', bare)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await run()
