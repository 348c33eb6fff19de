import { providerConformance } from '@hermes/core/testing'
import { MemoryClient } from 'mem0ai'
import { Memory } from 'mem0ai/oss'
import { expect, it } from 'vitest'
import { mem0Provider } from '../src/mem0.ts'
import { startMem0 } from './support/mem0-service.ts'
import { startOpenAi } from './support/openai-service.ts'
import { LOOSE, openHome, providerBehaviour, recall, sync, turn } from './support/provider-behaviour.ts'
import { DIMENSIONS } from './support/word-embeddings.ts'

const setUpService = async (options: { readonly threshold?: number } = {}) => {
  const service = await startMem0()
  const client = new MemoryClient({ apiKey: 'key', host: service.url })
  return { provider: mem0Provider({ client, ...options }), count: async () => service.facts.length }
}

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

providerBehaviour("mem0's service", () => setUpService())
providerBehaviour("mem0's open-source edition", () => setUpOpenSource())
providerConformance("mem0's service", () => setUpService({ threshold: LOOSE }))
providerConformance("mem0's open-source edition", () => setUpOpenSource({ threshold: LOOSE }), {
  // What is said in two sessions is one fact, of the first: so not every session has something to forget.
  forgets: false,
})

it('rejects with what the service says', async () => {
  const { url } = await startMem0()
  const client = new MemoryClient({ apiKey: 'wrong', host: url })
  const home = await openHome({ provider: mem0Provider({ client }) }, 'homes/ada')
  await expect(sync(home, turn('1', 'first', 'I keep bees'))).rejects.toThrow(/Invalid API key/)
  await expect(recall(home, 'bees')).rejects.toThrow(/Invalid API key/)
})
