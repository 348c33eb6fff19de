/** Processes of a home finish turns, fail, hang, die and erase in any order, over a storage that takes its time: no turn is lost, reordered or delivered after its erasure. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { manualTime, openConnection } from './open-connection.ts'

const PROCESSES = 2

const process = fc.integer({ min: 0, max: PROCESSES - 1 })
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('finish' as const), process }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 7, 60, 900, 5_000, 40_000, 400_000) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('provider' as const), behaves: fc.constantFrom('works', 'throws', 'hangs') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('forget' as const), process, digit: fc.integer({ min: 0, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const), process }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close' as const), process }) },
)

/** A storage whose every access takes some milliseconds, and none ends once it is dead. */
const slowStorage = (storage: StorageBackend, time: ReturnType<typeof manualTime>, random: () => number) => {
  let dead = false
  const taking = async <T>(work: () => Promise<T>): Promise<T> => {
    const wait = () => new Promise<void>((resolve) => time.timers.after(Math.floor(random() * 5), true, () => !dead && resolve()))
    await wait()
    const done = await work()
    await wait()
    return done
  }
  const slow: StorageBackend = {
    read: (paths) => taking(() => storage.read(paths)),
    list: (prefix) => taking(() => storage.list(prefix)),
    update: (paths, plan, options) => taking(() => storage.update(paths, plan, options)),
    close: async () => {},
  }
  return {
    slow,
    die: () => {
      dead = true
    },
  }
}

/** A small generator, so that a run of the property repeats. */
const generator = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const world = (seed: number) => {
  const random = generator(seed)
  const time = manualTime()
  const storage = inMemoryBackend()
  const provider = { behaves: 'works' as string }
  const delivered: { readonly turn: string; readonly by: string }[] = []
  const stored = new Set<string>()
  const begun = new Set<string>()
  /** Stored before an erasure that concerned them began: the process that erased, and when it was done. */
  const erased = new Map<string, { readonly by: string; readonly at: number }>()
  /** Also those that were stored meanwhile, which may be erased or delivered. */
  const concerned = new Set<string>()
  const late: string[] = []
  let opened = 0
  const open = () => {
    const name = `p${opened++}`
    const { slow, die } = slowStorage(storage, time, random)
    let alive = true
    const deliver = async (turn: string) => {
      const takes = Math.floor(random() * 20)
      if (provider.behaves === 'hangs') return new Promise<void>(() => {})
      await new Promise<void>((resolve) => time.timers.after(takes, true, resolve))
      if (!alive) return new Promise<void>(() => {})
      if (provider.behaves === 'throws') throw new Error('down')
      delivered.push({ turn, by: name })
      const erasure = erased.get(turn)
      // A process notices what another one has erased when it reads next.
      if (erasure && (erasure.by === name || time.clock() > erasure.at + 200)) late.push(turn)
    }
    const connection = openConnection(
      { syncTurn: ({ user }) => deliver(user), forget: async () => 0 },
      { storage: slow, time, timeoutMs: 100 },
    )
    let turns = 0
    return {
      connection,
      finish() {
        const turn = `${name}-${turns++}`
        begun.add(turn)
        connection.finish(turn).then(() => alive && stored.add(turn))
      },
      forget(digit: number) {
        const matches = (text: string) => text.endsWith(String(digit))
        const before = [...stored].filter(matches)
        connection.connection.forget({ kind: 'text', text: String(digit), matches, dryRun: false }).then(() => {
          for (const turn of before) erased.set(turn, { by: name, at: time.clock() })
          for (const turn of begun) if (matches(turn)) concerned.add(turn)
        })
      },
      kill() {
        alive = false
        die()
      },
      async close() {
        let closed = false
        const closing = connection.connection.close(1_000).then(() => {
          closed = true
        })
        while (!closed) await time.move(100)
        await closing
        alive = false
      },
    }
  }
  return { time, storage, provider, delivered, stored, concerned, late, open }
}

it('loses, reorders and restores no turn', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.array(step, { maxLength: 30 }), async (seed, steps) => {
      const { time, storage, provider, delivered, stored, concerned, late, open } = world(seed)
      const processes = Array.from({ length: PROCESSES }, open)
      const all = [...processes]
      const replace = (index: number) => {
        const next = open()
        processes[index] = next
        all.push(next)
      }
      for (const each of steps) {
        if (each.kind === 'finish') processes[each.process]?.finish()
        else if (each.kind === 'wait') await time.move(each.ms)
        else if (each.kind === 'provider') provider.behaves = each.behaves
        else if (each.kind === 'forget') processes[each.process]?.forget(each.digit)
        else if (each.kind === 'kill') {
          processes[each.process]?.kill()
          replace(each.process)
        } else {
          await processes[each.process]?.close()
          replace(each.process)
        }
      }
      // The rest of the day goes well.
      provider.behaves = 'works'
      await time.move(1_000_000)
      for (const index of processes.keys()) await processes[index]?.close()
      const last = openConnection({ syncTurn: async ({ user }) => void delivered.push({ turn: user, by: 'last' }) }, { storage, time })
      await time.move(4_000_000)
      last.connection.turnStarted({ sessionId: 'chat', text: 'hello' })
      await time.move(10_000)
      await last.connection.settled()

      const turns = delivered.map(({ turn }) => turn)
      expect([...stored].filter((turn) => !turns.includes(turn) && !concerned.has(turn))).toEqual([])
      expect(late).toEqual([])
      // Only another process delivers a turn again.
      const deliveries = delivered.map(({ turn, by }) => `${turn} ${by}`)
      expect(deliveries.filter((each, index) => deliveries.indexOf(each) !== index)).toEqual([])
      expect(await storage.list('')).toEqual({ ok: true, value: [] })
      const first = [...new Set(turns)]
      for (const index of all.keys()) {
        const own = first.filter((turn) => turn.startsWith(`p${index}-`)).map((turn) => Number(turn.split('-')[1]))
        expect(own).toEqual(own.toSorted((a, b) => a - b))
      }
      for (const { connection } of all) expect(connection.crashes).toEqual([])
    }),
    { seed: 43, numRuns: rounds(300) },
  )
})
