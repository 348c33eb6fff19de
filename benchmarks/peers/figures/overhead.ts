/** What a peer adds to a turn: conversations of 20 turns with a model that answers at once, all peers taking turns. */
import { type Context, forEach, type Outcomes, rounds, withWorker } from '../harness/context.ts'
import { FACTS_AT_START } from '../harness/conversation.ts'
import { type Times, timesOf } from '../harness/numbers.ts'
import { startWorker, type Worker } from '../harness/processes.ts'
import { facts } from '../harness/texts.ts'
import { type PeerFacts, peersOf, storeOf } from '../peers.ts'
import { megabytes } from './start.ts'

const TURNS = 20
const ROUNDS = 10
const WARM_UP = 2

export interface Overhead extends Times {
  /** Resident memory of the process at the end in megabytes. */
  readonly memory: number
}

const seed = async (peer: PeerFacts, folder: string, context: Context): Promise<void> => {
  const name = storeOf(peer)
  if (name === undefined) return
  await withWorker(name, context, async (worker) => {
    await worker.ask('open', { folder })
    await worker.ask('write', { facts: facts(0, FACTS_AT_START) })
    await worker.ask('close', {})
  })
}

const conversation = async (worker: Worker, folder: string, { surroundings }: Context): Promise<readonly number[]> =>
  (await worker.ask('turns', { folder, url: surroundings.modelUrl, count: TURNS })) as readonly number[]

export const measureOverhead = async (context: Context): Promise<Outcomes<Overhead>> => {
  const peers = peersOf('overhead', context.peers)
  const folders = new Map<string, string>()
  const workers = new Map<string, Worker>()
  const times = new Map<string, number[]>()
  const failures = new Map<string, unknown>()
  const one = async (peer: PeerFacts, at: number): Promise<void> => {
    const { name } = peer
    if (failures.has(name)) return
    try {
      const folder = folders.get(name) ?? context.folder(name)
      if (!folders.has(name)) await seed(peer, folder, context)
      folders.set(name, folder)
      const worker = workers.get(name) ?? startWorker(name, context.surroundings)
      workers.set(name, worker)
      const taken = await conversation(worker, folder, context)
      if (at >= WARM_UP) times.set(name, [...(times.get(name) ?? []), ...taken])
    } catch (error) {
      failures.set(name, error)
    }
  }
  for (let at = 0; at < WARM_UP + rounds(context, ROUNDS); at++) for (const peer of peers) await one(peer, at)
  const outcomes = await forEach(peers, async ({ name }) => {
    if (failures.has(name)) throw failures.get(name)
    const memory = megabytes(Number(await workers.get(name)?.ask('rss', {})))
    return { ...timesOf(times.get(name) ?? []), memory }
  })
  for (const worker of workers.values()) worker.end()
  return outcomes
}
