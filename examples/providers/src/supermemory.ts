/** Supermemory as external memory: `new Supermemory({ apiKey })`. A document for each turn, a container tag for each home. */
import type { HomeProvider, MemoryProvider, ProviderCall, ProviderHome } from '@hermes/core/provider'
import type Supermemory from 'supermemory'
import { dated, isForgotten, nameOf, queryOf, textOf, uuidOf } from './stored-turn.ts'

export interface SupermemoryOptions {
  readonly client: Supermemory
  /** From 0 (recalls much) to 1 (recalls what fits exactly). Default 0.6. */
  readonly threshold?: number
}

type Listed = Awaited<ReturnType<Supermemory['documents']['list']>>['memories'][number]

const PAGE = 100

const sessionOf = (metadata: unknown): string =>
  typeof metadata === 'object' && metadata !== null && 'sessionId' in metadata ? String(metadata.sessionId) : ''

export const supermemoryProvider = ({ client, threshold = 0.6 }: SupermemoryOptions): MemoryProvider => {
  const openHome = (home: ProviderHome): HomeProvider => {
    const containerTag = nameOf(home)

    const readAll = async ({ signal }: ProviderCall): Promise<readonly Listed[]> => {
      const documents: Listed[] = []
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const body = { containerTags: [containerTag], includeContent: true, limit: PAGE, page }
        const { memories, pagination } = await client.documents.list(body, { signal })
        documents.push(...memories)
        pages = pagination.totalPages
      }
      return documents
    }

    return {
      async prefetch({ text, sessionId }, { signal }) {
        // 'hybrid' also searches the turns themselves: the service takes a while to make memories of them.
        const body = { q: queryOf(text), containerTag, threshold, limit: 10, searchMode: 'hybrid' as const }
        const { results } = await client.search(body, { signal })
        return results
          .filter(({ metadata }) => sessionOf(metadata) !== sessionId)
          .map(({ memory, chunk, updatedAt }) => dated(updatedAt, memory ?? chunk ?? ''))
      },
      async syncTurn(turn, { signal }) {
        const metadata = { sessionId: turn.sessionId, at: turn.at }
        // A document with a known `customId` is replaced.
        await client.add({ content: textOf(turn), containerTag, customId: uuidOf(home, turn.id), metadata }, { signal })
      },
      async forget(target, call) {
        const concerned = (await readAll(call)).filter(({ content, summary, metadata }) =>
          isForgotten(target, { sessionId: sessionOf(metadata), text: content ?? summary ?? '' }),
        )
        if (target.dryRun) return concerned.length
        // What the service made of a document goes with it.
        for (let start = 0; start < concerned.length; start += PAGE) {
          const ids = concerned.slice(start, start + PAGE).map(({ id }) => id)
          const { errors = [] } = await client.documents.deleteBulk({ ids }, { signal: call.signal })
          if (errors.length > 0) throw new Error(`Supermemory kept ${errors.length} of ${ids.length} documents: ${errors[0]?.error}`)
        }
        return concerned.length
      },
    }
  }
  return { name: 'supermemory', initialize: openHome }
}
