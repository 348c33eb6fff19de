/** mem0's open-source edition. */
import { providerConformance } from '@hermes/testing'
import { Memory } from 'mem0ai/oss'
import { mem0Provider } from '../src/mem0.ts'
import { startOpenAi } from './support/openai-service.ts'
import { LOOSE, providerBehaviour } from './support/provider-behaviour.ts'
import { DIMENSIONS } from './support/word-embeddings.ts'

const setUpOpenSource = async (options: { readonly threshold?: number } = {}) => {
  const baseURL = await startOpenAi()
  const memory = new Memory({
    embedder: { provider: 'openai', config: { apiKey: 'key', baseURL, embeddingDims: DIMENSIONS } },
    llm: { provider: 'openai', config: { apiKey: 'key', baseURL } },
    vectorStore: { provider: 'memory', config: { collectionName: 'turns', dimension: DIMENSIONS, dbPath: ':memory:' } },
    // Its history would keep what was forgotten.
    disableHistory: true,
  })
  const count = async () => {
    const store = Reflect.get(memory, 'vectorStore') as { list(filters?: object, limit?: number): Promise<[unknown[], number]> }
    return (await store.list(undefined, 10_000))[0].length
  }
  return { provider: mem0Provider({ memory, ...options }), count }
}

providerBehaviour("mem0's open-source edition", () => setUpOpenSource())
providerConformance("mem0's open-source edition", () => setUpOpenSource({ threshold: LOOSE }), {
  // What is said in two sessions is one fact, of the first: so not every session has something to forget.
  forgets: false,
})
