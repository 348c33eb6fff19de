/** What was said in one session is found in another, once, also after a shutdown. */
import type { ProviderMemoryWrite } from '@hermes/core/provider'
import { describe, expect, it } from 'vitest'
import type { CreateProviderHarness, ProviderCapabilities } from './provider-harness.ts'
import { ANN, BIKE, SISTER, textTarget, withProvider } from './with-provider.ts'

const TURNS = 30

export const recallPromises = (create: CreateProviderHarness, capabilities: ProviderCapabilities): void => {
  const test = (run: Parameters<typeof withProvider>[2]) => () => withProvider(create, capabilities, run)

  const { forgets = true } = capabilities

  describe('recall', () => {
    it(
      'finds nothing in an empty home',
      test(async ({ open }) => {
        expect(await (await open(ANN)).ask(SISTER.question)).toEqual([])
      }),
    )

    it(
      'finds what was said in another session',
      test(async ({ open }) => {
        const home = await open(ANN)
        await home.say(SISTER.user, 'first')
        await home.say(BIKE.user, 'second')
        await home.finds(SISTER)
        await home.finds(BIKE)
      }),
    )

    it(
      'works for a home without an owner',
      test(async ({ open }) => {
        const home = await open()
        await home.say(SISTER.user)
        await home.finds(SISTER)
      }),
    )

    it(
      'stores a turn once that is delivered again',
      test(async ({ open }) => {
        const home = await open(ANN)
        const turn = await home.say(SISTER.user)
        await home.finds(SISTER)
        const before = await home.ask(SISTER.question)
        const counts = async () => (forgets ? home.forget(textTarget(SISTER.word, true)) : 0)
        const count = await counts()
        await home.say(BIKE.user)
        for (let again = 0; again < 3; again++) await home.deliver(turn)
        await home.finds(BIKE)
        expect(await counts()).toBe(count)
        const mentions = (texts: readonly string[]) => texts.join('\n').split(SISTER.word).length - 1
        expect(mentions(await home.ask(SISTER.question))).toBe(mentions(before))
      }),
    )

    it(
      `finds the first and the last of ${TURNS} turns`,
      test(async ({ open }) => {
        const home = await open(ANN)
        await home.say(SISTER.user)
        for (let turn = 1; turn < TURNS - 1; turn++) await home.say(`Please add ${turn} and ${turn + 1}.`, `session-${turn % 5}`)
        await home.say(BIKE.user)
        await home.finds(SISTER)
        await home.finds(BIKE)
      }),
    )

    it(
      'takes memory writes, changes and ends of sessions, each as often as it is delivered',
      test(async ({ open, limits }) => {
        const home = await open(ANN)
        await home.say(SISTER.user)
        const signal = AbortSignal.timeout(limits.timeoutMs)
        const write: ProviderMemoryWrite = {
          id: 'write-1',
          at: 1,
          target: 'user',
          sessionId: 'said',
          added: ['Likes tea.'],
          removed: [{ text: 'Likes coffee.' }],
          evicted: [{ text: 'Has a cold.', archivedId: 'user-1' }],
        }
        for (let again = 0; again < 2; again++) {
          await home.hooks.onMemoryWrite?.(write, { signal })
          await home.hooks.onSessionSwitch?.({ id: 'switch-1', from: 'said', to: 'said-2', reason: 'compress', at: 2 }, { signal })
          await home.hooks.onSessionEnd?.({ id: 'end-1', sessionId: 'said-2', at: 3 }, { signal })
        }
        await home.finds(SISTER)
      }),
    )

    it(
      'keeps a text for a summary short',
      test(async ({ open, limits }) => {
        const home = await open(ANN)
        const messages = [
          { role: 'user' as const, text: SISTER.user },
          { role: 'assistant' as const, text: 'I see.' },
        ]
        const text = await home.hooks.onPreCompress?.({ sessionId: 'said', messages }, { signal: AbortSignal.timeout(limits.timeoutMs) })
        expect(text ?? '').toSatisfy((each) => typeof each === 'string' && each.length <= 8_000)
      }),
    )

    it(
      'can be opened again after a shutdown, also twice at once',
      test(async ({ open }) => {
        const home = await open(ANN)
        await home.say(SISTER.user)
        await home.finds(SISTER)
        await home.shutdown()
        const again = await open(ANN)
        if (capabilities.persists !== false) await again.finds(SISTER)
        await again.say(BIKE.user)
        await again.finds(BIKE)
        const other = await open(ANN)
        await other.finds(BIKE)
      }),
    )
  })
}
