import { providerConformance } from '@hermes/testing'
import Supermemory from 'supermemory'
import { expect, it } from 'vitest'
import { supermemoryProvider } from '../src/supermemory.ts'
import { AT, LOOSE, openHome, providerBehaviour, recall } from './support/provider-behaviour.ts'
import { startSupermemory } from './support/supermemory-service.ts'

const setUpWith =
  (apiKey: string, options: { readonly threshold?: number } = {}) =>
  async () => {
    const { url, documents } = await startSupermemory(() => AT)
    const client = new Supermemory({ apiKey, baseURL: url, maxRetries: 0 })
    return { provider: supermemoryProvider({ client, ...options }), count: async () => documents.size }
  }

providerBehaviour('Supermemory', setUpWith('key'))
providerConformance('Supermemory', setUpWith('key', { threshold: LOOSE }))

it('rejects with what the service says', async () => {
  const home = await openHome(await setUpWith('wrong')(), 'homes/ada')
  await expect(recall(home, 'bees')).rejects.toThrow(/401/)
})

it('ends a request whose time is over', async () => {
  const home = await openHome(await setUpWith('key')(), 'homes/ada')
  const query = { text: 'bees', sessionId: 'later', at: AT, maxChars: 1_600 }
  await expect(home.prefetch(query, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i)
})
