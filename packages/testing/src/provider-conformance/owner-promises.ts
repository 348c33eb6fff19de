/** Owners do not mix: what belongs to one is neither found nor erased for another. */
import { describe, expect, it } from 'vitest'
import type { CreateProviderHarness, ProviderCapabilities } from './provider-harness.ts'
import { ANN, BEN, BIKE, SISTER, withProvider } from './with-provider.ts'

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

export const ownerPromises = (create: CreateProviderHarness, capabilities: ProviderCapabilities): void => {
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
