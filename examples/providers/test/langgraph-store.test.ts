import { providerConformance } from '@hermes/testing'
import { InMemoryStore } from '@langchain/langgraph'
import { expect, it } from 'vitest'
import { langGraphStoreProvider } from '../src/langgraph-store.ts'
import { LOOSE, openHome, providerBehaviour, recall, sync, turn } from './support/provider-behaviour.ts'
import { DIMENSIONS, WordEmbeddings } from './support/word-embeddings.ts'

const countIn = (store: InMemoryStore): number => {
  const data = Reflect.get(store, 'data') as ReadonlyMap<string, ReadonlyMap<string, unknown>>
  return [...data.values()].reduce((sum, { size }) => sum + size, 0)
}

const setUp = async (options: { readonly minScore?: number } = {}) => {
  const store = new InMemoryStore({ index: { dims: DIMENSIONS, embeddings: new WordEmbeddings(), fields: ['text'] } })
  return { provider: langGraphStoreProvider({ store, ...options }), count: async () => countIn(store) }
}

providerBehaviour('a LangGraph store', () => setUp())
providerConformance('a LangGraph store', () => setUp({ minScore: LOOSE }))

it('says that a store without an index cannot search', async () => {
  const home = await openHome({ provider: langGraphStoreProvider({ store: new InMemoryStore() }) }, '')
  await sync(home, turn('1', 'first', 'I keep bees'))
  await expect(recall(home, 'I keep bees')).rejects.toThrow(/index: \{ dims, embeddings \}/)
})
