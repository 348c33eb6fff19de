/** A small run of `bench soak`, and that it notices a leak. */
import { closeSync, openSync } from 'node:fs'
import { afterEach, expect, it } from 'vitest'
import { judgeSoak, MOST_BYTES_PER_TURN, NOISE_BYTES, RSS_NOISE_BYTES } from '../benchmarks/soak/judge-soak.ts'
import { isSampleDue, playSoak, type SoakPlan, type SoakSample } from '../benchmarks/soak/play-soak.ts'
import { type SoakStorage, soakInFiles, soakInMemory } from '../benchmarks/soak/soak-storages.ts'
import { findMoreHandles } from '../benchmarks/soak/take-sample.ts'
import { turnLedger } from '../benchmarks/soak/turn-ledger.ts'

const cleanUps: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp()
})

const soak = async (storage: SoakStorage, plan: Pick<SoakPlan, 'turns' | 'sessions'> & Partial<SoakPlan>) => {
  cleanUps.push(() => storage.remove())
  const samples: SoakSample[] = []
  const found: string[] = []
  await playSoak({
    storage,
    every: plan.turns / 10,
    closeMs: 200,
    onSample: (sample) => samples.push(sample),
    onWrong: (wrong) => found.push(wrong),
    ...plan,
  })
  return { samples, found, verdict: judgeSoak(samples, found) }
}

const sampleAt = (turns: number, heapBytes: number): SoakSample => ({
  turns,
  sessions: turns / 100,
  heapBytes,
  externalBytes: 0,
  rssBytes: 0,
  resources: 1,
  descriptors: 20,
  storedBytes: 0,
  diskBytes: 0,
  reviews: 1,
  applied: 1,
  errors: 0,
  waiting: 0,
  lost: 0,
})

const TURNS = [1, 2, 3, 4, 5, 6, 7, 8].map((part) => part * 2_500)

it('holds for 200 turns in files', async () => {
  const { samples, found } = await soak(soakInFiles(), { turns: 200, sessions: 10 })
  expect(found).toEqual([])
  expect(samples.at(-1)).toMatchObject({ turns: 200, sessions: 10, errors: 0, lost: 0 })
  expect(samples.at(-1)?.reviews).toBeGreaterThanOrEqual(10)
  expect(samples.at(-1)?.applied).toBeGreaterThanOrEqual(10)
  const { storedBytes = 0, diskBytes = 0 } = samples.at(-1) ?? {}
  expect(storedBytes).toBeGreaterThan(1_000)
  expect(diskBytes).toBeGreaterThan(storedBytes)
})

it('notices an array that grows', async () => {
  const kept: number[][] = []
  const { verdict } = await soak(soakInMemory(), {
    turns: 60,
    sessions: 12,
    leak: () => kept.push(Array.from({ length: 50_000 }, (_, index) => index + kept.length / 2)),
  })
  expect(kept).toHaveLength(60)
  expect(verdict.wrong).toEqual([expect.stringMatching(/^the heap grows by \d+ bytes a turn, more than \d+$/)])
})

it('notices buffers that are kept', async () => {
  const kept: Buffer[] = []
  const { verdict } = await soak(soakInMemory(), { turns: 60, sessions: 12, leak: () => kept.push(Buffer.alloc(500_000)) })
  expect(kept).toHaveLength(60)
  expect(verdict.wrong).toEqual([expect.stringMatching(/^the memory of buffers grows by \d+ bytes a turn, more than \d+$/)])
})

it('notices a file that stays open', async () => {
  const { verdict } = await soak(soakInMemory(), {
    turns: 16,
    sessions: 8,
    every: 1,
    leak: () => {
      const descriptor = openSync(import.meta.filename, 'r')
      cleanUps.push(() => closeSync(descriptor))
    },
  })
  expect(verdict.wrong).toContainEqual(expect.stringMatching(/^after the session 'forgotten-5', open: \d+ file descriptors, not \d+$/))
  expect(verdict.wrong).toContainEqual(expect.stringMatching(/^after everything is closed, open: \d+ file descriptors, not \d+$/))
})

it('notices a timer that goes on', async () => {
  const { verdict } = await soak(soakInMemory(), {
    turns: 16,
    sessions: 8,
    every: 1,
    leak: () => {
      const timer = setInterval(() => {}, 60_000)
      cleanUps.push(() => clearInterval(timer))
    },
  })
  expect(verdict.wrong).toContainEqual(expect.stringMatching(/^after the session 'closed-6', open: \d+ Timeout, not \d+$/))
})

it('says what an event says', async () => {
  const inMemory = soakInMemory()
  let writes = 0
  const failing: SoakStorage = {
    ...inMemory,
    open: async () => {
      const { storage, close } = await inMemory.open()
      // Reported as an event: a turn is saved in the background. What fails at the end of a session is its answer.
      const update: typeof storage.update = (paths, plan, options) =>
        paths.includes('sessions/lasting-1.json') && ++writes === 3
          ? Promise.reject(new Error('the disk is on fire'))
          : storage.update(paths, plan, options)
      return { storage: { ...storage, update }, close }
    },
  }
  const { samples, verdict } = await soak(failing, { turns: 40, sessions: 8, every: 1 })
  expect(verdict.wrong.join('\n')).toContain('the disk is on fire')
  expect(samples.at(-1)?.errors).toBeGreaterThan(0)
})

it('judges the growth of the last half', () => {
  const growsEarly = TURNS.map((turns) => sampleAt(turns, Math.min(turns, 10_000) * 10_000))
  expect(judgeSoak(growsEarly, [])).toMatchObject({ perTurn: { heapBytes: 0 }, wrong: [] })
  const kept = MOST_BYTES_PER_TURN + NOISE_BYTES / 7_500 + 10
  const growsOn = TURNS.map((turns) => sampleAt(turns, turns * kept))
  expect(judgeSoak(growsOn, []).wrong).toEqual([expect.stringContaining('the heap grows by 208 bytes a turn')])
  const outside = TURNS.map((turns) => ({
    ...sampleAt(turns, 1_000),
    rssBytes: turns * (MOST_BYTES_PER_TURN + RSS_NOISE_BYTES / 7_500 + 10),
  }))
  expect(judgeSoak(outside, []).wrong).toEqual([expect.stringContaining('the memory of the process grows by 9086 bytes a turn')])
  expect(() => judgeSoak(growsOn.slice(3), [])).toThrow('needs six samples')
})

it('allows for the warm-up of a short run, which ends within five thousand turns', () => {
  const warming = [100, 200, 300, 400, 500, 600].map((turns) => sampleAt(turns, turns * 5_000))
  expect(judgeSoak(warming, []).wrong).toEqual([])
  const growsOn = [100, 200, 300, 400, 500, 600].map((turns) => sampleAt(turns, turns * 10_000))
  expect(judgeSoak(growsOn, []).wrong).toEqual([expect.stringContaining('the heap grows by 10000 bytes a turn')])
  const warmedUp = warming.map((sample) => ({ ...sample, turns: sample.turns + 10_000 }))
  expect(judgeSoak(warmedUp, []).wrong).toEqual([expect.stringContaining('the heap grows by 5000 bytes a turn')])
})

it('takes fewer samples the longer it goes on', () => {
  const sampled: number[] = [0]
  for (let turns = 1; turns <= 4_000; turns++) if (isSampleDue(turns, sampled.at(-1) ?? 0, 10)) sampled.push(turns)
  // Every 10 turns up to 400, then each a fortieth further.
  expect(sampled.slice(1, 4)).toEqual([10, 20, 30])
  expect(sampled.filter((turns) => turns <= 400)).toHaveLength(41)
  expect(sampled.filter((turns) => turns > 400).length).toBeLessThan(100)
  expect(4_000 - (sampled.at(-1) ?? 0)).toBeLessThanOrEqual(100)
})

it('judges turns that are lost, and a run without a review', () => {
  const flat = TURNS.map((turns) => sampleAt(turns, 1_000))
  const lost = flat.map((sample, index) => (index === 5 ? { ...sample, lost: 2 } : sample))
  expect(judgeSoak(lost, []).wrong).toEqual(['after 15000 turns, 2 turns were neither read by a review nor wait for one'])
  expect(
    judgeSoak(
      flat.map((sample) => ({ ...sample, reviews: 0 })),
      ['as found'],
    ).wrong,
  ).toEqual(['no review ran', 'as found'])
})

it('knows which turns were neither read nor stored', () => {
  const ledger = turnLedger()
  const [first, second, third] = [ledger.nextWords('a'), ledger.nextWords('a'), ledger.nextWords('b-1')]
  ledger.strikeRead(`Earlier: ${first}`)
  expect([ledger.unread(), ledger.unread('a'), ledger.unread('b-1')]).toEqual([2, 1, 1])
  expect(ledger.missingFrom(second)).toBe(1)
  expect(ledger.missingFrom(second + third)).toBe(0)
  ledger.forget('b-1')
  expect(ledger.unread()).toBe(1)
})

it('names each kind of handle of which there are more', () => {
  const before = { resources: { Timeout: 1, TCPSocketWrap: 2 }, descriptors: 20 }
  expect(findMoreHandles(before, { resources: { TCPSocketWrap: 2 }, descriptors: 19 })).toEqual([])
  expect(findMoreHandles(before, { resources: { TCPSocketWrap: 3, FSReqPromise: 1 }, descriptors: 21 })).toEqual([
    '3 TCPSocketWrap, not 2',
    '1 FSReqPromise, not 0',
    '21 file descriptors, not 20',
  ])
})
