/** The process in which a peer is measured: it does what the runner asks over IPC, one request at a time. */
import type { OpenStore, Store } from '../port.ts'
import { converse, timeTurns } from './conversation.ts'

export interface Requests {
  readonly open: { readonly folder: string }
  readonly close: Record<never, never>
  /** `from`: the tool that gave the agent these words in the same turn, for a store that has `repeat`. */
  readonly write: { readonly facts: readonly string[]; readonly from?: string }
  /** One text from outside, the way that the peer stores such a text. */
  readonly learn: { readonly found: string }
  readonly outside: Record<never, never>
  readonly learnSkill: { readonly name: string; readonly instructions: string }
  readonly learnsOrigins: Record<never, never>
  readonly read: Record<never, never>
  /** Answers with the number of the change, for `undo`. */
  readonly change: { readonly fact: string; readonly to?: string }
  readonly undo: { readonly change: number }
  readonly starts: { readonly folder: string; readonly count: number }
  readonly handles: { readonly folder: string; readonly facts: readonly (readonly string[])[] }
  readonly converse: { readonly folder: string; readonly url: string; readonly from: number; readonly to: number }
  readonly turns: { readonly folder: string; readonly count: number; readonly url: string }
  readonly rss: Record<never, never>
}

export interface Written {
  /** Milliseconds of each write that was acknowledged. */
  readonly times: readonly number[]
  readonly refused: number
}

const [, , peer = ''] = process.argv

const openStore = async (folder: string): Promise<Store> => {
  const module: { readonly openStore: OpenStore } = await import(`../../adapters/${peer}/dist/store.mjs`)
  return await module.openStore(folder)
}

const writeAll = async (store: Store, facts: readonly string[], from?: string): Promise<Written> => {
  const times: number[] = []
  let refused = 0
  for (const fact of facts) {
    const start = performance.now()
    try {
      if (from !== undefined && store.repeat) await store.repeat(fact, from)
      else await store.write(fact)
      times.push(performance.now() - start)
    } catch {
      refused++
    }
  }
  return { times, refused }
}

let store: Store | undefined
let takeBacks: (() => Promise<void>)[] = []
const opened = (): Store => {
  if (!store) throw new TypeError('No store is open.')
  return store
}

const commands: { readonly [Name in keyof Requests]: (request: Requests[Name]) => Promise<unknown> } = {
  open: async ({ folder }) => {
    await store?.close()
    store = await openStore(folder)
    takeBacks = []
  },
  close: async () => {
    await store?.close()
    store = undefined
  },
  write: ({ facts, from }) => writeAll(opened(), facts, from),
  learn: async ({ found }) => {
    const { learn, write } = opened()
    return await writeAll({ ...opened(), write: learn ?? write }, [found])
  },
  outside: async () => (await opened().outside?.()) ?? '',
  learnSkill: async ({ name, instructions }) => await opened().learnSkill?.(name, instructions),
  learnsOrigins: async () => opened().repeat !== undefined,
  read: () => opened().read(),
  change: async ({ fact, to }) => {
    const takeBack = await opened().change?.(fact, to)
    if (!takeBack) throw new TypeError('This store has no change that can be taken back.')
    return takeBacks.push(takeBack) - 1
  },
  undo: async ({ change }) => await takeBacks[change]?.(),
  starts: async ({ folder, count }) => {
    const times: number[] = []
    for (let at = 0; at < count; at++) {
      const start = performance.now()
      const each = await openStore(folder)
      await each.block()
      times.push(performance.now() - start)
      await each.close()
    }
    return times
  },
  handles: async ({ folder, facts }) => {
    const stores = await Promise.all(facts.map(() => openStore(folder)))
    const start = performance.now()
    const written = await Promise.all(stores.map((each, at) => writeAll(each, facts[at] ?? [])))
    const took = performance.now() - start
    for (const each of stores) await each.close()
    return { took, times: written.flatMap(({ times }) => times), refused: written.reduce((sum, { refused }) => sum + refused, 0) }
  },
  converse: async (request) => converse(await import(`../../adapters/${peer}/dist/chat.mjs`), request),
  turns: async (request) => timeTurns(await import(`../../adapters/${peer}/dist/chat.mjs`), request),
  rss: async () => process.memoryUsage.rss(),
}

const run = async <Name extends keyof Requests>(name: Name, request: Requests[Name]): Promise<unknown> => await commands[name](request)

process.on('message', (message: { readonly name: keyof Requests; readonly request: never }) => {
  run(message.name, message.request).then(
    (value) => process.send?.({ value }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
})
process.on('disconnect', () => process.exit(0))
