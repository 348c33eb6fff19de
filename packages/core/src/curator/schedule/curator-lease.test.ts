import { expect, it } from 'vitest'
import { inMemoryBackend } from '../../storage/in-memory.ts'
import { updateDocument } from '../../storage/one-document.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import {
  CURATOR_LEASE_MS,
  CURATOR_LEASE_PATH,
  keepCuratorLease,
  readCuratorLease,
  releaseCuratorLease,
  renewCuratorLease,
  takeCuratorLease,
} from './curator-lease.ts'

const open = () => {
  const storage = inMemoryBackend()
  const clock = manualClock(Date.UTC(2026, 5, 1))
  const run = (owner: string) => ({ storage, clock, owner })
  return { storage, clock, run }
}

it('goes to one of any number that ask at once', async () => {
  const { run } = open()
  const taken = await Promise.all(Array.from({ length: 10 }, (_, index) => takeCuratorLease(run(`run-${index}`))))
  expect(taken.filter(({ ok }) => ok)).toHaveLength(1)
  for (const other of taken)
    if (!other.ok) expect(other.error).toMatchObject({ code: 'locked', message: expect.stringContaining('expires in 60 min') })
})

it('is free again after its release, and only its holder releases it', async () => {
  const { storage, clock, run } = open()
  await takeCuratorLease(run('a'))
  await releaseCuratorLease(run('b'))
  expect((await takeCuratorLease(run('b'))).ok).toBe(false)
  expect(await readCuratorLease(storage, clock)).toMatchObject({ ok: true, value: { owner: 'a' } })
  await releaseCuratorLease(run('a'))
  expect((await takeCuratorLease(run('b'))).ok).toBe(true)
})

it('passes to the next once a crashed run’s time is over, and tells the old holder so', async () => {
  const { storage, clock, run } = open()
  await takeCuratorLease(run('crashed'))
  clock.advance(CURATOR_LEASE_MS - 1)
  expect((await takeCuratorLease(run('next'))).ok).toBe(false)
  clock.advance(1)
  expect(await readCuratorLease(storage, clock)).toEqual({ ok: true, value: undefined })
  expect((await takeCuratorLease(run('next'))).ok).toBe(true)
  expect(await renewCuratorLease(run('crashed'))).toMatchObject({ ok: false, error: { code: 'locked' } })
  await releaseCuratorLease(run('crashed'))
  expect(await readCuratorLease(storage, clock)).toMatchObject({ ok: true, value: { owner: 'next' } })
})

it('lasts longer when it is renewed in time', async () => {
  const { clock, run } = open()
  await takeCuratorLease(run('a'))
  clock.advance(0.9 * CURATOR_LEASE_MS)
  await renewCuratorLease(run('a'))
  clock.advance(0.9 * CURATOR_LEASE_MS)
  expect((await takeCuratorLease(run('b'))).ok).toBe(false)
})

it('does not wait for a clock that was wrong', async () => {
  const { storage, clock, run } = open()
  await takeCuratorLease({ ...run('future'), clock: () => Date.UTC(2030, 0, 1) })
  expect(await readCuratorLease(storage, clock)).toEqual({ ok: true, value: undefined })
  expect((await takeCuratorLease(run('now'))).ok).toBe(true)
  await updateDocument(storage, CURATOR_LEASE_PATH, () => undefined)
  expect(await renewCuratorLease(run('now'))).toMatchObject({ ok: false, error: { code: 'locked' } })
  expect(clock()).toBe(Date.UTC(2026, 5, 1))
})

it('is asked for again at once if asking for more time failed', async () => {
  const { clock, run } = open()
  const lost = keepCuratorLease(run('a'))
  clock.advance(CURATOR_LEASE_MS / 2)
  expect(await lost()).toMatchObject({ ok: false, error: { code: 'locked' } })
  expect(await lost()).toMatchObject({ ok: false, error: { code: 'locked' } })
})
