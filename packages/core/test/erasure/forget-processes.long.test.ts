/** An erasure that is killed at any moment leaves no torn document, the same call finishes it, and concurrent writers lose nothing. */

import { cpSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bundledProgram } from '../../../../scripts/support/bundled-program.ts'
import { listBackups, openBackup } from '../../src/curator/backups.ts'
import { createJournal } from '../../src/journal/journal.ts'
import { parseFacts } from '../../src/memory/facts.ts'
import { MemoryStore } from '../../src/memory/memory-store.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { readDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { startChild } from '../storage/support/child.ts'
import { temporaryFolder } from '../storage/support/temporary-home.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { DAY, fillHome, openAt, START, unwrap } from './fill-home.ts'
import { filesWith } from './search-bytes.ts'

const MARKER = 'zebra-4411'
const LATER = START + 3 * DAY
const KILLS = 12
const script = bundledProgram(new URL('../support/forget-process.ts', import.meta.url))

/** `changes`: how many it may make before it is killed; default: all. */
const start = (home: string, changes?: number) =>
  startChild(process.execPath, [script, JSON.stringify({ home, text: MARKER, startAt: LATER, changes })])

const entriesOf = async (storage: StorageBackend): Promise<readonly string[]> => {
  const store = new MemoryStore({ storage })
  unwrap(await store.load())
  expect(store.loadProblems()).toEqual([])
  return [...store.entries('memory'), ...store.entries('user')]
}

/** An external entry must keep its record as long as it exists. */
const expectOutsideKnown = async (storage: StorageBackend): Promise<void> => {
  const document = unwrap(await readDocument(storage, 'memories/.facts.jsonl'))
  const { memory } = unwrap(parseFacts(document?.bytes)).facts
  for (const entry of await entriesOf(storage)) if (entry.startsWith('Kept in notes')) expect(memory.get(entry)?.origin).toBe('tool')
}

const STEP_MS = 40_000

/** Names the step that does not end: this test has once waited for ever, and nothing said where. */
const inTime = async <T>(step: string, work: Promise<T>): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${step} did not end within ${STEP_MS} ms.`)), STEP_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

describe('forget in several processes', () => {
  it(`finishes what was killed, in ${KILLS} homes`, { timeout: 180_000, retry: 1 }, async () => {
    const random = seededRandom(4411)
    const model = temporaryFolder()
    await fillHome(fileSystemBackend(model), MARKER)
    let interrupted = 0
    const begin = () => {
      const home = temporaryFolder()
      cpSync(model, home, { recursive: true })
      const changes = 1 + Math.floor(random() * 4)
      return { home, changes, child: start(home, changes) }
    }
    let next = begin()
    for (let round = 0; round < KILLS; round++) {
      const { home, changes, child } = next
      expect(await inTime('The start of a process', child.line())).toBe('ready')
      if (round + 1 < KILLS) next = begin()
      child.say('go')
      let last = ''
      for (let seen = 0; seen < changes && !last.startsWith('done'); seen++)
        last = await inTime(`Change ${seen + 1} of ${changes}, after '${last}',`, child.line())
      child.process.kill('SIGKILL')
      await inTime('The killed process', child.ended)
      const storage = fileSystemBackend(home)
      if (filesWith(home, MARKER).length > 0) interrupted++
      await expectOutsideKnown(storage)
      expect(await entriesOf(storage)).toContain('Builds with pnpm 12.')
      const { remaining } = unwrap(await inTime(`The erasure after '${last}'`, openAt(storage, LATER + DAY).forget(MARKER)))
      expect([filesWith(home, MARKER), remaining]).toEqual([[], []])
      const { backups, problems } = unwrap(await listBackups(storage))
      expect([backups.length, problems]).toEqual([2, []])
      for (const backup of backups) unwrap(await openBackup(storage, backup))
      expect(await entriesOf(storage)).toEqual(['Builds with pnpm 12.', 'New: nothing.'])
      await storage.close()
    }
    // Enough erasures were really interrupted.
    expect(interrupted).toBeGreaterThan(1)
  })

  it('keeps what others write meanwhile', { timeout: 60_000 }, async () => {
    const home = temporaryFolder()
    const storage = fileSystemBackend(home)
    await fillHome(storage, MARKER)
    const child = start(home)
    expect(await child.line()).toBe('ready')
    child.say('go')
    let isDone = false
    const told = (async () => {
      let line = await child.line()
      while (!line.startsWith('done')) line = await child.line()
      isDone = true
      return line
    })()
    let ids = 0
    const journal = createJournal({ storage, clock: () => LATER + ids, createId: () => `meanwhile-${ids++}` })
    const memory = new MemoryStore({ storage })
    const session = openAt(storage, LATER + DAY).session('chat-1')
    let rounds = 0
    while (!isDone || rounds < 4) {
      rounds++
      unwrap(await journal.append([{ actor: 'host', kind: 'applied', reason: `record ${rounds}` }]))
      const entry = { action: 'add', content: `Fact ${rounds}.` } as const
      unwrap(await memory.apply('memory', rounds === 1 ? entry : [{ action: 'remove', oldText: `Fact ${rounds - 1}.` }, entry]))
      session.recordTurn({ messages: [{ role: 'user', text: `Turn ${rounds}.` }] })
      await session.settled()
    }
    expect(JSON.parse((await told).slice('done '.length)).remaining).toEqual([])
    const reasons = unwrap(await journal.list()).map(({ reason }) => reason)
    for (let round = 1; round <= rounds; round++) expect(reasons).toContain(`record ${round}`)
    expect(await entriesOf(storage)).toEqual(['Builds with pnpm 12.', 'New: nothing.', `Fact ${rounds}.`])
    const record = new TextDecoder().decode(unwrap(await readDocument(storage, 'sessions/chat-1.json'))?.bytes)
    for (let round = 1; round <= rounds; round++) expect(record).toContain(`Turn ${round}.`)
    expect(filesWith(home, MARKER)).toEqual([])
  })
})
