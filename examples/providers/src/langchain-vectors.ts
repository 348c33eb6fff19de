/** Any LangChain vector store as external memory. Each home has a store of its own, such as a collection, so no filter can be forgotten. */
import type { HomeProvider, MemoryProvider, ProviderHome } from '@hermes/core/provider'
import { Document } from '@langchain/core/documents'
import type { VectorStore } from '@langchain/core/vectorstores'
import { dated, isForgotten, nameOf, queryOf, textOf, uuidOf } from './stored-turn.ts'

export interface LangChainVectorsOptions {
  /** Opens the vectors of one home; `name` is a valid name for a collection: `(name) => new Chroma(embeddings, { collectionName: name })`. */
  readonly open: (name: string) => VectorStore | Promise<VectorStore>
  /** Turns less similar than this are not recalled; depends on the embedding model and on what the store calls a score. Default 0.4. */
  readonly minScore?: number
  /** Maximum number of turns of a home from which `forget` can choose; with more it fails. Default 10,000. */
  readonly maxForget?: number
}

export const langChainVectorsProvider = ({ open, minScore = 0.4, maxForget = 10_000 }: LangChainVectorsOptions): MemoryProvider => {
  const openHome = async (home: ProviderHome): Promise<HomeProvider> => {
    const store = await open(nameOf(home))
    // A turn that is delivered again in this process is in the store already. After a crash, stores that know ids replace it.
    const stored = new Set<string>()

    const search = async (text: string, limit: number): Promise<readonly (readonly [Document, number])[]> => {
      const found = await store.similaritySearchWithScore(queryOf(text), limit)
      return [...new Map(found.map((hit) => [hit[0].metadata['turn'], hit])).values()]
    }

    return {
      async prefetch({ text, sessionId }) {
        return (await search(text, 10))
          .filter(([{ metadata }, score]) => score >= minScore && metadata['sessionId'] !== sessionId)
          .map(([{ metadata, pageContent }]) => dated(metadata['at'], pageContent))
      },
      async syncTurn(turn) {
        const id = uuidOf(home, turn.id)
        if (stored.has(id)) return
        const metadata = { turn: id, sessionId: turn.sessionId, at: turn.at }
        await store.addDocuments([new Document({ id, pageContent: textOf(turn), metadata })], { ids: [id] })
        stored.add(id)
      },
      async forget(target) {
        // Everything has some similarity to anything: a search without a practical limit is a list.
        const all = await search(target.kind === 'text' ? target.text : 'user', maxForget)
        if (all.length >= maxForget)
          throw new Error(`The store holds more than ${maxForget} turns. Raise maxForget, or nothing is forgotten.`)
        const ids = all
          .filter(([{ metadata, pageContent }]) => isForgotten(target, { sessionId: metadata['sessionId'], text: pageContent }))
          .map(([{ metadata }]) => String(metadata['turn']))
        if (!target.dryRun && ids.length > 0) await store.delete({ ids })
        return ids.length
      },
    }
  }
  return { name: 'langchain', initialize: openHome }
}
