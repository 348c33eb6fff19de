import { describe, expect, it } from 'vitest'
import { HermesError } from '../shared/hermes-error.ts'
import { err } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { updateJsonDocument } from '../storage/json-document.ts'
import { updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { newSessionRecord, sessionPath, unreadableCopy } from './session-record.ts'
import { sessionRecordSchema } from './session-record-schema.ts'
import { pruneSessions } from './tidy-home.ts'

const DAY = 86_400_000
const NOW = 100 * DAY

const homeWith = async (ages: Readonly<Record<string, number>>) => {
  const storage = inMemoryBackend()
  for (const [id, days] of Object.entries(ages)) {
    await updateJsonDocument(storage, sessionPath(id), sessionRecordSchema, () => newSessionRecord(id, '', NOW - days * DAY))
  }
  const names = async () => {
    const listed = await storage.list('sessions')
    return listed.ok ? listed.value.map(({ path }) => path) : []
  }
  return { storage, names }
}

describe('pruneSessions', () => {
  it('removes what nobody has used for longer than the given days, and nothing else', async () => {
    const { storage, names } = await homeWith({ old: 31, edge: 30, young: 1 })
    expect(await pruneSessions(storage, 30, () => NOW)).toEqual({ ok: true, value: 1 })
    expect(await names()).toEqual(['sessions/.pruned.json', 'sessions/edge.json', 'sessions/young.json'])
  })

  it('removes copies of unreadable records that have lain aside for longer, whatever is in them', async () => {
    const { storage, names } = await homeWith({})
    for (const at of [NOW - 31 * DAY, NOW - 30 * DAY])
      await updateDocument(storage, unreadableCopy('sessions/a-b.json', at), () => new TextEncoder().encode('{'))
    expect(await pruneSessions(storage, 30, () => NOW)).toEqual({ ok: true, value: 1 })
    expect(await names()).toEqual(['sessions/.pruned.json', unreadableCopy('sessions/a-b.json', NOW - 30 * DAY)])
  })

  it('runs once a day', async () => {
    const { storage } = await homeWith({ old: 31 })
    await pruneSessions(storage, 365, () => NOW)
    expect(await pruneSessions(storage, 30, () => NOW + DAY - 1)).toEqual({ ok: true, value: 0 })
    expect(await pruneSessions(storage, 30, () => NOW + DAY)).toEqual({ ok: true, value: 1 })
  })

  it('keeps everything at 0 days', async () => {
    const { storage, names } = await homeWith({ old: 5_000 })
    await pruneSessions(storage, 0, () => NOW)
    expect(await names()).toEqual(['sessions/old.json'])
  })

  it.each([
    ['used', 'sessions/busy.json', { updatedAt: NOW }],
    ['used as long ago as may be', 'sessions/busy.json', { updatedAt: NOW - 30 * DAY }],
    ['removed by another process', undefined, undefined],
  ])('leaves a session alone that is %s between the look at its age and its removal', async (_, left, change) => {
    const { storage, names } = await homeWith({ old: 31, busy: 31 })
    let used = false
    const racing: StorageBackend = {
      ...storage,
      read: async (paths) => {
        const read = await storage.read(paths)
        if (paths.includes(sessionPath('busy')) && !used) {
          used = true
          await updateJsonDocument(
            storage,
            sessionPath('busy'),
            sessionRecordSchema,
            (record) => record && change && { ...record, ...change },
          )
        }
        return read
      },
    }
    expect(await pruneSessions(racing, 30, () => NOW)).toEqual({ ok: true, value: 1 })
    expect(await names()).toEqual(['sessions/.pruned.json', ...(left === undefined ? [] : [left])])
  })

  it('goes on if a session was removed since it was listed', async () => {
    const { storage, names } = await homeWith({ gone: 31, old: 31 })
    const racing: StorageBackend = {
      ...storage,
      list: async (path) => {
        const listed = await storage.list(path)
        await updateDocument(storage, sessionPath('gone'), () => undefined)
        return listed
      },
    }
    expect(await pruneSessions(racing, 30, () => NOW)).toEqual({ ok: true, value: 1 })
    expect(await names()).toEqual(['sessions/.pruned.json'])
  })

  it('fails if a session cannot be removed', async () => {
    const { storage } = await homeWith({ old: 31 })
    const full = err(new HermesError('no_space', 'The disk is full.'))
    const update: StorageBackend['update'] = async (paths, plan, options) =>
      paths.includes(sessionPath('old')) ? full : storage.update(paths, plan, options)
    expect(await pruneSessions({ ...storage, update }, 30, () => NOW)).toBe(full)
  })

  it('leaves a record alone that it cannot read', async () => {
    const { storage, names } = await homeWith({ old: 31 })
    await updateDocument(storage, 'sessions/broken.json', () => new TextEncoder().encode('{'))
    expect(await pruneSessions(storage, 30, () => NOW)).toEqual({ ok: true, value: 1 })
    expect(await names()).toContain('sessions/broken.json')
  })
})
