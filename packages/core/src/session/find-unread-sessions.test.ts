import { describe, expect, it } from 'vitest'
import { HermesError } from '../shared/hermes-error.ts'
import { err } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { updateJsonDocument } from '../storage/json-document.ts'
import { updateDocument } from '../storage/one-document.ts'
import { findUnreadSessions } from './rebuild-reviews.ts'
import { countsOf, newSessionRecord, type SessionRecord, sessionPath, unreadableCopy } from './session-record.ts'
import { sessionRecordSchema } from './session-record-schema.ts'

const unread = [{ number: 1, messages: [{ role: 'user' as const, text: 'I live in Namur' }] }]
const waiting: SessionRecord = { ...newSessionRecord('waiting', '', 1), userTurns: 1, unread }
const read: SessionRecord = { ...newSessionRecord('read', '', 1), userTurns: 1 }

describe('findUnreadSessions', () => {
  it('finds the records that hold unread turns, each at its own path', async () => {
    const storage = inMemoryBackend()
    const put = (path: string, record: SessionRecord) => updateJsonDocument(storage, path, sessionRecordSchema, () => record)
    for (const record of [waiting, read]) await put(sessionPath(record.id), record)
    await put('sessions/copied-by-hand.json', { ...waiting, id: 'elsewhere' })
    const found = await findUnreadSessions(storage, () => {})
    expect(found).toEqual({ ok: true, value: [countsOf(waiting)] })
  })

  it('reports a record that cannot be read, and opens nothing else that the folder holds', async () => {
    const storage = inMemoryBackend()
    const broken = () => new TextEncoder().encode('{')
    const others = ['sessions/.reviews.json', unreadableCopy('sessions/a.json', 1), 'sessions/notes/a.json']
    for (const path of ['sessions/broken.json', ...others]) await updateDocument(storage, path, broken)
    const problems: unknown[] = []
    expect(await findUnreadSessions(storage, ({ details }) => problems.push(details['path']))).toEqual({ ok: true, value: [] })
    expect(problems).toEqual(['sessions/broken.json'])
  })

  it('fails if the records cannot be listed', async () => {
    const unlisted = err(new HermesError('io', 'The disk does not answer.'))
    const storage = { ...inMemoryBackend(), list: async () => unlisted }
    expect(await findUnreadSessions(storage, () => {})).toBe(unlisted)
  })
})
