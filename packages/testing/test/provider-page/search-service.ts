/** A memory provider over a search service that is reached by HTTP. */
import type { HomeProvider, MemoryProvider, ProviderForgetTarget, ProviderTurn, RecallQuery } from '@hermes/core/provider'

export interface SearchServiceOptions {
  readonly url: string
  readonly apiKey: string
  /** Hits below are not recalled. Default 0.5. */
  readonly minScore?: number
}

/** A document of the service, as it stores it. */
interface Stored {
  readonly id: string
  readonly text: string
  readonly sessionId: string
  readonly at: number
}

type Hit = Stored & { readonly score: number }

/** Asks the service; rejects if it refuses or if the time is up. */
type Ask = (method: string, path: string, signal: AbortSignal, body?: object) => Promise<Readonly<Record<string, unknown>>>

const askOf =
  ({ url, apiKey }: SearchServiceOptions): Ask =>
  async (method, path, signal, body) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const response = await fetch(`${url}/${path}`, { method, headers, signal, ...(body ? { body: JSON.stringify(body) } : {}) })
    if (!response.ok) throw new Error(`The search service answered ${response.status}. Check its address and the key.`)
    return response.json()
  }

/** At most 64 hexadecimal digits, whatever the text is: no owner, session or turn can break out of a path. */
const nameOf = async (text: string): Promise<string> => {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const textOf = ({ user, assistant }: ProviderTurn): string => `User: ${user}\nAssistant: ${assistant}`.slice(0, 20_000)

const dated = ({ at, text }: Stored): string => `${new Date(at).toISOString().slice(0, 10)}: ${text}`

const isConcerned = (target: ProviderForgetTarget, { sessionId, text }: Stored): boolean => {
  if (target.kind === 'all') return true
  return target.kind === 'session' ? target.sessionId === sessionId : target.matches(text)
}

const openHome = (ask: Ask, collection: string, minScore: number): HomeProvider => {
  const search = async (query: string, signal: AbortSignal): Promise<readonly Hit[]> => {
    const { hits } = await ask('POST', `${collection}/search`, signal, { query: query.slice(0, 2_000), limit: 10 })
    return (hits as readonly Hit[]).filter(({ score }) => score >= minScore)
  }

  const readAll = async (signal: AbortSignal): Promise<readonly Stored[]> => {
    const all: Stored[] = []
    for (;;) {
      const { documents } = await ask('GET', `${collection}?after=${all.at(-1)?.id ?? ''}`, signal)
      if ((documents as readonly Stored[]).length === 0) return all
      all.push(...(documents as readonly Stored[]))
    }
  }

  return {
    async prefetch({ text, sessionId }: RecallQuery, { signal }) {
      return (await search(text, signal)).filter((hit) => hit.sessionId !== sessionId).map(dated)
    },

    async syncTurn(turn, { signal }) {
      const { sessionId, at } = turn
      await ask('PUT', `${collection}/${await nameOf(turn.id)}`, signal, { text: textOf(turn), sessionId, at })
    },

    async callTool({ input }, { signal }) {
      const found = await search(String(input['query'] ?? ''), signal)
      return { found: found.map(dated) }
    },

    async forget(target, { signal }) {
      const concerned = (await readAll(signal)).filter((stored) => isConcerned(target, stored))
      if (!target.dryRun) for (const { id } of concerned) await ask('DELETE', `${collection}/${id}`, signal)
      return concerned.length
    },
  }
}

export const searchService = (options: SearchServiceOptions): MemoryProvider => {
  const ask = askOf(options)
  return {
    name: 'search-service',
    systemPromptBlock: 'Past conversations can be searched with find_past_turns.',
    tools: [
      {
        name: 'find_past_turns',
        description: 'Finds what was said in past conversations, the most relevant first.',
        inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
      },
    ],
    initialize: async ({ folder }) => openHome(ask, await nameOf(folder), options.minScore ?? 0.5),
  }
}
