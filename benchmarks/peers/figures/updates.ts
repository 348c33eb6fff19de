/** Lost updates: writers of one memory at the same time, each in a process of its own, and each with a handle of its own in one process. */
import { type Context, contextOf, forEach, type Outcomes, rounds, withWorker } from '../harness/context.ts'
import { startWorker } from '../harness/processes.ts'
import type { Written } from '../harness/worker.ts'
import { type PeerFacts, peersOf } from '../peers.ts'

const WRITERS = 8
const EACH = 50

export interface Race {
  /** Writes that the peer said are stored. */
  readonly acknowledged: number
  /** Of these, how many are there afterwards. */
  readonly kept: number
  readonly refused: number
  readonly ms: number
}

export interface Updates {
  readonly processes: Race
  readonly handles: Race
}

/** No fact is a part of another. */
const factsOf = (writer: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `Writer ${writer} noted number ${at}, and this is the end of the note;`)

const countIn = async (peer: PeerFacts, folder: string, written: readonly string[], context: Context): Promise<number> => {
  const text = await withWorker(peer.name, context, async (worker) => {
    await worker.ask('open', { folder })
    return String(await worker.ask('read', {}))
  })
  return written.filter((each) => text.includes(each)).length
}

const openOnce = (peer: PeerFacts, folder: string, context: Context): Promise<void> =>
  withWorker(peer.name, context, async (worker) => {
    await worker.ask('open', { folder })
    await worker.ask('write', { facts: ['The first fact.'] })
    await worker.ask('close', {})
  })

const inProcesses = async (peer: PeerFacts, context: Context): Promise<Race> => {
  const folder = context.folder(peer.name)
  await openOnce(peer, folder, context)
  const all = Array.from({ length: WRITERS }, (_, writer) => factsOf(writer, rounds(context, EACH)))
  const workers = all.map(() => startWorker(peer.name, context.surroundings))
  try {
    for (const worker of workers) await worker.ask('open', { folder })
    const start = performance.now()
    const written = (await Promise.all(workers.map((worker, at) => worker.ask('write', { facts: all[at] ?? [] })))) as readonly Written[]
    const ms = Math.round(performance.now() - start)
    const acknowledged = written.reduce((sum, { times }) => sum + times.length, 0)
    const refused = written.reduce((sum, each) => sum + each.refused, 0)
    return { acknowledged, refused, ms, kept: await countIn(peer, folder, all.flat(), context) }
  } finally {
    for (const worker of workers) worker.end()
  }
}

const inHandles = async (peer: PeerFacts, context: Context): Promise<Race> => {
  const folder = context.folder(peer.name)
  await openOnce(peer, folder, context)
  const all = Array.from({ length: WRITERS }, (_, writer) => factsOf(writer, rounds(context, EACH)))
  const written = await withWorker(peer.name, context, (worker) => worker.ask('handles', { folder, facts: all }))
  const { took, times, refused } = written as Written & { readonly took: number }
  return { acknowledged: times.length, refused, ms: Math.round(took), kept: await countIn(peer, folder, all.flat(), context) }
}

export const measureUpdates = (context: Context): Promise<Outcomes<Updates>> =>
  forEach(peersOf('updates', context.peers), async (peer) => ({
    processes: await inProcesses(peer, contextOf(peer, context)),
    handles: await inHandles(peer, contextOf(peer, context)),
  }))
