/** Work that runs during or directly after the erasure of an owner restores none of their data. */
import { describe, expect, it } from 'vitest'
import { createHermesHomes, type HermesEvent, inMemoryBackend, type StorageBackend, type TurnMessage } from '../../src/index.ts'

const openHomes = (storage: StorageBackend) => createHermesHomes({ storage, onEvent: () => undefined })

const note = (homes: ReturnType<typeof openHomes>, user: string, content: string) =>
  homes.for(user).memoryStore().apply('user', { action: 'add', content })

const erased = expect.objectContaining({ code: 'closed' })

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
  it('says so if what it wrote after the erasure cannot be removed, and the next erasure removes it', async () => {
    const documents = inMemoryBackend()
    const erasing = openHomes(documents)
    let isErased = false
    const storage: StorageBackend = {
      ...documents,
      update: (paths, plan, options) => {
        if (isErased && options?.forget) throw new Error('The database is down.')
        return documents.update(paths, plan, options)
      },
    }
    const writing = openHomes(storage)
    await note(writing, 'alice', 'Is here')
    await erasing.erase('alice')
    isErased = true
    const written = await note(writing, 'alice', 'Has diabetes')
    expect(written).toMatchObject({
      ok: false,
      error: { code: 'io', message: expect.stringMatching(/could not be removed.*Erase the owner again/) },
    })
    await erasing.erase('alice')
    expect(await pathsOf(documents)).toEqual([])
  })

  it('removes also a turn of a session, and the record of a session that it starts', async () => {
    const documents = inMemoryBackend()
    const events: HermesEvent[] = []
    const homes = createHermesHomes({ storage: documents, onEvent: (event) => events.push(event) })
    for (const isNew of [false, true]) {
      await note(homes, 'alice', 'Is here')
      const open = homes.for('alice').session('chat')
      if (!isNew) await open.systemBlock()
      await homes.settled()
      await openHomes(documents).erase('alice')
      open.recordTurn({ messages: [{ role: 'user', text: 'I have diabetes' }] })
      await homes.settled()
      expect(await pathsOf(documents)).toEqual([])
      expect(await open.systemBlock()).toBe('')
      expect(events.splice(0)).toContainEqual(expect.objectContaining({ type: 'storage-failed', error: erased }))
    }
  })

  it('is removed before its process says that all is done, however late the owner is checked', async () => {
    const documents = inMemoryBackend()
    let isSlow = false
    const storage: StorageBackend = {
      ...documents,
      async read(paths) {
        if (isSlow && paths.some((path) => path.startsWith('owners/'))) await new Promise((resolve) => setTimeout(resolve, 50))
        return documents.read(paths)
      },
    }
    const homes = openHomes(storage)
    await note(homes, 'alice', 'Is here')
    await openHomes(documents).erase('alice')
    isSlow = true
    await homes.for('alice').session('chat').systemBlock()
    await homes.settled()
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
  it('does not recreate the home of an owner who was erased since it began', async () => {
    const documents = inMemoryBackend()
    const erasing = openHomes(documents)
    const users = ['alice', 'bob', 'carol', 'dave', 'eve']
    for (const user of users) await note(erasing, user, 'Is here')
    const storage = beforeUpdateOf(
      documents,
      (path) => path === 'homes/.upkeep.json',
      async () => {
        for (const user of users) await erasing.erase(user)
      },
    )
    expect(await openHomes(storage).upkeep()).toMatchObject({ ok: true, value: { roundFinished: true } })
    expect(await pathsOf(documents)).toEqual(['homes/.upkeep.json'])
  })
})
