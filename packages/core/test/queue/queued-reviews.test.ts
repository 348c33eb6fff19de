/** With a queue, due reviews are added to it and run by a worker, in whichever process. */
import { inMemoryReviewQueue } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import { createHermes } from '../../src/create-hermes.ts'
import { createHermesHomes } from '../../src/create-hermes-homes.ts'
import type { HostModel } from '../../src/model/host-model.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { factsSaid, openWorld } from './open-homes.ts'

describe('a due review with a queue', () => {
  it('does not run in the process of the turn; a worker in another process runs it', async () => {
    const world = openWorld()
    await world.says('ann', 10)
    expect(world.events.filter(({ type }) => type === 'review-started')).toEqual([])
    expect(world.added).toEqual(['ann idle', 'ann turns'])
    const { outcomes, report } = await world.work(world.openProcess())
    expect(outcomes).toEqual(['ann turns reviewed'])
    expect(report).toMatchObject({ reviewed: 1, failed: 0, postponed: 0 })
    expect(report.inputTokens).toBeGreaterThan(0)
    expect(await world.facts('ann')).toHaveLength(10)
    expect((await world.work()).outcomes).toEqual([])
  })

  it('is added when a session ends with enough unread turns, and not before', async () => {
    const world = openWorld()
    await world.says('ann', 2)
    const session = world.homes.for('ann').session('chat')
    expect(await session.end()).toEqual({ ok: true, value: { kind: 'nothing-due', unreadTurns: 2 } })
    await world.says('ann', 1, 2)
    expect(await session.end()).toEqual({ ok: true, value: { kind: 'queued' } })
    expect((await world.work()).outcomes).toEqual(['ann end reviewed'])
    expect(await world.facts('ann')).toHaveLength(3)
  })

  it('costs a plain turn no call of the storage more than without a queue', async () => {
    const callsOfTurn = async (isQueued: boolean) => {
      const inner = inMemoryBackend()
      const calls: string[] = []
      const noting = <T>(name: string, call: () => T): T => {
        calls.push(name)
        return call()
      }
      const storage: StorageBackend = {
        ...inner,
        read: (paths) => noting(`read ${paths}`, () => inner.read(paths)),
        update: (paths, plan, options) => noting(`update ${paths}`, () => inner.update(paths, plan, options)),
        list: (prefix) => noting(`list ${prefix}`, () => inner.list(prefix)),
      }
      const queue = inMemoryReviewQueue()
      const hermes = createHermes({ storage, onEvent: () => {}, ...(isQueued ? { review: { queue } } : {}) })
      const say = async () => {
        hermes.session('chat').recordTurn({ messages: [{ role: 'user', text: 'Hello.' }] })
        await hermes.settled()
      }
      for (let turn = 0; turn < 4; turn++) await say()
      calls.length = 0
      await say()
      return [...calls].sort()
    }
    const calls = await callsOfTurn(false)
    expect(calls.length).toBeGreaterThan(0)
    expect(await callsOfTurn(true)).toEqual(calls)
  })
})

describe('a queue that cannot be used', () => {
  const storage = inMemoryBackend()
  const queue = inMemoryReviewQueue()

  it('is refused without stored text', () => {
    expect(() => createHermes({ storage, review: { queue }, sessions: { keepText: false } })).toThrow(/review.queue.*keepText/)
    // @ts-expect-error JavaScript callers may pass anything.
    expect(() => createHermes({ storage, review: { queue: {} } })).toThrow(/review.queue.*sqliteReviewQueue/)
  })

  it('is an error of the worker: no queue, no model, bad options, the home of many', async () => {
    const model = async () => ''
    const messageOf = async (work: ReturnType<ReturnType<typeof createHermesHomes>['work']>) => {
      const worked = await work
      return worked.ok ? 'ok' : `${worked.error.code}: ${worked.error.message}`
    }
    expect(await messageOf(createHermesHomes({ storage, review: { model } }).work())).toMatch(/^invalid: .*review.queue/)
    expect(await messageOf(createHermesHomes({ storage, review: { queue } }).work())).toMatch(/^invalid: .*review.model/)
    const homes = createHermesHomes({ storage, review: { queue, model } })
    expect(await messageOf(homes.work({ concurrency: 0 }))).toMatch(/^invalid: 'concurrency'/)
    expect(await messageOf(homes.work({ leaseMs: 10 }))).toMatch(/^invalid: 'leaseMs'/)
    expect(await messageOf(homes.for('ann').work())).toMatch(/^invalid: .*work\(\) on the homes/)
  })

  it('tells a worker about entries of the other kind of home, and keeps them', async () => {
    const other = inMemoryReviewQueue()
    await other.add({ kind: 'turns', dueAt: 0 })
    const homes = createHermesHomes({ storage, review: { queue: other, model: async () => '' }, onEvent: () => {} })
    const messages: string[] = []
    const onReview = ({ outcome }: { outcome: { kind: string; error?: Error } }) => messages.push(outcome.error?.message ?? outcome.kind)
    expect(await homes.work({ once: true, onReview })).toMatchObject({ ok: true, value: { failed: 1 } })
    expect(messages[0]).toContain('Give each its own queue')
    expect(await other.stats()).toMatchObject({ ok: true, value: { waiting: 1 } })
  })
})

/** The worker: retries, pauses, stops, and never writes twice or for an erased owner. */
const silent = async () => '{"proposals": []}'

/** A model that can be held, with a promise for each of its first calls. */
const heldModel = (answer: HostModel = factsSaid) => {
  let release = () => {}
  let tell = () => {}
  const asked = new Promise<void>((resolve) => {
    tell = resolve
  })
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const model: HostModel = async (request) => {
    tell()
    await released
    return answer(request)
  }
  return { model, asked, release: () => release() }
}

describe('a worker', () => {
  it('runs one review of a home at a time, and gives back what another worker has to wait for', async () => {
    const held = heldModel()
    const world = openWorld({ model: held.model })
    await world.says('ann', 10)
    const here = world.homes.for('ann').review()
    await held.asked
    expect((await world.work(world.openProcess())).done[0]?.outcome).toMatchObject({ kind: 'postponed', reason: 'busy' })
    held.release()
    expect(await here).toMatchObject({ ok: true, value: { kind: 'reviewed', turns: 10 } })
    world.clock.advance(15_000)
    expect((await world.work()).outcomes).toEqual(['ann turns nothing-due'])
  })

  it('cancels what does not finish within the bound; it is due again and loses nothing', async () => {
    const held = heldModel()
    const world = openWorld({ model: held.model })
    await world.says('ann', 10)
    const stop = new AbortController()
    const working = world.homes.work({ signal: stop.signal, stopWithinMs: 20 })
    await held.asked
    stop.abort()
    expect(await working).toMatchObject({ ok: true, value: { postponed: 1, reviewed: 0 } })
    held.release()
    world.clock.advance(1_000)
    expect((await world.work(world.openProcess({ review: { model: factsSaid, queue: world.queue } }))).outcomes).toEqual([
      'ann turns reviewed',
    ])
    expect(await world.facts('ann')).toHaveLength(10)
  })

  it('stops when its homes are closed', async () => {
    const world = openWorld({ model: silent })
    const homes = world.openProcess()
    const working = homes.work()
    await homes.close()
    expect((await working).ok).toBe(true)
  })
})

describe('an erased owner', () => {
  it('has nothing left in the queue', async () => {
    const world = openWorld()
    await world.says('ann', 10)
    await world.says('bob', 10)
    expect((await world.homes.erase('ann')).ok).toBe(true)
    expect((await world.work()).outcomes).toEqual(['bob turns reviewed'])
    const documents = await world.storage.list('')
    expect(JSON.stringify(documents)).not.toContain('ann')
  })

  it.each(['here', 'in another process'])('during the review, erased %s: nothing is written, and the entry goes', async (where) => {
    const held = heldModel()
    const world = openWorld({ model: held.model })
    const worker = world.openProcess()
    await world.says('ann', 10)
    const working = world.work(worker)
    await held.asked
    expect((await (where === 'here' ? worker : world.homes).erase('ann')).ok).toBe(true)
    held.release()
    const { outcomes } = await working
    expect(outcomes).toEqual(['ann turns erased'])
    const paths = await world.storage.list('homes')
    expect(paths).toMatchObject({ ok: true, value: [] })
    expect(await world.queue.stats()).toMatchObject({ ok: true, value: { waiting: 0, claimed: 0 } })
  })
})
