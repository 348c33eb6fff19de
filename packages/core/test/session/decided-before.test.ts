/** A review that reads turns again does not ask a person again. */
import { describe, expect, it } from 'vitest'
import type { HermesOptions, HostModel } from '../../src/index.ts'
import { answer, offered, proposal, skillText, work } from './skill-home.ts'
import { FACT, OTHER, setUp } from './unwritable-home.ts'

describe('a proposal that waited and was decided before its turns are read again', () => {
  const holding: Partial<HermesOptions> = {
    gate: async ({ target }) => ({
      ok: true,
      value: { verdict: target === 'memory' ? 'hold' : 'approve', origin: 'user', reason: 'said' },
    }),
  }

  it.each([
    ['approve', [OTHER]],
    ['reject', []],
  ] as const)('does not wait again: %s', async (decide, left) => {
    const { hermes, broken, talk, entries, waiting, endings } = setUp(holding)
    broken.add('memories/USER.md')
    await talk('I live in Lisbon.', 'We build with pnpm.')
    const [held] = await waiting()
    expect((await hermes.pending[decide](held?.id ?? '')).ok).toBe(true)
    broken.clear()
    await talk()
    expect([await waiting(), await entries('memory'), await entries('user')]).toEqual([[], left, [FACT]])
    expect(endings()).toEqual(['review-failed', 'review-finished'])
    const refused = await hermes.journal.list({ verdict: 'rejected' })
    expect(refused.ok && refused.value.at(-1)).toMatchObject({ actor: 'review', reason: expect.stringContaining('was decided') })
    // What is said again later is asked again.
    await talk('We build with pnpm.')
    expect(await waiting()).toMatchObject([{ ops: [{ content: OTHER }] }])
  })

  it('waits once if nobody has decided, or the decision was taken back', async () => {
    const { hermes, broken, talk, waiting } = setUp(holding)
    broken.add('memories/USER.md')
    await talk('I live in Lisbon.', 'We build with pnpm.')
    const [held] = await waiting()
    await talk()
    expect(await waiting()).toEqual([held])
    const rejected = await hermes.pending.reject(held?.id ?? '')
    if (rejected.ok) await hermes.pending.putBack(rejected.value)
    broken.clear()
    await talk()
    expect(await waiting()).toEqual([held])
  })

  it('is a skill: does not wait again', async () => {
    const propose: HostModel = async () => answer(proposal({ action: 'create', name: 'deploy', content: skillText('deploy') }))
    const { hermes, broken, waiting, endings } = setUp({ gate: async () => ({ ok: true, value: { verdict: 'hold', reason: 'ask' } }) })
    const session = offered(hermes)
    const talk = async (model: HostModel) => {
      work(session, 'deploy', 10, model)
      await hermes.settled()
    }
    await talk(propose)
    const [held] = await waiting()
    broken.add('pending/')
    await talk(async () => answer(proposal({ action: 'create', name: 'other', content: skillText('other') })))
    broken.clear()
    expect((await hermes.pending.reject(held?.id ?? '')).ok).toBe(true)
    await talk(propose)
    expect([await waiting(), endings()]).toEqual([[], ['review-finished', 'review-failed', 'review-finished']])
  })
})
