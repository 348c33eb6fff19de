/** Runs the conformance suite of memory providers on the one of docs/add-a-provider.md, unchanged. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ok } from '@hermes/core'
import { expect, it } from 'vitest'
import { providerConformance } from '../src/index.ts'
import { searchService } from './provider-page/search-service.ts'
import { API_KEY, startSearchService } from './provider-page/start-search-service.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/add-a-provider.md'), 'utf8')

it('is in the page, block after block', () => {
  const blocks = [...page.matchAll(/^```ts\n\/\/ search-service\.ts\n([\s\S]*?)^```/gm)].map(([, block]) => block)
  const code = readFileSync(join(import.meta.dirname, 'provider-page/search-service.ts'), 'utf8')
  expect(blocks.join('\n')).toBe(code)
  expect(code.split('\n').length).toBeLessThanOrEqual(121)
})

it('reports a service that refuses', async () => {
  const { url, close } = await startSearchService()
  const home = await searchService({ url, apiKey: 'wrong' }).initialize(
    { folder: '', clock: () => 0, archived: async () => ok([]), report: () => {} },
    { signal: AbortSignal.timeout(5_000) },
  )
  const query = { sessionId: 'asking', text: 'Where does Petra live?', at: 0, maxChars: 1_600 }
  await expect(home.prefetch?.(query, { signal: AbortSignal.timeout(5_000) })).rejects.toThrow('Check its address and the key')
  await close()
})

providerConformance('the provider of the page', async () => {
  const { url, close } = await startSearchService()
  return { provider: searchService({ url, apiKey: API_KEY }), dispose: close }
})
