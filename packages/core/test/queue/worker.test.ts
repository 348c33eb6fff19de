/** The worker: retries, pauses, stops, and never writes twice or for an erased owner. */
import { describe, expect, it } from 'vitest'
import type { HostModel } from '../../src/model/host-model.ts'
import { factsSaid, MINUTE_MS, openWorld } from './open-homes.ts'

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

  it('leaves a home alone whose learning is paused after failures, and reviews it afterwards', async () => {
    let isDown = true
    let calls = 0
    const world = openWorld({
      model: async (request) => {
        calls++
        if (isDown) throw new Error('the provider is down')
        return factsSaid(request)
      },
    })
    await world.says('ann', 10)
    for (let attempt = 0; attempt < 3; attempt++) {
      expect((await world.work()).outcomes).toEqual(['ann turns failed'])
      world.clock.advance(5 * MINUTE_MS)
    }
    const before = calls
    isDown = false
    const waiting = await world.work()
    expect(waiting.done[0]?.outcome).toMatchObject({ kind: 'postponed', reason: 'breaker', until: world.clock() + 55 * MINUTE_MS })
    expect(calls).toBe(before)
    world.clock.advance(55 * MINUTE_MS)
    // By then the home is idle too, and either entry reads everything.
    expect((await world.work()).report).toMatchObject({ reviewed: 1, failed: 0 })
    expect(await world.facts('ann')).toHaveLength(10)
  })

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

  it('keeps to its concurrency', async () => {
    let running = 0
    let most = 0
    const world = openWorld({
      model: async () => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setTimeout(resolve, 5))
        running--
        return '{"proposals": []}'
      },
    })
    for (let owner = 0; owner < 9; owner++) await world.says(`user-${owner}`, 10)
    const report = await world.homes.work({ once: true, concurrency: 3 })
    expect(report).toMatchObject({ ok: true, value: { reviewed: 9 } })
    expect(most).toBe(3)
  })

  it('finishes what it has begun after a signal, and claims nothing more', async () => {
    const held = heldModel()
    const world = openWorld({ model: held.model })
    await world.says('ann', 10)
    await world.says('bob', 10)
    const stop = new AbortController()
    const working = world.homes.work({ signal: stop.signal, concurrency: 1 })
    await held.asked
    stop.abort()
    held.release()
    expect(await working).toMatchObject({ ok: true, value: { reviewed: 1 } })
    expect(await world.queue.stats()).toMatchObject({ ok: true, value: { claimed: 0 } })
    expect((await world.work()).outcomes).toEqual(['bob turns reviewed'])
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
