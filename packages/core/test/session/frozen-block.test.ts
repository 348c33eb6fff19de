import { describe, expect, it, vi } from 'vitest'
import { ok } from '../../src/shared/result.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
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

  /** A storage in which the first read of a session record finds nothing, as if it came just before the first write. */
  const justTooEarly = (storage: StorageBackend): StorageBackend => {
    let asked = false
    return {
      ...storage,
      read: async (paths) => {
        if (asked || !paths.some((path) => path.startsWith('sessions/'))) return storage.read(paths)
        asked = true
        const cut = await storage.read(paths)
        if (!cut.ok) return cut
        const { document, list } = cut.value
        return ok({ document: (path) => (path.startsWith('sessions/') ? undefined : document(path)), list })
      },
    }
  }

  it('is that of the process that was first, from the first prompt on, if two began one session at once', async () => {
    const storage = inMemoryBackend()
    const [early, late] = [openHome(storage), openHome(justTooEarly(storage))]
    const kept = await early.hermes.session('one').systemBlock()
    await remember(storage, 'Written in between')
    expect(await late.hermes.session('one').systemBlock()).toBe(kept)
    await late.hermes.settled()
    expect(await late.hermes.session('one').systemBlock()).toBe(kept)
    expect(await openHome(storage).hermes.session('one').systemBlock()).toBe(kept)
    expect(late.events.find(({ type }) => type === 'session-started')).toMatchObject({ newSession: false })
  })

  it('that went out in a prompt stays in its process, also if another one was written first; later processes have one text', async () => {
    vi.useFakeTimers()
    try {
      const storage = inMemoryBackend()
      const early = openHome(storage)
      await early.hermes.session('one').systemBlock()
      await early.hermes.settled()
      await remember(storage, 'Written in between')
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      const slow = justTooEarly(storage)
      const update: StorageBackend['update'] = async (paths, plan, options) => {
        if (paths.some((path) => path.startsWith('sessions/one'))) await released
        return storage.update(paths, plan, options)
      }
      const late = openHome({ ...slow, update }, { sessions: { loadTimeoutMs: 400 } })
      const asked = late.hermes.session('one').systemBlock()
      await vi.advanceTimersByTimeAsync(100)
      const wentOut = await asked
      expect(wentOut).toContain('Written in between')
      release()
      for (const text of ['hello', 'and again']) {
        talk(late.hermes.session('one'), [], text)
        await late.hermes.settled()
        expect(await late.hermes.session('one').systemBlock()).toBe(wentOut)
      }
      expect(await openHome(storage).hermes.session('one').systemBlock()).toBe('')
      await late.hermes.session('one').refresh()
      await late.hermes.settled()
      expect(await openHome(storage).hermes.session('one').systemBlock()).toContain('Written in between')
    } finally {
      vi.useRealTimers()
    }
  })
})
