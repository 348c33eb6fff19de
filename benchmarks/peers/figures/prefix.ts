/** How much of a request the provider's cache knows already: the longest beginning that it shares with the request before. */

import { type Context, forEach, type Outcomes, withWorker } from '../harness/context.ts'
import { FACTS_AT_START, TURNS } from '../harness/conversation.ts'
import type { Run } from '../harness/model-server.ts'
import { facts } from '../harness/texts.ts'
import { type PeerFacts, peersOf, storeOf } from '../peers.ts'

export interface Prefix {
  readonly requests: number
  /** Characters of the first request. */
  readonly first: number
  /** Characters of all requests: tools, system prompt, messages. */
  readonly sent: number
  /** Of these, characters after the beginning that is shared with the request before. */
  readonly uncached: number
  /** Requests after which more than 2 % of the request before was lost. */
  readonly busts: number
  /** Characters sent to models in the background and to embedders. */
  readonly background: number
}

const sharedLength = (a: string, b: string): number => {
  let at = 0
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++
  return at
}

const MAX_LOSS = 0.02
const AT_ONCE = 4

const prefixOf = ({ requests, background: { received, embedded } }: Run): Prefix => {
  let uncached = 0
  let busts = 0
  let before = ''
  for (const request of requests) {
    const shared = sharedLength(before, request)
    uncached += request.length - shared
    if (before.length - shared > before.length * MAX_LOSS) busts++
    before = request
  }
  return {
    requests: requests.length,
    first: requests[0]?.length ?? 0,
    sent: requests.reduce((sum, { length }) => sum + length, 0),
    uncached,
    busts,
    background: received + embedded,
  }
}

export const turnsOf = (context: Context): number => Math.max(6, Math.round(TURNS * context.share))

/** A conversation with a peer, and what the model was sent in it. */
const converseWith = async (peer: PeerFacts, context: Context, processPerTurn: boolean): Promise<Run> => {
  const folder = context.folder(peer.name)
  const store = storeOf(peer)
  if (store !== undefined)
    await withWorker(store, context, async (worker) => {
      await worker.ask('open', { folder })
      await worker.ask('write', { facts: facts(0, FACTS_AT_START) })
      await worker.ask('close', {})
    })
  const name = folder.slice(folder.lastIndexOf('/') + 1)
  const url = `${context.server.url}/${name}`
  const turns = turnsOf(context)
  const parts = processPerTurn ? Array.from({ length: turns }, (_, at) => [at + 1, at + 1] as const) : [[1, turns] as const]
  for (const [from, to] of parts) await withWorker(peer.name, context, (worker) => worker.ask('converse', { folder, url, from, to }))
  return context.server.run(name)
}

/** Times do not matter, so that compiled code is kept between processes. */
const counting = (context: Context): Context => {
  const compileCache = `${context.surroundings.home}/compiled`
  return { ...context, surroundings: { ...context.surroundings, compileCache } }
}

const conversations = new Map<string, Promise<Run>>()

/** The conversation in one process, which is the same for two figures, and held once. */
export const conversationOf = (peer: PeerFacts, context: Context): Promise<Run> => {
  const conversation = conversations.get(peer.name) ?? converseWith(peer, counting(context), false)
  conversations.set(peer.name, conversation)
  return conversation
}

export const measurePrefix = (context: Context): Promise<Outcomes<Prefix>> =>
  forEach(peersOf('prefix', context.peers), async (peer) => prefixOf(await conversationOf(peer, context)), AT_ONCE)

export const measureProcesses = (context: Context): Promise<Outcomes<Prefix>> =>
  forEach(peersOf('processes', context.peers), async (peer) => prefixOf(await converseWith(peer, counting(context), true)), AT_ONCE)
