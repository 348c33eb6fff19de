/** Erasures that are killed at each of their writes. */

import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { listBackups, openBackup } from '../../src/curator/backups.ts'
import { parseFacts } from '../../src/memory/facts.ts'
import { HermesError } from '../../src/shared/hermes-error.ts'
import { err } from '../../src/shared/result.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend, StoredDocument } from '../../src/storage/storage-backend.ts'
import { dyingBackend } from '../consolidation/dying-backend.ts'
import { DAY, fillHome, openAt, put, START, unwrap } from './fill-home.ts'

const MARKER = 'zebra-4411'
const LATER = START + 3 * DAY

const pathsWith = (documents: ReadonlyMap<string, StoredDocument>): readonly string[] =>
  [...documents].flatMap(([path, { bytes }]) => {
    const text = Buffer.from(bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('utf8')
    return text.includes(MARKER) ? [path] : []
  })

describe('forget, interrupted', () => {
  it.each(['before', 'after'] as const)(
    '%s any of its writes, has erased all or nothing, and is finished by the same call',
    async (when) => {
      const model = new Map<string, StoredDocument>()
      await fillHome(inMemoryBackend(model), MARKER)
      let writes = 0
      for (let diesAt = 1; ; diesAt++) {
        const documents = new Map(model)
        const dying = dyingBackend(inMemoryBackend(documents), diesAt, when)
        await openAt(dying.storage, LATER).forget(MARKER)
        writes = dying.writes()
        if (!dying.isDead()) break
        expect([diesAt, [[], pathsWith(model)]]).toEqual([diesAt, expect.arrayContaining([pathsWith(documents)])])
        const storage = inMemoryBackend(documents)
        const { remaining } = unwrap(await openAt(storage, LATER + DAY).forget(MARKER))
        expect([diesAt, pathsWith(documents), remaining]).toEqual([diesAt, [], []])
        const { backups, problems } = unwrap(await listBackups(storage))
        expect([diesAt, backups.length, problems]).toEqual([diesAt, 2, []])
        for (const backup of backups) unwrap(await openBackup(storage, backup))
        const facts = unwrap(parseFacts(documents.get('memories/.facts.jsonl')?.bytes)).facts
        expect([...facts.memory.keys()]).toEqual(['Builds with pnpm 12.', 'New: nothing.'])
      }
      expect(writes).toBeLessThan(6)
    },
  )

  it('writes more than 2 MiB in several updates, memory and journal in the last ones', async () => {
    const storage = inMemoryBackend()
    await put(storage, 'memories/MEMORY.md', MARKER)
    await put(storage, 'journal/2026-01-10.jsonl', `{"id":"a","at":1,"reason":"${MARKER}"}\n`)
    for (let index = 0; index < 3; index++) await put(storage, `logs/curator/${index}/REPORT.md`, `${MARKER}${' '.repeat(1_500_000)}`)
    const written: string[][] = []
    const watched: StorageBackend = {
      ...storage,
      update: (paths, plan, options) =>
        storage.update(
          paths,
          (cut) => {
            const planned = plan(cut)
            if (planned.put) written.push(Object.keys(planned.put))
            return planned
          },
          options,
        ),
    }
    expect(unwrap(await openAt(watched).forget(MARKER))).toMatchObject({ erased: { memoryEntries: 1, otherDocuments: 3 }, remaining: [] })
    const places = written.flat().filter((path) => !path.startsWith('sessions/') && path !== 'memories/.block.json')
    expect(written.length).toBeGreaterThan(2)
    expect(places.slice(-2)).toEqual(['journal/2026-01-10.jsonl', 'memories/MEMORY.md'])
  })

  it('erases all that a session wrote, also if it is killed between its updates', async () => {
    const [said, filler] = ['Lives at Calle Mayor 5.', 'x'.repeat(400)]
    for (const diesAt of [1, 2, 3, 4, 5, 6]) {
      const model = new Map<string, StoredDocument>()
      const storage = inMemoryBackend(model)
      const store = openAt(storage).memoryStore()
      unwrap(await store.apply('memory', { action: 'add', content: said }, { origin: 'user', sessionId: 's' }))
      unwrap(await store.apply('memory', { action: 'replace', oldText: said, content: 'Moved away.' }, { origin: 'user' }))
      const record = (id: string, sessionId: string, content: string) =>
        `${JSON.stringify({ id, at: 1, actor: 'review', kind: 'applied', reason: 'r', target: 'memory', sessionId, op: { action: 'add', content } })}\n`
      const others = Array.from({ length: 2_500 }, (_, index) => record(`f${index}`, 'other', `${index} ${filler}`)).join('')
      for (const day of ['2026-01-10', '2026-01-11', '2026-01-12'])
        await put(storage, `journal/${day}.jsonl`, record(day, 's', said) + others)
      await openAt(dyingBackend(storage, diesAt, 'after').storage, LATER).forget({ session: 's' })
      expect(unwrap(await openAt(storage, LATER + DAY).forget({ session: 's' })).remaining).toEqual([])
      const left = [...model].filter(([, { bytes }]) => Buffer.from(bytes).includes('Calle Mayor')).map(([path]) => path)
      expect([diesAt, left]).toEqual([diesAt, []])
    }
  })

  it('erases the rest if one document cannot be written, and names that one', async () => {
    const storage = inMemoryBackend()
    for (const path of ['memories/USER.md', 'memories/MEMORY.md', 'logs/curator/1/REPORT.md']) await put(storage, path, MARKER)
    const failing: StorageBackend = {
      ...storage,
      update: async (paths, plan, options) =>
        paths.includes('memories/USER.md') ? err(new HermesError('unwritable', 'It is read-only.')) : storage.update(paths, plan, options),
    }
    const { remaining, erased } = unwrap(await openAt(failing).forget(MARKER))
    expect(remaining).toEqual([{ path: 'memories/USER.md', reason: 'It is read-only.' }])
    expect(erased).toMatchObject({ memoryEntries: 1, otherDocuments: 1 })
  })

  it('finds the one entry again that was meant', async () => {
    const model = new Map<string, StoredDocument>()
    const hermes = openAt(inMemoryBackend(model))
    for (const content of ['Has zebra-4411 at home', 'Uses pnpm'])
      unwrap(await hermes.memoryStore().apply('user', { action: 'add', content }, { origin: 'user' }))
    await hermes.session('one').systemBlock()
    await hermes.settled()
    for (let diesAt = 1; ; diesAt++) {
      const documents = new Map(model)
      const dying = dyingBackend(inMemoryBackend(documents), diesAt, 'after')
      await openAt(dying.storage, LATER).forget({ entry: 'zebra' })
      if (!dying.isDead()) break
      unwrap(await openAt(inMemoryBackend(documents), LATER + DAY).forget({ entry: 'zebra' }))
      expect([diesAt, pathsWith(documents)]).toEqual([diesAt, []])
      expect(new TextDecoder().decode(documents.get('memories/USER.md')?.bytes)).toBe('Uses pnpm')
    }
  })
})
