/** Processes of a home finish turns, fail, hang, die and erase in any order, over a storage that takes its time and may fail: no turn is lost, reordered or delivered after its erasure. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { createJournal } from '../../src/journal/journal.ts'
import { HermesError } from '../../src/shared/hermes-error.ts'
import { err, type Result } from '../../src/shared/result.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { manualTime, openConnection } from './open-connection.ts'

const PROCESSES = 2

/** Of one process: a full disk can be read. */
const DISKS = ['all', 'reads', 'nothing'] as const

const process = fc.integer({ min: 0, max: PROCESSES - 1 })
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('finish' as const), process }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 7, 60, 900, 5_000, 40_000, 400_000) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('provider' as const), behaves: fc.constantFrom('works', 'throws', 'hangs') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('storage' as const), process, does: fc.constantFrom(...DISKS) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('forget' as const), process, digit: fc.integer({ min: 0, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const), process }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close' as const), process }) },
)

/** A storage whose every access takes some milliseconds, may fail, and does not end once it is dead. */
const slowStorage = (storage: StorageBackend, time: ReturnType<typeof manualTime>, random: () => number) => {
  let dead = false
  let disk: (typeof DISKS)[number] = 'all'
  let failures = 0
  const taking = async <T>(needs: 'reads' | 'all', access: () => Promise<Result<T>>): Promise<Result<T>> => {
    const work = async () => {
      if (disk === 'all' || disk === needs) return access()
      failures++
      return err(new HermesError('no_space', 'The disk is full.'))
    }
    const wait = () => new Promise<void>((resolve) => time.timers.after(Math.floor(random() * 5), true, () => !dead && resolve()))
    await wait()
    const done = await work()
    await wait()
    return done
  }
  const slow: StorageBackend = {
    read: (paths) => taking('reads', () => storage.read(paths)),
    list: (prefix) => taking('reads', () => storage.list(prefix)),
    update: (paths, plan, options) => taking('all', () => storage.update(paths, plan, options)),
    close: async () => {},
  }
  return {
    slow,
    die: () => {
      dead = true
    },
    failures: () => failures,
    setDisk: (does: typeof disk) => {
      disk = does
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
  /** Also those that could not be stored. */
  const finished = new Set<string>()
  /** Stored before an erasure that concerned them began: the process that erased, and when it was done. */
  const erased = new Map<string, { readonly by: string; readonly at: number }>()
  /** Also those that were stored meanwhile, which may be erased or delivered. */
  const concerned = new Set<string>()
  const late: string[] = []
  let opened = 0
  const open = () => {
    const name = `p${opened++}`
    const { slow, die, failures, setDisk } = slowStorage(storage, time, random)
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
      failures,
      setDisk,
      finish() {
        const turn = `${name}-${turns++}`
        begun.add(turn)
        const before = failures()
        connection.finish(turn).then(() => {
          finished.add(turn)
          if (alive && failures() === before) stored.add(turn)
        })
      },
      forget(digit: number) {
        const matches = (text: string) => text.endsWith(String(digit))
        const before = [...finished].filter(matches)
        connection.connection.forget({ kind: 'text', text: String(digit), matches, dryRun: false }).then(async (forgotten) => {
          // What waited is removed also if the provider could not be asked.
          for (const turn of begun) if (matches(turn)) concerned.add(turn)
          if (!forgotten.ok) return
          const record = { actor: 'person', kind: 'applied', reason: 'r', upkeep: { action: 'erase', after: '' } } as const
          await createJournal({ storage, clock: time.clock, createId: () => `e-${time.clock()}` }).append([record])
          for (const turn of before) erased.set(turn, { by: name, at: time.clock() })
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
        else if (each.kind === 'storage') processes[each.process]?.setDisk(each.does)
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
      for (const each of processes) each.setDisk('all')
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
      expect(await storage.list('provider')).toEqual({ ok: true, value: [] })
      const first = [...new Set(turns)]
      for (const [index, { failures }] of all.entries()) {
        // What could not be stored does not wait for what another process delivers.
        if (failures() > 0) continue
        const own = first.filter((turn) => turn.startsWith(`p${index}-`)).map((turn) => Number(turn.split('-')[1]))
        expect(own).toEqual(own.toSorted((a, b) => a - b))
      }
      for (const { connection } of all) expect(connection.crashes).toEqual([])
    }),
    { seed: 43, numRuns: rounds(300) },
  )
})
