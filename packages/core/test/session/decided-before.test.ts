/** A review that reads turns again does not ask a person again. */
import { describe, expect, it } from 'vitest'
import type { HostModel } from '../../src/model/host-model.ts'
import { answer, offered, proposal, skillText, work } from './skill-home.ts'
import { setUp } from './unwritable-home.ts'

describe('a proposal that waited and was decided before its turns are read again', () => {
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
