import { describe, expect, it } from 'vitest'
import { EMPTY_REVIEW_STATE, type SessionReading } from '../nudge/review-state.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readJsonDocument, updateJsonDocument } from '../storage/json-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { clearRecords } from './collect-turns.ts'
import { countsOf, newSessionRecord, type SessionRecord, sessionPath, sessionRecordSchema } from './session-record.ts'

const intervals = { memoryInterval: 10, skillInterval: 10 }
const turn = (number: number) => ({ number, messages: [{ role: 'user' as const, text: 'I live in Namur' }] })
const record: SessionRecord = { ...newSessionRecord('one', '', 1), userTurns: 3, iterations: 3, unread: [1, 2, 3].map(turn) }

/** How far the home knows that the session was read. */
const reading = (more: Partial<SessionReading> = {}): SessionReading => ({ ...countsOf(record), ...more })
const readTo = (number: number): Partial<SessionReading> => ({
  asked: { turns: number, iterations: 0 },
  read: { words: number, everything: number, skills: 0 },
})

const setUp = async (stored: SessionRecord | undefined = record, broken: Partial<StorageBackend> = {}) => {
  const storage = inMemoryBackend()
  await updateJsonDocument(storage, sessionPath('one'), sessionRecordSchema, () => stored)
  const failures: string[] = []
  const onFailure = (operation: string, { code }: HermesError) => failures.push(`${operation}: ${code}`)
  const clear = (readings: readonly SessionReading[], gone: readonly SessionReading[] = []) =>
    clearRecords(readings, gone, { storage: { ...storage, ...broken }, intervals, onFailure })
  const left = async () => {
    const read = await readJsonDocument(storage, sessionPath('one'), sessionRecordSchema)
    return read.ok ? read.value : undefined
  }
  const version = async () => {
    const listed = await storage.list('')
    return listed.ok ? listed.value.find(({ path }) => path === sessionPath('one'))?.stamp : undefined
  }
  return { clear, left, version, failures }
}

/** What the home keeps of its sessions, once the records are cleared. */
const keptAfter = async (cleared: ReturnType<Awaited<ReturnType<typeof setUp>>['clear']>, sessions: readonly SessionReading[]) =>
  (await cleared)({ ...EMPTY_REVIEW_STATE, sessions }).sessions.map(({ id, kept }) => `${id} ${kept}`)

describe('clearRecords', () => {
  it('takes out what was read, and keeps how far it was', async () => {
    const { clear, left } = await setUp()
    expect(await keptAfter(clear([reading(readTo(2))]), [reading(), reading({ id: 'two' })])).toEqual(['one 1', 'two 3'])
    expect(await left()).toEqual({ ...record, ...readTo(2), unread: [turn(3)] })
  })

  it('writes nothing if nothing of the session was read, or all of it is cleared already', async () => {
    const { clear, version } = await setUp()
    const before = await version()
    expect(await keptAfter(clear([reading()]), [reading({ kept: 9 })])).toEqual(['one 3'])
    expect(await version()).toBe(before)
    await clear([reading(readTo(3))])
    const cleared = await version()
    expect(cleared).not.toBe(before)
    await clear([reading(readTo(3))])
    expect(await version()).toBe(cleared)
  })

  it.each<Partial<SessionReading>>([
    { asked: { turns: 1, iterations: 0 } },
    { asked: { turns: 0, iterations: 1 } },
    { read: { words: 0, everything: 1, skills: 0 } },
    { read: { words: 0, everything: 0, skills: 1 } },
  ])('keeps how far it was read also if no text goes: %o', async (marks) => {
    const { clear, left } = await setUp()
    await clear([reading(marks)])
    expect(await left()).toEqual({ ...record, ...marks })
  })

  it('keeps how far its words were read also if its turns wait for skills', async () => {
    const waiting = { ...record, unread: [{ ...turn(3), forSkills: true }] }
    const { clear, left } = await setUp(waiting)
    const marks = { read: { words: 3, everything: 0, skills: 0 } }
    await clear([reading(marks)])
    expect(await left()).toEqual({ ...waiting, ...marks })
  })

  it('takes out text that a crash left behind, although the record says that it was read', async () => {
    const { clear, left } = await setUp({ ...record, ...readTo(3) })
    await clear([reading(readTo(3))])
    expect(await left()).toEqual({ ...record, ...readTo(3), unread: [] })
  })

  it('leaves a record alone that has taken the place of another, and makes none', async () => {
    const { clear, left } = await setUp()
    expect(await keptAfter(clear([reading({ createdAt: 0, ...readTo(3) })]), [reading({ createdAt: 0, kept: 9 })])).toEqual(['one 9'])
    expect(await left()).toEqual(record)
    const none = await setUp({ ...record, id: 'two' })
    await none.clear([reading({ id: 'two', ...readTo(3) })])
    expect(none.failures).toEqual([])
  })

  it('reports a record that cannot be written, and goes on', async () => {
    const update: StorageBackend['update'] = async () => err(new HermesError('no_space', 'The disk is full.'))
    const { clear, failures } = await setUp(record, { update })
    expect(await keptAfter(clear([reading(readTo(3)), reading({ id: 'two' })]), [reading({ kept: 9 })])).toEqual(['one 9'])
    expect(failures).toEqual(['save session: no_space', 'save session: no_space'])
  })

  it('lets the home forget sessions whose records are gone', async () => {
    const { clear } = await setUp()
    expect(await keptAfter(clear([], [reading({ id: 'two' })]), [reading(), reading({ id: 'two' })])).toEqual(['one 3'])
  })
})
