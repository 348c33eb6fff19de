/** What was said in one session is found in another, once, also after a shutdown, and by its owner alone. */

import type { ProviderMemoryWrite } from '@hermes/core/provider'
import { describe, expect, it } from 'vitest'
import { ANN, BEN, BIKE, type CreateProviderHarness, type ProviderCapabilities, SISTER, textTarget, withProvider } from './provider-test.ts'

const TURNS = 30

export const recallCases = (create: CreateProviderHarness, capabilities: ProviderCapabilities): void => {
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

/** Names that are the same, or begin the same, if they are joined, cut or compared carelessly. */
const OWNERS = [
  { user: 'ann' },
  { user: 'Ann' },
  { user: 'ann/x' },
  { tenant: 'acme', user: 'ann' },
  { tenant: 'acme', user: 'ann/ben' },
  { tenant: 'acme/ann', user: 'ben' },
  { user: '%' },
  { user: '*' },
  { user: "o'hara; -- \u{1f600} \u05d0" },
  { user: 'u'.repeat(300) },
  { user: `${'u'.repeat(299)}v` },
]

export const ownerCases = (create: CreateProviderHarness, capabilities: ProviderCapabilities): void => {
  const { recalls = true, forgets = true } = capabilities
  if (!recalls) return
  describe('owners', () => {
    it('finds nothing of another owner, in sessions and turns of the same name', () =>
      withProvider(create, capabilities, async ({ open }) => {
        const [ann, ben, single] = [await open(ANN), await open(BEN), await open()]
        const turn = await ann.say(SISTER.user)
        await ann.finds(SISTER)
        await ben.deliver({ ...turn, user: BIKE.user })
        await ben.finds(BIKE)
        await ben.misses(SISTER)
        await ann.misses(BIKE)
        await single.misses(SISTER)
        await single.misses(BIKE)
      }))

    it('tells owners with difficult names apart', () =>
      withProvider(create, capabilities, async ({ open }) => {
        const homes = await Promise.all(OWNERS.map((owner) => open(owner)))
        const said = homes.map((_, index) => ({ question: SISTER.question, word: `Town${index}x` }))
        for (const [index, home] of homes.entries()) await home.say(`My sister Petra lives in ${said[index]?.word}.`)
        for (const [index, home] of homes.entries()) {
          const own = said[index]
          if (own) await home.finds(own)
          const found = (await home.ask(SISTER.question)).join('\n')
          expect(said.filter((each) => each !== own && found.includes(each.word))).toEqual([])
        }
      }))

    if (!forgets) return
    it('erases nothing of another owner', () =>
      withProvider(create, capabilities, async ({ open }) => {
        const [ann, ben] = [await open(ANN), await open(BEN)]
        await ann.say(SISTER.user)
        await ben.say(SISTER.user)
        await ann.finds(SISTER)
        await ben.finds(SISTER)
        expect(await ann.forget({ kind: 'all', dryRun: false })).toBeGreaterThan(0)
        await ann.misses(SISTER)
        await ben.finds(SISTER)
        await ben.forget({ kind: 'session', sessionId: 'said', dryRun: false })
        await ben.misses(SISTER)
      }))
  })
}
