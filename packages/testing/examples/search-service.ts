/** A memory provider over a search service that is reached by HTTP and keeps documents in collections. */
import type { MemoryProvider, ProviderForgetTarget } from '@hermes/core/provider'

/** A document of the service. */
interface Stored {
  readonly id: string
  readonly text: string
  readonly sessionId: string
  readonly at: number
}

/** At most 64 hexadecimal digits, whatever the text is: no owner, session or turn breaks out of a path. */
const nameOf = async (text: string): Promise<string> => {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const isConcerned = (target: ProviderForgetTarget, { sessionId, text }: Stored): boolean => {
  if (target.kind === 'all') return true
  return target.kind === 'session' ? target.sessionId === sessionId : target.matches(text)
}

export const searchService = ({ url, apiKey }: { readonly url: string; readonly apiKey: string }): MemoryProvider => {
  const ask = async (method: string, path: string, signal: AbortSignal, body?: object) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const response = await fetch(`${url}/${path}`, { method, headers, signal, body: body ? JSON.stringify(body) : null })
    if (!response.ok) throw new Error(`The search service answered ${response.status}. Check its address and the key.`)
    return response.json()
  }

  return {
    name: 'search-service',
    async initialize({ folder }) {
      const collection = await nameOf(folder)
      return {
        async prefetch({ text, sessionId }, { signal }) {
          const { hits } = await ask('POST', `${collection}/search`, signal, { query: text.slice(0, 2_000), limit: 10 })
          const others = (hits as readonly Stored[]).filter((hit) => hit.sessionId !== sessionId)
          return others.map(({ at, text: found }) => `${new Date(at).toISOString().slice(0, 10)}: ${found}`)
        },

        async syncTurn({ id, user, assistant, sessionId, at }, { signal }) {
          const text = `User: ${user}\nAssistant: ${assistant}`.slice(0, 20_000)
          await ask('PUT', `${collection}/${await nameOf(id)}`, signal, { text, sessionId, at })
        },

        async forget(target, { signal }) {
          const concerned: string[] = []
          for (let after = ''; ; ) {
            const { documents } = await ask('GET', `${collection}?after=${after}`, signal)
            if (documents.length === 0) break
            for (const stored of documents as readonly Stored[]) if (isConcerned(target, stored)) concerned.push(stored.id)
            after = documents.at(-1).id
          }
          if (!target.dryRun) for (const id of concerned) await ask('DELETE', `${collection}/${id}`, signal)
          return concerned.length
        },
      }
    },
  }
}
