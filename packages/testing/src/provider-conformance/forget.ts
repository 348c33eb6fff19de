/** Erasing: by text, by session and everything; a dry run only counts. */

import type { ProviderForgetTarget } from '@hermes/core/provider'
import { describe, expect, it } from 'vitest'
import { ANN, BIKE, type CreateProviderHarness, type ProviderCapabilities, SISTER, textTarget, withProvider } from './provider-test.ts'

const session = (sessionId: string, dryRun = false): ProviderForgetTarget => ({ kind: 'session', sessionId, dryRun })

export const forgetCases = (create: CreateProviderHarness, capabilities: ProviderCapabilities): void => {
  if (capabilities.forgets === false) return
  const test = (run: Parameters<typeof withProvider>[2]) => () => withProvider(create, capabilities, run)
  const { recalls = true } = capabilities

  describe('forget', () => {
    const cases = [
      ['a text', textTarget('lisbon'), textTarget('lisbon', true)],
      ['a session', session('first'), session('first', true)],
    ] as const
    it.each(cases)('erases %s and nothing else', (_, target, rehearsal) =>
      withProvider(create, capabilities, async ({ open }) => {
        const home = await open(ANN)
        await home.say(SISTER.user, 'first')
        await home.say(BIKE.user, 'second')
        if (recalls) await home.finds(SISTER)
        const expected = await home.forget(rehearsal)
        expect(expected).toBeGreaterThan(0)
        if (recalls) await home.finds(SISTER)
        expect(await home.forget(target)).toBe(expected)
        if (recalls) {
          await home.misses(SISTER)
          await home.finds(BIKE)
        }
        expect(await home.forget(rehearsal)).toBe(0)
        expect(await home.forget(session('second', true))).toBeGreaterThan(0)
      }),
    )

    it(
      'erases everything, and then works on',
      test(async ({ open }) => {
        const home = await open(ANN)
        await home.say(SISTER.user, 'first')
        await home.say(BIKE.user, 'second')
        if (recalls) await home.finds(BIKE)
        const count = await home.forget({ kind: 'all', dryRun: true })
        expect(count).toBeGreaterThan(1)
        expect(await home.forget({ kind: 'all', dryRun: false })).toBe(count)
        expect(await home.forget({ kind: 'all', dryRun: true })).toBe(0)
        if (recalls) await home.misses(SISTER)
        await home.say(BIKE.user, 'third')
        if (recalls) await home.finds(BIKE)
      }),
    )

    it(
      'counts nothing where nothing is concerned',
      test(async ({ open }) => {
        const home = await open(ANN)
        expect(await home.forget({ kind: 'all', dryRun: false })).toBe(0)
        await home.say(SISTER.user, 'first')
        if (recalls) await home.finds(SISTER)
        expect(await home.forget(textTarget('Brompton'))).toBe(0)
        expect(await home.forget(session('other'))).toBe(0)
        if (recalls) await home.finds(SISTER)
      }),
    )

    it(
      'asks the target what counts as its text',
      test(async ({ open }) => {
        const home = await open(ANN)
        await home.say(SISTER.user, 'first')
        await home.say(BIKE.user, 'second')
        if (recalls) await home.finds(BIKE)
        const matches = (stored: string) => stored.includes(BIKE.word)
        expect(await home.forget({ kind: 'text', text: 'b r o m p t o n', matches, dryRun: false })).toBeGreaterThan(0)
        expect(await home.forget(textTarget(BIKE.word, true))).toBe(0)
        expect(await home.forget(textTarget(SISTER.word, true))).toBeGreaterThan(0)
      }),
    )

    it(
      'stays forgotten after a shutdown',
      test(async ({ open }) => {
        const home = await open(ANN)
        await home.say(SISTER.user)
        if (recalls) await home.finds(SISTER)
        await home.forget(textTarget(SISTER.word))
        await home.shutdown()
        const again = await open(ANN)
        if (recalls) await again.misses(SISTER)
        expect(await again.forget(textTarget(SISTER.word, true))).toBe(0)
      }),
    )
  })
}
