/** What a session start costs: opening a store and reading the block of the prompt, in a process that has done so before, and in a new one. */
import { type Context, contextOf, forEach, type Outcomes, rounds, withWorker } from '../harness/context.ts'
import { FACTS_AT_START } from '../harness/conversation.ts'
import { median, type Times, timesOf } from '../harness/numbers.ts'
import { startProgram } from '../harness/processes.ts'
import { facts } from '../harness/texts.ts'
import { peersOf } from '../peers.ts'

const WARM_UP = 10
const WARM = 60
const COLD = 7

export interface Start {
  readonly warm: Times
  /** Milliseconds from the start of a process to the block, Node's own start included. */
  readonly cold: Times
  /** The same for a process that does nothing. */
  readonly bare: Times
  /** Resident memory at that moment in megabytes, above that of a process that does nothing. */
  readonly memory: number
}

interface Sample {
  readonly took: number
  /** Bytes. */
  readonly rss: number
}

/** One process of `start.ts`. */
export const startOnce = async (args: readonly string[], context: Context): Promise<Sample> => {
  const began = performance.now()
  const program = startProgram('start', args, context.surroundings)
  const { value, done } = await program.lines.next()
  const took = performance.now() - began
  await program.ended
  program.kill()
  if (done === true) throw new Error(`${args.join(' ')} ended: ${program.tail()}`)
  return { took, rss: Number(value) }
}

const MEGABYTE = 1024 * 1024

export const megabytes = (bytes: number): number => Math.round((bytes / MEGABYTE) * 10) / 10

const warm = (name: string, folder: string, context: Context): Promise<Times> =>
  withWorker(name, context, async (worker) => {
    await worker.ask('open', { folder })
    await worker.ask('write', { facts: facts(0, FACTS_AT_START) })
    await worker.ask('close', {})
    await worker.ask('starts', { folder, count: WARM_UP })
    return timesOf((await worker.ask('starts', { folder, count: rounds(context, WARM) })) as readonly number[])
  })

export const measureStart = async (context: Context): Promise<Outcomes<Start>> => {
  const peers = peersOf('start', context.peers)
  const folders = new Map(peers.map(({ name }) => [name, context.folder(name)]))
  const folderOf = (name: string): string => folders.get(name) ?? ''
  const warmTimes = await forEach(peers, (peer) => warm(peer.name, folderOf(peer.name), contextOf(peer, context)))
  const cold = new Map<string, Sample[]>()
  const able = peers.filter(({ name }) => !('failed' in (warmTimes[name] ?? { failed: '' })))
  // They take turns, so that a busy machine is equally busy for each.
  for (let at = 0; at < rounds(context, COLD); at++) {
    cold.set('', [...(cold.get('') ?? []), await startOnce([], context)])
    for (const peer of able)
      if (at < rounds(contextOf(peer, context), COLD))
        cold.set(peer.name, [...(cold.get(peer.name) ?? []), await startOnce([peer.name, 'block', folderOf(peer.name)], context)])
  }
  const bareMemory = median((cold.get('') ?? []).map(({ rss }) => rss))
  const timesFor = (name: string): Times => timesOf((cold.get(name) ?? []).map(({ took }) => took))
  return forEach(peers, async ({ name }) => {
    const own = warmTimes[name]
    if (own === undefined || 'failed' in own) throw new Error(own?.failed ?? 'Not measured.')
    const memory = megabytes(median((cold.get(name) ?? []).map(({ rss }) => rss)) - bareMemory)
    return { warm: own, cold: timesFor(name), bare: timesFor(''), memory }
  })
}
