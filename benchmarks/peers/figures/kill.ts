/** `kill -9` while a peer writes, again and again on the same memory. */
import { type Context, forEach, type Outcomes, rounds } from '../harness/context.ts'
import { startProgram } from '../harness/processes.ts'
import { type PeerFacts, peersOf } from '../peers.ts'

const ROUNDS = 12
/** Milliseconds of writing in a round after the first write; the rounds differ, and are the same for all peers. */
const timeOf = (round: number): number => 40 + ((round * 37) % 120)

export interface Kill {
  readonly rounds: number
  readonly acknowledged: number
  /** Acknowledged writes that the next process did not find. */
  readonly lost: number
  /** Rounds after which the memory could not be read. */
  readonly unreadable: number
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

interface Round {
  /** What the process read at its start; absent if it could not. */
  readonly text?: string
  readonly acknowledged: number
}

const writeUntilKilled = async (args: readonly string[], ms: number, context: Context): Promise<Round> => {
  const program = startProgram('writer', args, context.surroundings)
  const first = await program.lines.next()
  if (first.done === true) return { acknowledged: 0 }
  const write = await program.lines.next()
  const counting = (async (): Promise<number> => {
    let count = write.done === true ? 0 : 1
    for (let line = await program.lines.next(); line.done !== true; line = await program.lines.next()) count++
    return count
  })()
  await pause(ms)
  program.kill()
  await program.ended
  return { text: JSON.parse(first.value), acknowledged: await counting }
}

const measure = async (peer: PeerFacts, context: Context): Promise<Kill> => {
  let folder = context.folder(peer.name)
  let expected: readonly string[] = []
  let [acknowledged, lost, unreadable] = [0, 0, 0]
  const count = rounds(context, ROUNDS)
  const look = (text: string | undefined): void => {
    if (text === undefined) {
      unreadable++
      folder = context.folder(peer.name)
      expected = []
    } else lost += expected.filter((fact) => !text.includes(fact)).length
  }
  for (let at = 0; at < count; at++) {
    const done = await writeUntilKilled([peer.name, folder, `round-${at}`], timeOf(at), context)
    look(done.text)
    if (done.text === undefined && at === 0) throw new Error('The first process ended by itself.')
    expected = Array.from({ length: done.acknowledged }, (_, number) => `round-${at}-${number};`)
    acknowledged += done.acknowledged
  }
  const last = await writeUntilKilled([peer.name, folder, ''], 0, context)
  look(last.text)
  return { rounds: count, acknowledged, lost, unreadable }
}

export const measureKill = (context: Context): Promise<Outcomes<Kill>> =>
  forEach(peersOf('kill', context.peers), (peer) => measure(peer, context))
