import { describe, expect, it } from 'vitest'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument, updateDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { openHome, user } from './open-home.ts'

const namesOf = async (storage: StorageBackend): Promise<readonly string[]> => {
  const listed = await storage.list('sessions')
  return listed.ok ? listed.value.map(({ path }) => path).filter((path) => !/^sessions\/\.(?:pruned|reviews)\.json$/.test(path)) : []
}

/** A storage that holds session writes until they are released. */
const held = (storage: StorageBackend) => {
  let letThrough: () => void = () => {}
  let isHeld = false
  let gate: Promise<void> = Promise.resolve()
  const backend: StorageBackend = {
    ...storage,
    update: async (paths, plan, options) => {
      if (isHeld && paths.some((path) => path.startsWith('sessions/'))) await gate
      return storage.update(paths, plan, options)
    },
  }
  return {
    backend,
    hold: () => {
      isHeld = true
      gate = new Promise((resolve) => {
        letThrough = resolve
      })
    },
    letThrough: () => {
      isHeld = false
      letThrough()
    },
  }
}

describe('forgetSession', () => {
  it('removes the record and the copies that could not be read, of this session alone', async () => {
    const storage = inMemoryBackend()
    await updateDocument(storage, 'sessions/one.json', () => new TextEncoder().encode('{"half": "my secret plan'))
    const { hermes } = openHome(storage)
    for (const id of ['one', 'two']) hermes.session(id).recordTurn({ messages: [user('my secret plan')] })
    await hermes.settled()
    expect((await namesOf(storage)).length).toBe(3)
    expect(await hermes.forgetSession('one')).toEqual({ ok: true, value: undefined })
    expect(await namesOf(storage)).toEqual(['sessions/two.json'])
    expect(await hermes.forgetSession('never seen')).toEqual({ ok: true, value: undefined })
  })

  it('is not brought back by a save in another process, which then starts again', async () => {
    const storage = inMemoryBackend()
    const { backend, hold, letThrough } = held(storage)
    const other = openHome(backend).hermes
    other.session('one').recordTurn({ messages: [user('hello')] })
    await other.settled()
    hold()
    other.session('one').recordTurn({ messages: [user('my secret plan')] })
    await new Promise((resolve) => setImmediate(resolve))
    expect(await openHome(storage).hermes.forgetSession('one')).toMatchObject({ ok: true })
    letThrough()
    await other.settled()
    expect(await namesOf(storage)).toEqual([])
    other.session('one').recordTurn({ messages: [user('said afterwards')] })
    await other.settled()
    const record = await readDocument(storage, 'sessions/one.json')
    const text = record.ok && record.value ? new TextDecoder().decode(record.value.bytes) : ''
    expect(text).toContain('"userTurns": 1')
    expect(text).toContain('said afterwards')
    expect(text).not.toMatch(/hello|secret/)
  })

  it('calls off the review of the session that is in progress', async () => {
    const storage = inMemoryBackend()
    const { hermes, typesOf } = openHome(storage, { nudge: { memoryInterval: 1 } })
    let asked: () => void = () => {}
    const underWay = new Promise<void>((resolve) => {
      asked = resolve
    })
    const model = () => {
      asked()
      return new Promise<string>(() => {})
    }
    hermes.session('one').recordTurn({ messages: [user('my secret plan')], model })
    await underWay
    await hermes.forgetSession('one')
    await hermes.settled()
    expect(typesOf()).toContain('review-stopped')
    expect(await namesOf(storage)).toEqual([])
  })
})
