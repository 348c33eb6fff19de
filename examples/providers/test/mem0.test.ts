import { providerConformance } from '@hermes/testing'
import { MemoryClient } from 'mem0ai'
import { expect, it } from 'vitest'
import { mem0Provider } from '../src/mem0.ts'
import { startMem0 } from './support/mem0-service.ts'
import { LOOSE, openHome, providerBehaviour, recall, sync, turn } from './support/provider-behaviour.ts'

const setUpService = async (options: { readonly threshold?: number } = {}) => {
  const service = await startMem0()
  const client = new MemoryClient({ apiKey: 'key', host: service.url })
  return { provider: mem0Provider({ client, ...options }), count: async () => service.facts.length }
}

providerBehaviour("mem0's service", () => setUpService())
providerConformance("mem0's service", () => setUpService({ threshold: LOOSE }))

it('rejects with what the service says', async () => {
  const { url } = await startMem0()
  const client = new MemoryClient({ apiKey: 'wrong', host: url })
  const home = await openHome({ provider: mem0Provider({ client }) }, 'homes/ada')
  await expect(sync(home, turn('1', 'first', 'I keep bees'))).rejects.toThrow(/Invalid API key/)
  await expect(recall(home, 'bees')).rejects.toThrow(/Invalid API key/)
})
