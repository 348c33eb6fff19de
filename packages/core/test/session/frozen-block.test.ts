import { describe, expect, it } from 'vitest'
import { inMemoryBackend, ok, type StorageBackend } from '../../src/index.ts'
import { openHome, remember, talk } from './open-home.ts'

describe('the frozen block', () => {
  it('does not move in a session, and the next session sees what was written', async () => {
    const storage = inMemoryBackend()
    await remember(storage, 'Repo builds with pnpm')
    const { hermes } = openHome(storage)
    const session = hermes.session('one')
    const before = await session.systemBlock()
    expect(before).toContain('Repo builds with pnpm')
    await remember(storage, 'Tests run with vitest')
    expect(await session.systemBlock()).toBe(before)
    expect(await hermes.session('two').systemBlock()).toContain('Tests run with vitest')
  })

  it('is the same in another process, although memory has changed in between', async () => {
    const storage = inMemoryBackend()
    await remember(storage, 'Repo builds with pnpm')
    const first = openHome(storage)
    const before = await first.hermes.session('one').systemBlock()
    talk(first.hermes.session('one'), [], 'hello')
    await first.hermes.settled()
    await remember(storage, 'Tests run with vitest')
    expect(await openHome(storage).hermes.session('one').systemBlock()).toBe(before)
  })

  it('is kept from the start, also where the first turn never ends', async () => {
    const storage = inMemoryBackend()
    const tasks: Promise<unknown>[] = []
    const first = openHome(storage, { background: (task) => tasks.push(task) })
    const before = await first.hermes.session('one').systemBlock()
    // Not settled(), which would save what is left: only what runs by itself.
    await Promise.all(tasks)
    await remember(storage, 'Written in between')
    expect(await openHome(storage).hermes.session('one').systemBlock()).toBe(before)
  })

  it('is empty where nothing is remembered', async () => {
    expect(await openHome(inMemoryBackend()).hermes.session('one').systemBlock()).toBe('')
  })

  it('moves with refresh, for later processes too', async () => {
    const storage = inMemoryBackend()
    const { hermes } = openHome(storage)
    const session = hermes.session('one')
    await session.systemBlock()
    await remember(storage, 'Tests run with vitest')
    const refreshed = await session.refresh()
    expect(refreshed).toContain('Tests run with vitest')
    expect(await session.systemBlock()).toBe(refreshed)
    await hermes.settled()
    expect(await openHome(storage).hermes.session('one').systemBlock()).toBe(refreshed)
  })

  it('belongs to the process that saved first, where two began one session at once', async () => {
    const storage = inMemoryBackend()
    let asked = false
    const justTooEarly: StorageBackend = {
      ...storage,
      read: async (path) => {
        if (asked || !path.startsWith('sessions/')) return storage.read(path)
        asked = true
        return ok(undefined)
      },
    }
    const [early, late] = [openHome(storage), openHome(justTooEarly)]
    const kept = await early.hermes.session('one').systemBlock()
    await early.hermes.settled()
    await remember(storage, 'Written in between')
    expect(await late.hermes.session('one').systemBlock()).not.toBe(kept)
    await late.hermes.settled()
    expect(await late.hermes.session('one').systemBlock()).toBe(kept)
    expect(await openHome(storage).hermes.session('one').systemBlock()).toBe(kept)
  })
})
