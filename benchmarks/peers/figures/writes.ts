/** What it costs to store a fact: single writes into a small memory, with all peers taking turns, and 1,000 writes into one memory. */
import { type Context, contextOf, forEach, type Outcomes, rounds, withWorker } from '../harness/context.ts'
import { type Times, timesOf } from '../harness/numbers.ts'
import { startWorker, type Worker } from '../harness/processes.ts'
import { fact, facts } from '../harness/texts.ts'
import type { Written } from '../harness/worker.ts'
import { type PeerFacts, peersOf } from '../peers.ts'

const PRESENT = 18
const WRITES_IN_A_ROUND = 10
const ROUNDS = 20
const WARM_UP = 2
const MANY = 1_000

/** A new memory with 18 facts, unmeasured, and ten writes. */
const round = async (worker: Worker, folder: string): Promise<readonly number[]> => {
  await worker.ask('open', { folder })
  await worker.ask('write', { facts: facts(0, PRESENT) })
  const written = (await worker.ask('write', { facts: facts(PRESENT, WRITES_IN_A_ROUND) })) as Written
  const stored = String(await worker.ask('read', {}))
  for (let at = 0; at < PRESENT + WRITES_IN_A_ROUND; at++) if (!stored.includes(fact(at))) throw new Error(`Fact ${at} was not stored.`)
  await worker.ask('close', {})
  return written.times
}

export const measureWrites = async (context: Context): Promise<Outcomes<Times>> => {
  const peers = peersOf('writes', context.peers)
  const workers = new Map(peers.map(({ name }) => [name, startWorker(name, context.surroundings)]))
  const times = new Map<string, number[]>()
  const failures = new Map<string, unknown>()
  const one = async (name: string, isMeasured: boolean): Promise<void> => {
    const worker = workers.get(name)
    if (!worker || failures.has(name)) return
    try {
      const taken = await round(worker, context.folder(name))
      if (isMeasured) times.set(name, [...(times.get(name) ?? []), ...taken])
    } catch (error) {
      failures.set(name, error)
    }
  }
  for (let at = 0; at < WARM_UP + rounds(context, ROUNDS); at++)
    for (const peer of peers) if (at < WARM_UP + rounds(contextOf(peer, context), ROUNDS)) await one(peer.name, at >= WARM_UP)
  for (const worker of workers.values()) worker.end()
  return forEach(peers, async ({ name }) => {
    if (failures.has(name)) throw failures.get(name)
    return timesOf(times.get(name) ?? [])
  })
}

export interface Many {
  readonly writes: number
  readonly seconds: number
}

const many = (peer: PeerFacts, context: Context): Promise<Many> =>
  withWorker(peer.name, context, async (worker) => {
    await worker.ask('open', { folder: context.folder(peer.name) })
    const { times, refused } = (await worker.ask('write', { facts: facts(0, rounds(context, MANY)) })) as Written
    if (refused > 0) throw new Error(`${refused} writes were refused.`)
    const seconds = Math.round(times.reduce((sum, time) => sum + time, 0)) / 1_000
    return { writes: times.length, seconds }
  })

export const measureMany = (context: Context): Promise<Outcomes<Many>> =>
  forEach(peersOf('many', context.peers), (peer) => many(peer, context))
