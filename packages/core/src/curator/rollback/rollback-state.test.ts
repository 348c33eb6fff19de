import { describe, expect, it } from 'vitest'
import { textAt, unwrap, write } from '../../../test/support/skill-library.ts'
import { inMemoryBackend } from '../../storage/in-memory.ts'
import {
  advanceRollback,
  checkNoRollback,
  closeRollback,
  isStillOpen,
  openRollback,
  ROLLBACK_STATE_PATH,
  type RollbackState,
  readRollbackState,
} from './rollback-state.ts'

const STATE: RollbackState = {
  target: '2026-05-16T10-00-00Z',
  safety: '2026-05-16T10-01-00Z',
  startedAt: 1,
  direction: 'forward',
  phase: 'staging',
  leavingSkills: [],
  leavingEntries: [],
}
/** A later rollback to the same backup. */
const OTHER: RollbackState = { ...STATE, safety: '2026-05-16T11-00-00Z' }

const begun = async (state = STATE) => {
  const storage = inMemoryBackend()
  unwrap(await openRollback(storage, state))
  return storage
}

describe('the journal of a rollback', () => {
  it('keeps out a second rollback and says which backups there are', async () => {
    const storage = await begun()
    const locked = { ok: false, error: { code: 'locked', details: { target: STATE.target, safety: STATE.safety } } }
    expect(await openRollback(storage, OTHER)).toMatchObject(locked)
    expect(await checkNoRollback(storage)).toMatchObject(locked)
    expect(unwrap(await readRollbackState(storage))).toEqual(STATE)
  })

  it('is neither changed nor closed by a process whose own rollback is over', async () => {
    const storage = await begun(OTHER)
    expect(unwrap(await isStillOpen(storage, STATE))).toBe(false)
    expect(unwrap(await isStillOpen(storage, OTHER))).toBe(true)
    expect(unwrap(await advanceRollback(storage, { ...STATE, phase: 'swapping' }))).toBeUndefined()
    unwrap(await closeRollback(storage, STATE))
    expect(unwrap(await readRollbackState(storage))).toEqual(OTHER)
    unwrap(await closeRollback(storage, OTHER))
    expect(await textAt(storage, ROLLBACK_STATE_PATH)).toBeUndefined()
    unwrap(await closeRollback(storage, OTHER))
    expect(unwrap(await advanceRollback(storage, OTHER))).toBeUndefined()
  })

  it('keeps the plan of the process that was first, in each direction', async () => {
    const storage = await begun()
    const first: RollbackState = { ...STATE, phase: 'swapping', leavingEntries: ['first'] }
    expect(unwrap(await advanceRollback(storage, first))).toEqual(first)
    expect(unwrap(await advanceRollback(storage, { ...first, leavingEntries: ['second'] }))).toEqual(first)
    const undoing: RollbackState = { ...first, direction: 'undo', phase: 'staging', leavingEntries: [] }
    expect(unwrap(await advanceRollback(storage, undoing))).toEqual(undoing)
    expect(unwrap(await advanceRollback(storage, { ...undoing, startedAt: 2 }))).toEqual({ ...undoing, startedAt: 2 })
  })

  it.each([
    ['no backup', { target: '../notes' }],
    ['no direction', { direction: 'sideways' }],
    ['no phase', { phase: 'done' }],
    ['a skill without a name', { leavingSkills: [{ path: 'deploy' }] }],
  ])('is not read if it names %s', async (_what, wrong) => {
    const storage = inMemoryBackend()
    await write(storage, { [ROLLBACK_STATE_PATH]: JSON.stringify({ ...STATE, ...wrong }) })
    expect(await readRollbackState(storage)).toMatchObject({ ok: false, error: { code: 'unreadable' } })
  })
})
