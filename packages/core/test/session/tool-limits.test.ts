/** The agent's tools on a storage that does not respond: they return within the time limit of a turn and claim nothing unknown. */
import { describe, expect, it } from 'vitest'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { openHome, user } from './open-home.ts'
import { addSkill, callTool, openSkillHome, skillText } from './skill-home.ts'

/** Holds all calls until `wake`. */
const sleeping = (storage: StorageBackend) => {
  let wake: () => void = () => {}
  const awake = new Promise<void>((resolve) => {
    wake = resolve
  })
  const asleep: StorageBackend = {
    ...storage,
    read: (paths) => awake.then(() => storage.read(paths)),
    update: (paths, plan, options) => awake.then(() => storage.update(paths, plan, options)),
    list: (prefix) => awake.then(() => storage.list(prefix)),
  }
  return { asleep, wake: () => wake() }
}

const sessions = { loadTimeoutMs: 20 }

describe('a tool on a storage that hangs', () => {
  it('does not know whether a note was saved, says so, and tells the operator', async () => {
    const storage = inMemoryBackend()
    const { asleep, wake } = sleeping(storage)
    const { hermes, events } = openHome(asleep, { sessions })
    const note = { action: 'add', target: 'memory', content: 'The repo builds with pnpm 12.' }
    const answer = await callTool(hermes.session('one'), 'memory', note, [user('remember: The repo builds with pnpm 12.')])
    expect(answer).toMatchObject({ success: false, done: true, code: 'timeout', error: expect.stringContaining('not known whether') })
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'storage-failed', operation: 'memory tool', error: expect.objectContaining({ code: 'timeout' }) }),
    )
    wake()
    await hermes.settled()
    expect(await openHome(storage).hermes.session('two').systemBlock()).toContain('The repo builds with pnpm 12.')
  })

  it('says that no skill was read, and does not know whether one was changed', async () => {
    const storage = inMemoryBackend()
    await addSkill(storage, 'deploy')
    const { asleep, wake } = sleeping(storage)
    const { hermes } = openSkillHome(asleep, { sessions })
    const session = hermes.session('one')
    const create = { action: 'create', name: 'release', content: skillText('release') }
    const [listed, viewed, written] = await Promise.all([
      callTool(session, 'skills_list', {}),
      callTool(session, 'skill_view', { name: 'deploy' }),
      callTool(session, 'skill_manage', create),
    ])
    for (const read of [listed, viewed]) {
      expect(read).toMatchObject({ success: false, code: 'timeout', error: expect.stringContaining('Nothing was read') })
    }
    expect(written).toMatchObject({ success: false, code: 'timeout', error: expect.stringContaining('not known whether') })
    wake()
    await hermes.settled()
  })
})
