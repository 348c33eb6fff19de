/** Erasures that are killed at each of their writes. */

import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { FAULT_STEP } from '../../../../scripts/support/rounds.ts'
import { openBackup } from '../../src/curator/backups.ts'
import { listBackups } from '../../src/entries/curator.ts'
import type { StoredDocument } from '../../src/entries/storage.ts'
import { inMemoryBackend } from '../../src/index.ts'
import { parseFacts } from '../../src/memory/facts.ts'
import { dyingBackend } from '../consolidation/dying-backend.ts'
import { DAY, fillHome, openAt, START, unwrap } from './fill-home.ts'

const MARKER = 'zebra-4411'
const LATER = START + 3 * DAY

const pathsWith = (documents: ReadonlyMap<string, StoredDocument>): readonly string[] =>
  [...documents].flatMap(([path, { bytes }]) => {
    const text = Buffer.from(bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('utf8')
    return text.includes(MARKER) ? [path] : []
  })

describe('forget, interrupted', () => {
  it.each(['before', 'after'] as const)('%s any of its writes, is finished by the same call', async (when) => {
    const model = new Map<string, StoredDocument>()
    await fillHome(inMemoryBackend(model), MARKER)
    let writes = 0
    for (let diesAt = 1; ; diesAt += FAULT_STEP) {
      const documents = new Map(model)
      const dying = dyingBackend(inMemoryBackend(documents), diesAt, when)
      await openAt(dying.storage, LATER).forget(MARKER)
      writes = dying.writes()
      if (!dying.isDead()) break
      const storage = inMemoryBackend(documents)
      const { remaining } = unwrap(await openAt(storage, LATER + DAY).forget(MARKER))
      expect([diesAt, pathsWith(documents), remaining]).toEqual([diesAt, [], []])
      const { backups, problems } = unwrap(await listBackups(storage))
      expect([diesAt, backups.length, problems]).toEqual([diesAt, 2, []])
      for (const backup of backups) unwrap(await openBackup(storage, backup))
      expect([...documents.keys()].filter((path) => path.includes('.rewriting'))).toEqual([])
      const facts = unwrap(parseFacts(documents.get('memories/.facts.jsonl')?.bytes)).facts
      expect(facts.memory.size).toBe(1)
    }
    expect(writes).toBeGreaterThan(20)
  })

  it('finds the one entry again that was meant', async () => {
    const model = new Map<string, StoredDocument>()
    const hermes = openAt(inMemoryBackend(model))
    for (const content of ['Has zebra-4411 at home', 'Uses pnpm'])
      unwrap(await hermes.memoryStore().apply('user', { action: 'add', content }, { origin: 'user' }))
    await hermes.session('one').systemBlock()
    await hermes.settled()
    for (let diesAt = 1; ; diesAt += FAULT_STEP) {
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
