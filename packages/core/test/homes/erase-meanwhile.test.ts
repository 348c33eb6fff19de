/** Work that runs during or directly after the erasure of an owner restores none of their data. */
import { describe, expect, it } from 'vitest'
import { createHermesHomes } from '../../src/create-hermes-homes.ts'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'

const openHomes = (storage: StorageBackend) => createHermesHomes({ storage, onEvent: () => undefined })

const note = (homes: ReturnType<typeof openHomes>, user: string, content: string) =>
  homes.for(user).memoryStore().apply('user', { action: 'add', content })

const pathsOf = async (storage: StorageBackend): Promise<readonly string[]> => {
  const listed = await storage.list('')
  return listed.ok ? listed.value.map(({ path }) => path) : [String(listed.error)]
}

/** Runs a function once, before the first update of a path. */
const beforeUpdateOf = (storage: StorageBackend, isMeant: (path: string) => boolean, act: () => Promise<unknown>): StorageBackend => {
  let done = false
  return {
    ...storage,
    async update(paths, plan, options) {
      if (!done && paths.some(isMeant)) {
        done = true
        await act()
      }
      return storage.update(paths, plan, options)
    },
  }
}

describe('erase', () => {
  it('cuts off also the handle that was opened while it was in progress', async () => {
    const documents = inMemoryBackend()
    let isErasing = false
    let blockMeanwhile = ''
    const storage = beforeUpdateOf(
      documents,
      (path) => isErasing && path.startsWith('owners/'),
      async () => {
        blockMeanwhile = await homes.for('alice').session('chat').systemBlock()
        await homes.settled()
      },
    )
    const homes = openHomes(storage)
    await note(homes, 'alice', 'Alice has diabetes')
    isErasing = true
    expect(await homes.erase('alice')).toMatchObject({ ok: true })
    expect(blockMeanwhile).toContain('diabetes')
    expect(await homes.for('alice').session('chat').systemBlock()).toBe('')
  })

  it('has the tools of everybody refuse calls of a turn that it cut off', async () => {
    const storage = inMemoryBackend()
    const homes = openHomes(storage)
    const [memory] = homes.offerTools({ only: ['memory'] })
    const session = homes.for('alice').session('chat')
    await session.systemBlock()
    const prompt: readonly TurnMessage[] = [{ role: 'user', text: 'I have diabetes' }]
    session.beginStep(prompt)
    session.noteToolCall({ id: 'before', name: 'memory', input: {}, prompt })
    await homes.erase('alice')
    session.noteToolCall({ id: 'after', name: 'memory', input: {}, prompt })
    for (const toolCallId of ['before', 'after']) {
      const answer = await memory?.execute({ action: 'add', target: 'user', content: 'I have diabetes' }, { toolCallId, messages: prompt })
      expect(answer).toMatchObject({ success: false, code: 'wiring' })
    }
    expect(await pathsOf(storage)).toEqual([])
  })
})

describe('a write of another process', () => {
  it('is not made at all, wherever the erasure comes in between', async () => {
    const documents = inMemoryBackend()
    const erasing = openHomes(documents)
    let changes: string[] = []
    const storage = beforeUpdateOf(
      {
        ...documents,
        update: (paths, plan, options) =>
          documents.update(
            paths,
            (cut) => {
              const planned = plan(cut)
              changes.push(...Object.keys({ ...planned.put, ...planned.append }))
              return planned
            },
            options,
          ),
      },
      (path) => path.endsWith('/USER.md'),
      async () => {
        await erasing.erase('alice')
        changes = []
      },
    )
    await note(erasing, 'alice', 'Is here')
    const home = openHomes(storage).for('alice')
    const store = home.memoryStore()
    await store.load()
    expect(await store.apply('user', { action: 'add', content: 'Has diabetes' })).toMatchObject({ ok: false, error: { code: 'closed' } })
    await home.settled()
    expect(changes).toEqual([])
    expect(await pathsOf(documents)).toEqual([])
  })

  it('ends no process if a session of the erased home could not be opened', async () => {
    const documents = inMemoryBackend()
    let isBroken = false
    const clock = () => {
      if (isBroken) throw new Error('No time.')
      return 3_600_000
    }
    const rejections: unknown[] = []
    const onRejection = (cause: unknown) => rejections.push(cause)
    process.on('unhandledRejection', onRejection)
    const homes = createHermesHomes({ storage: documents, clock, onEvent: () => undefined })
    await note(homes, 'alice', 'Is here')
    const home = homes.for('alice')
    const store = home.memoryStore()
    isBroken = true
    await expect(home.session('chat').systemBlock()).rejects.toThrow('No time.')
    isBroken = false
    await openHomes(documents).erase('alice')
    expect(await store.apply('user', { action: 'add', content: 'Likes tea' })).toMatchObject({ ok: false, error: { code: 'closed' } })
    await new Promise((resolve) => setTimeout(resolve, 20))
    process.off('unhandledRejection', onRejection)
    expect(rejections).toEqual([])
  })
})

describe('upkeep', () => {

  it('finishes the erasure of a large home that was interrupted', async () => {
    const documents = inMemoryBackend()
    const homes = openHomes(documents)
    const put = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`skills/${index}`, new Uint8Array(1)]))
    await homes.storage('alice').update(['skills/'], () => ({ put, value: 0 }))
    await note(homes, 'bob', 'Is here')
    let updates = 0
    const failing: StorageBackend = {
      ...documents,
      update: async (paths, plan, options) => {
        if (++updates === 2) throw new Error('The database is down.')
        return documents.update(paths, plan, options)
      },
    }
    expect(await openHomes(failing).erase('alice')).toMatchObject({ ok: false, error: { code: 'io' } })
    expect(await homes.list()).toEqual({ ok: true, value: [{ user: 'alice' }, { user: 'bob' }] })
    expect(await homes.upkeep()).toMatchObject({ ok: true, value: { homes: 2, roundFinished: true } })
    expect((await pathsOf(documents)).join()).not.toContain('alice')
    expect(await homes.for('bob').session('chat').systemBlock()).toContain('Is here')
  })
})
