/** What every figure is given: the chosen peers, the model, the database, and folders that are removed at the end. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { PeerFacts } from '../peers.ts'
import type { ModelServer } from './model-server.ts'
import { type Surroundings, startWorker, type Worker } from './processes.ts'

export interface Context {
  readonly peers: readonly PeerFacts[]
  readonly server: ModelServer
  readonly surroundings: Surroundings
  /** A part of the usual number of rounds, for a trial: 1 by default. */
  readonly share: number
  /** A new folder; its name is also the name of its user, where a database serves all folders. */
  folder(peer: string): string
}

let folders = 0

export const newFolder = (root: string, peer: string): string => {
  const path = join(root, `${peer}-${process.pid}-${folders++}`)
  mkdirSync(path)
  return path
}

/** For the rounds of one peer. */
export const contextOf = ({ share = 1 }: PeerFacts, context: Context): Context => ({ ...context, share: context.share * share })

export const rounds = ({ share }: Context, count: number): number => Math.max(1, Math.round(count * share))

/** Does something with a worker for each peer; a peer that fails is named with its error, and the others go on. */
export const withWorker = async <T>(peer: string, { surroundings }: Context, act: (worker: Worker) => Promise<T>): Promise<T> => {
  const worker = startWorker(peer, surroundings)
  try {
    return await act(worker)
  } finally {
    worker.end()
  }
}

/** By the peer's name: what was measured, or the error. */
export type Outcomes<T> = Readonly<Record<string, T | { readonly failed: string }>>

/** One after another, as times need it. `atOnce`: more than one, for figures that only count. */
export const forEach = async <T>(
  peers: readonly PeerFacts[],
  measure: (peer: PeerFacts) => Promise<T>,
  atOnce = 1,
): Promise<Outcomes<T>> => {
  const outcomes: Record<string, T | { readonly failed: string }> = {}
  const waiting = [...peers]
  const work = async (): Promise<void> => {
    for (let peer = waiting.shift(); peer !== undefined; peer = waiting.shift()) {
      try {
        outcomes[peer.name] = await measure(peer)
      } catch (error) {
        outcomes[peer.name] = { failed: error instanceof Error ? error.message : String(error) }
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  // In the order of the tables.
  return Object.fromEntries(peers.flatMap(({ name }) => (outcomes[name] === undefined ? [] : [[name, outcomes[name]]])))
}
