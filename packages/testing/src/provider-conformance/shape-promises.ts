/** The fixed parts of a provider, and its tools. */
import { providerFault, readToolAnswer } from '@hermes/core/provider'
import { describe, expect, it } from 'vitest'
import type { CreateProviderHarness, ProviderCapabilities } from './provider-harness.ts'
import { ANN, SISTER, withProvider } from './with-provider.ts'

const INPUTS: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { query: 'Petra', limit: 3 },
  { query: '' },
  { query: 12, limit: 'many', sessionId: null },
  { query: 'x'.repeat(100_000), limit: -1 },
  { query: '"; DROP TABLE turns; -- * OR NEAR(', limit: 1e300 },
  { query: 'a\u0000b\ud800', unknown: { deep: [[[]]] } },
]

export const shapePromises = (create: CreateProviderHarness, capabilities: ProviderCapabilities): void => {
  describe('shape', () => {
    it('has a name, valid tools and a bounded text for the system prompt', () =>
      withProvider(create, capabilities, async ({ harness }) => {
        expect(providerFault(harness.provider)).toBeUndefined()
      }))

    it('has the same text for the system prompt in every home', () =>
      withProvider(create, capabilities, async ({ harness, open }) => {
        const before = harness.provider.systemPromptBlock
        const home = await open(ANN)
        await home.say(SISTER.user)
        expect(harness.provider.systemPromptBlock).toBe(before)
      }))

    it('answers every call of a tool with a JSON object, or rejects, and works on', () =>
      withProvider(create, capabilities, async ({ harness, open, limits }) => {
        const home = await open(ANN)
        await home.say(SISTER.user)
        for (const { name } of harness.provider.tools ?? []) {
          for (const input of INPUTS) {
            const signal = AbortSignal.timeout(limits.timeoutMs)
            const answer = await home.hooks.callTool?.({ name, input, sessionId: 'asking' }, { signal }).catch(() => ({ rejected: true }))
            expect(readToolAnswer(answer)).toBeTypeOf('object')
          }
        }
        if (capabilities.recalls !== false) await home.finds(SISTER)
      }))
  })
}
