/** A LangGraph store (`BaseStore`) as external memory: the one your graphs use already, with an index for search. */
import type { HomeProvider, MemoryProvider, ProviderHome } from '@hermes/core/provider'
import type { BaseStore } from '@langchain/langgraph'
import { dated, isForgotten, queryOf, textOf } from './stored-turn.ts'

export interface LangGraphStoreOptions {
  /** With an `index`, as for `new InMemoryStore({ index: { dims, embeddings, fields: ['text'] } })`. */
  readonly store: BaseStore
  /** First label of every namespace. Default 'hermes'. */
  readonly root?: string
  /** Turns less similar than this are not recalled; depends on the embedding model. Default 0.4. */
  readonly minScore?: number
}

type StoredItem = Awaited<ReturnType<BaseStore['search']>>[number]

const PAGE = 100

const textIn = ({ value }: StoredItem): string => String(value['text'])

export const langGraphStoreProvider = ({ store, root = 'hermes', minScore = 0.4 }: LangGraphStoreOptions): MemoryProvider => {
  const openHome = ({ folder }: ProviderHome): HomeProvider => {
    // Some stores take a namespace for the beginning of a text. With a constant label at the end, no home is the beginning of another.
    const namespace = [root, folder || 'home', 'turns']
    const isOurs = (item: StoredItem): boolean => item.namespace.join('\n') === namespace.join('\n')

    const readAll = async (): Promise<readonly StoredItem[]> => {
      const items: StoredItem[] = []
      for (let page = await store.search(namespace, { limit: PAGE }); page.length > 0; ) {
        items.push(...page)
        page = page.length < PAGE ? [] : await store.search(namespace, { limit: PAGE, offset: items.length })
      }
      return items.filter(isOurs)
    }

    return {
      async prefetch({ text, sessionId }) {
        const found = (await store.search(namespace, { query: queryOf(text), limit: 10 })).filter(isOurs)
        if (found.length > 0 && found.every(({ score }) => score === undefined))
          throw new Error('This store has no index, so it cannot search. Create it with { index: { dims, embeddings } }.')
        return found
          .filter(({ score = 0, value }) => score >= minScore && value['sessionId'] !== sessionId)
          .map((item) => dated(item.value['at'], textIn(item)))
      },
      async syncTurn(turn) {
        // The same key again replaces the same text.
        await store.put(namespace, turn.id, { text: textOf(turn), sessionId: turn.sessionId, at: turn.at }, ['text'])
      },
      async forget(target) {
        const concerned = (await readAll()).filter((item) =>
          isForgotten(target, { sessionId: String(item.value['sessionId']), text: textIn(item) }),
        )
        if (!target.dryRun) for (const { key } of concerned) await store.delete(namespace, key)
        return concerned.length
      },
    }
  }
  return { name: 'langgraph', initialize: openHome }
}
