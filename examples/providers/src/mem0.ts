/** mem0 as external memory: its service (`new MemoryClient({ apiKey })`), or its open-source edition (`new Memory(config)`) in your process. */
import type { HomeProvider, MemoryProvider, ProviderHome, ProviderTurn } from '@hermes/core/provider'
import type { MemoryClient } from 'mem0ai'
import type { Memory } from 'mem0ai/oss'
import { dated, isForgotten, messageOf, nameOf, queryOf } from './stored-turn.ts'

export type Mem0Options = (
  | { readonly client: Pick<MemoryClient, 'add' | 'search' | 'getAll' | 'delete'> }
  | { readonly memory: Pick<Memory, 'add' | 'search' | 'getAll' | 'delete'> }
) & {
  /** Facts less relevant than this are not recalled, from 0 to 1. Default 0.3. */
  readonly threshold?: number
}

/** What mem0 made of one or more turns; `metadata` is that of the turn. */
interface Fact {
  readonly id: string
  readonly memory?: string
  readonly metadata?: { readonly sessionId?: string; readonly at?: number }
}

/** The calls that differ: the service reads lists page by page, the open-source edition has a maximum and filters without a level for metadata. */
interface Facts {
  search(query: string, userId: string, threshold: number): Promise<{ readonly results: readonly Fact[] }>
  /** At least those whose metadata have the turn; all of the user without one. */
  list(userId: string, turnId?: string): Promise<readonly Fact[]>
  delete(id: string): Promise<unknown>
  add(turn: ProviderTurn, userId: string): Promise<unknown>
}

const LIMIT = 10
const PAGE = 100
const MOST = 10_000

const messagesOf = ({ user, assistant }: ProviderTurn) => [
  { role: 'user' as const, content: messageOf(user) },
  { role: 'assistant' as const, content: messageOf(assistant) },
]

const metadataOf = ({ id, sessionId, at }: ProviderTurn) => ({ turn: id, sessionId, at })

const factsOf = (options: Mem0Options): Facts => {
  if ('memory' in options) {
    const { memory } = options
    return {
      search: (query, user_id, threshold) => memory.search(query, { filters: { user_id }, topK: LIMIT, threshold }),
      async list(user_id, turn) {
        const filters = { user_id, ...(turn === undefined ? {} : { turn }) }
        const { results } = await memory.getAll({ filters, topK: turn === undefined ? MOST : 1 })
        if (results.length >= MOST)
          throw new Error(`mem0 holds ${MOST} facts or more of this user: too many to choose from. Use deleteAll.`)
        return results
      },
      delete: (id) => memory.delete(id),
      add: (turn, userId) => memory.add(messagesOf(turn), { userId, metadata: metadataOf(turn) }),
    }
  }
  const { client } = options
  return {
    search: (query, user_id, threshold) => client.search(query, { filters: { user_id }, topK: LIMIT, threshold }),
    async list(user_id, turn) {
      const filters = turn === undefined ? { user_id } : { AND: [{ user_id }, { metadata: { turn } }] }
      const facts: Fact[] = []
      for (let page = 1, more = true; more; page += 1) {
        const { results, next } = await client.getAll({ filters, page, pageSize: PAGE })
        facts.push(...results)
        more = next !== null && turn === undefined
      }
      return facts
    },
    delete: (id) => client.delete(id),
    add: (turn, userId) => client.add(messagesOf(turn), { userId, metadata: metadataOf(turn), timestamp: Math.floor(turn.at / 1000) }),
  }
}

export const mem0Provider = (options: Mem0Options): MemoryProvider => {
  const facts = factsOf(options)
  const openHome = (home: ProviderHome): HomeProvider => {
    const userId = nameOf(home)
    return {
      async prefetch({ text, sessionId }) {
        return (await facts.search(queryOf(text), userId, options.threshold ?? 0.3)).results
          .filter(({ metadata }) => metadata?.sessionId !== sessionId)
          .map(({ memory = '', metadata: { at } = {} }) => (at === undefined ? memory : dated(at, memory)))
      },
      async syncTurn(turn) {
        if ((await facts.list(userId, turn.id)).length === 0) await facts.add(turn, userId)
      },
      async forget(target) {
        const concerned = (await facts.list(userId)).filter(({ memory = '', metadata }) =>
          isForgotten(target, { sessionId: metadata?.sessionId ?? '', text: memory }),
        )
        if (!target.dryRun) for (const { id } of concerned) await facts.delete(id)
        return concerned.length
      },
    }
  }
  return { name: 'mem0', initialize: openHome }
}
