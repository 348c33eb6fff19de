/** What holds for every provider of this folder. */
import { ok } from '@hermes/core'
import type { HomeProvider, MemoryProvider, ProviderForgetTarget, ProviderTurn } from '@hermes/core/provider'
import { manualClock } from '@hermes/testing'
import { describe, expect, it } from 'vitest'

export interface ProviderUnderTest {
  readonly provider: MemoryProvider
  /** How many things it holds at present, of all homes. */
  count(): Promise<number>
}

/** The time of all turns: 2026-10-03. */
export const AT = Date.UTC(2026, 9, 3, 12)

const call = { signal: new AbortController().signal }

export const openHome = async ({ provider }: Pick<ProviderUnderTest, 'provider'>, folder: string): Promise<Required<HomeProvider>> =>
  (await provider.initialize(
    {
      folder,
      clock: manualClock(AT),
      archived: async () => ok([]),
      report: (problem) => {
        throw problem
      },
    },
    call,
  )) as Required<HomeProvider>

export const turn = (id: string, sessionId: string, user: string, assistant = 'Noted.'): ProviderTurn => ({
  id,
  sessionId,
  at: AT,
  user,
  assistant,
  automated: false,
})

export const sync = (home: HomeProvider, ...turns: readonly ProviderTurn[]): Promise<void> =>
  turns.reduce((before, each) => before.then(() => home.syncTurn?.(each, call)), Promise.resolve())

export const recall = async (home: HomeProvider, text: string, sessionId = 'later'): Promise<readonly string[]> => {
  const texts = (await home.prefetch?.({ text, sessionId, at: AT, maxChars: 1_600 }, call)) ?? []
  return typeof texts === 'string' ? [texts] : texts
}

const matching = (text: string): ProviderForgetTarget => ({
  kind: 'text',
  text,
  matches: (stored) => stored.includes(text),
  dryRun: false,
})

/** The suite of core asks with few words in common. */
export const LOOSE = 0.2

const BEES = 'The bees in our garden swarm in May'
const PIANO = 'My piano teacher is called Ingrid'

export const providerBehaviour = (name: string, setUp: () => Promise<ProviderUnderTest>, { forgets = true } = {}): void => {
  describe(name, () => {
    it('recalls in another session what was said, with its date, and nothing that is not related', async () => {
      const home = await openHome(await setUp(), 'homes/ada')
      await sync(home, turn('1', 'first', BEES), turn('2', 'second', PIANO))
      expect(await recall(home, 'when do the bees in our garden swarm')).toEqual([expect.stringMatching(/^2026-10-03: .*swarm in May/s)])
      expect(await recall(home, 'zebra xylophone')).toEqual([])
    })

    it('recalls nothing of the session that asks', async () => {
      const home = await openHome(await setUp(), 'homes/ada')
      await sync(home, turn('1', 'first', BEES))
      expect(await recall(home, BEES, 'first')).toEqual([])
    })

    it('keeps homes apart, also those with names alike', async () => {
      const under = await setUp()
      const folders = ['homes/ada', 'homes/ada/b', 'homes/a_a', 'homes/ad', '']
      for (const folder of folders) await sync(await openHome(under, folder), turn('1', 'first', `${BEES}, says ${folder || 'nobody'}`))
      for (const folder of folders)
        expect(await recall(await openHome(under, folder), BEES)).toEqual([expect.stringContaining(`says ${folder || 'nobody'}`)])
    })

    it('stores a turn once that is delivered again', async () => {
      const under = await setUp()
      const home = await openHome(under, 'homes/ada')
      await sync(home, turn('1', 'first', BEES), turn('2', 'first', PIANO), turn('1', 'first', BEES))
      expect(await under.count()).toBe(2)
      expect(await recall(home, BEES)).toHaveLength(1)
    })

    if (!forgets) return

    it('forgets a text, a session and everything, of one home, and counts without forgetting', async () => {
      const under = await setUp()
      const home = await openHome(under, 'homes/ada')
      await sync(await openHome(under, 'homes/bob'), turn('1', 'first', BEES))
      await sync(
        home,
        turn('1', 'first', BEES),
        turn('2', 'second', PIANO),
        ...Array.from({ length: 120 }, (_, n) => turn(`n${n}`, 'many', `Number ${n}`)),
      )

      expect(await home.forget({ ...matching('swarm'), dryRun: true }, call)).toBe(1)
      expect(await under.count()).toBe(123)
      expect(await home.forget(matching('swarm'), call)).toBe(1)
      expect(await recall(home, BEES)).not.toContainEqual(expect.stringContaining('swarm'))
      expect(await home.forget({ kind: 'session', sessionId: 'second', dryRun: false }, call)).toBe(1)
      expect(await recall(home, PIANO)).not.toContainEqual(expect.stringContaining('Ingrid'))
      expect(await home.forget({ kind: 'all', dryRun: true }, call)).toBe(120)
      expect(await home.forget({ kind: 'all', dryRun: false }, call)).toBe(120)
      expect(await home.forget({ kind: 'all', dryRun: false }, call)).toBe(0)
      expect(await under.count()).toBe(1)
    })
  })
}
