import { describe, expect, it } from 'vitest'
import type { SessionReading } from '../nudge/review-state.ts'
import { inMemoryBackend } from '../storage/backends/in-memory.ts'
import { updateJsonDocument } from '../storage/json-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { clearRecords } from './collect-turns.ts'
import { newSessionRecord, type SessionRecord, sessionPath, sessionRecordSchema } from './session-record.ts'

const intervals = { memoryInterval: 10, skillInterval: 10 }
const turn = { number: 1, messages: [{ role: 'user' as const, text: 'I live in Namur' }] }
const record: SessionRecord = { ...newSessionRecord('one', '', 1), userTurns: 1, unread: [turn] }
const reading = (words: number): SessionReading => ({
  id: 'one',
  createdAt: 1,
  turns: 1,
  iterations: 0,
  updatedAt: 1,
  asked: { turns: words, iterations: 0 },
  read: { words, everything: words, skills: 0 },
  kept: 1,
})

const setUp = async () => {
  const storage = inMemoryBackend()
  await updateJsonDocument(storage, sessionPath('one'), sessionRecordSchema, () => record)
  const read = async (): Promise<Awaited<ReturnType<StorageBackend['read']>>> => storage.read(sessionPath('one'))
  const clear = (words: number) => clearRecords([reading(words)], [], { storage, intervals, onFailure: () => {} })
  return { read, clear }
}

describe('clearRecords', () => {
  it('takes out what was read, and keeps how far it was', async () => {
    const { read, clear } = await setUp()
    await clear(1)
    const stored = await read()
    const left = sessionRecordSchema.parse(JSON.parse(new TextDecoder().decode(stored.ok ? stored.value?.bytes : undefined)))
    expect(left).toMatchObject({ unread: [], asked: { turns: 1 }, read: { words: 1, everything: 1, skills: 0 } })
  })

  it('writes nothing if nothing of the session was read, or all of it is cleared already', async () => {
    const { read, clear } = await setUp()
    const before = await read()
    await clear(0)
    expect(await read()).toEqual(before)
    await clear(1)
    const cleared = await read()
    expect(cleared).not.toEqual(before)
    await clear(1)
    expect(await read()).toEqual(cleared)
  })
})
