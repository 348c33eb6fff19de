/**
 * Many owners in one process: the cost of a home while it is open, after it is dropped, and when it is opened again, and the duration of an erasure.
 * `HERMES_BENCH_OWNERS`: number of owners, default 5,000.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createJournal } from '../packages/core/src/entries/journal.ts'
import { createHermesHomes, type HermesHomes } from '../packages/core/src/index.ts'
import { fileSystemBackend } from '../packages/core/src/storage/files/index.ts'

const OWNERS = Number(process.env['HERMES_BENCH_OWNERS'] ?? 5_000)
const MAX_OPEN = 100
const AT_ONCE = 16
const RECORDS = 10_000
const SESSIONS = 300
const PER_APPEND = 5
const DAYS = 300
const DAY_MS = 24 * 60 * 60 * 1000

setFlagsFromString('--expose_gc')
const collect: () => void = runInNewContext('gc')

const heap = (): number => {
  for (let time = 0; time < 3; time++) collect()
  return process.memoryUsage().heapUsed
}
const openFiles = (): number => readdirSync('/proc/self/fd').length

const percentile = (times: readonly number[], share: number): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * share)] ?? 0

const nameOf = (owner: number): string => `user-${owner}@example.com`

const forEachOwner = async (work: (owner: number) => Promise<void>): Promise<void> => {
  let next = 0
  const worker = async () => {
    while (next < OWNERS) await work(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

const turn = async (homes: HermesHomes, owner: number): Promise<void> => {
  const session = homes.for(nameOf(owner)).session('chat')
  await session.systemBlock()
  session.recordTurn({
    messages: [
      { role: 'user', text: `Hello ${owner}` },
      { role: 'assistant', text: 'Hello' },
    ],
  })
  await session.settled()
}

/** Measures with all homes open, then with only the newest one open. */
const heapOfHomes = async (root: string): Promise<void> => {
  const before = { heap: heap(), files: openFiles() }
  const open = createHermesHomes({ storage: fileSystemBackend(root), homes: { maxOpen: OWNERS, idleMinutes: 60 } })
  await forEachOwner(async (owner) => {
    await turn(open, owner)
    await open
      .for(nameOf(owner))
      .memoryStore()
      .apply('user', { action: 'add', content: `The user's number is ${owner}` })
  })
  const whileOpen = { heap: heap(), files: openFiles() }
  await open.close()

  const few = createHermesHomes({ storage: fileSystemBackend(root), homes: { maxOpen: MAX_OPEN } })
  for (let owner = 0; owner < 2 * MAX_OPEN; owner++) await turn(few, owner)
  await few.settled()
  // As many homes are open as allowed, so any further memory belongs to dropped homes.
  const base = heap()
  await forEachOwner((owner) => turn(few, owner))
  await few.settled()
  const evicted = { heap: heap(), files: openFiles() }
  const row = (what: string, bytes: number, files: number) =>
    console.log(
      `${what.padEnd(34)} ${(bytes / OWNERS / 1024).toFixed(2).padStart(8)} kB an owner   ${String(files).padStart(4)} open files`,
    )
  row(`${OWNERS} owners, all open`, whileOpen.heap - before.heap, whileOpen.files)
  row('owners whose home was dropped', evicted.heap - base, evicted.files)
  console.log(`open files before: ${before.files}`)

  const times: number[] = []
  for (let owner = 0; owner < Math.min(OWNERS, 1_000); owner++) {
    const began = performance.now()
    await few.for(nameOf(owner)).session('chat').systemBlock()
    times.push(performance.now() - began)
  }
  console.log(
    `resume a session of a home that was dropped: p50 ${percentile(times, 0.5).toFixed(2)} ms, p99 ${percentile(times, 0.99).toFixed(2)} ms`,
  )
  const listed = performance.now()
  const owners = await few.list()
  console.log(`list ${owners.ok ? owners.value.length : 0} owners: ${(performance.now() - listed).toFixed(0)} ms`)
  await few.close()
}

/** A home with 10,000 journal records and 300 sessions. */
const erasing = async (root: string): Promise<void> => {
  const storage = fileSystemBackend(root)
  const homes = createHermesHomes({ storage })
  const hermes = homes.for('erased')
  for (let chat = 0; chat < SESSIONS; chat++) await hermes.session(`chat-${chat}`).systemBlock()
  await hermes.settled()
  let now = Date.now() - DAYS * DAY_MS
  const home = homes.storage('erased')
  const clock = () => (now += (DAYS * DAY_MS) / RECORDS)
  const journal = createJournal({ storage: home, clock, createId: () => crypto.randomUUID() })
  for (let record = 0; record < RECORDS; record += PER_APPEND) {
    const records = Array.from(
      { length: PER_APPEND },
      () => ({ actor: 'review', kind: 'rejected', reason: 'The user did not say it.' }) as const,
    )
    await journal.append(records)
  }
  const documents = await home.list('')
  const began = performance.now()
  const erased = await homes.erase('erased')
  const took = performance.now() - began
  console.log(
    `erase ${RECORDS} records and ${SESSIONS} sessions, ${documents.ok ? documents.value.length : 0} documents: ${took.toFixed(0)} ms (${erased.ok ? 'done' : erased.error.message})`,
  )
  await homes.close()
}

export const run = async (): Promise<void> => {
  const root = mkdtempSync(join(tmpdir(), 'hermes-homes-bench-'))
  try {
    await heapOfHomes(root)
    await erasing(root)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
