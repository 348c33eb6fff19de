/** Proposals that were approved and could not be written: the next reviews try again, the last one lets them wait for a person. */
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { APPROVES, FACT, OTHER, setUp } from './unwritable-home.ts'

describe('an approved fact that could not be written', () => {
  it.each(['io', 'no_space', 'unwritable', 'locked'] as const)('is written by the next review: %s', async (code) => {
    const { events, broken, talk, read, entries, endings } = setUp(APPROVES, code)
    broken.add('memories/USER.md')
    await talk('I live in Lisbon.', 'We build with pnpm.')
    expect(await entries('memory')).toEqual([])
    const failed = events.find((event) => event.type === 'review-failed')
    expect(failed?.error).toMatchObject({ code, message: expect.stringContaining('EIO') })
    broken.clear()
    await talk()
    expect(read[1]).toContain('I live in Lisbon')
    expect([await entries('user'), await entries('memory')]).toEqual([[FACT], [OTHER]])
    await talk()
    expect(read[2]).not.toContain('I live in Lisbon')
    expect(endings()).toEqual(['review-failed', 'review-finished', 'review-finished'])
  })

  it('is in no log of the error, nor is a secret that was refused', async () => {
    const key = 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'
    const proposals = [FACT, `The token is ${key}`].map((content) => ({
      target: 'user',
      op: { action: 'add', content },
      rationale: 'said',
      score: 0.9,
      evidence: [],
    }))
    const { events, broken, talk } = setUp(APPROVES, 'io', { model: async () => JSON.stringify({ proposals }), read: [] })
    broken.add('memories/USER.md')
    await talk('I live in Lisbon.')
    const error = events.flatMap((event) => (event.type === 'review-failed' ? [event.error] : []))[0]
    for (const log of [JSON.stringify(error), JSON.stringify({ ...error, message: error?.message }), inspect(error, { depth: 9 })]) {
      expect(log).not.toContain(key)
      expect(log).not.toContain('Lisbon')
    }
  })

  it('waits for a person if the third review cannot write it either, and is never called for again', async () => {
    const { hermes, broken, talk, read, entries, waiting, endings } = setUp()
    broken.add('memories/USER.md')
    for (let review = 1; review <= 4; review++) await talk(...(review === 1 ? ['I live in Lisbon.'] : []))
    expect(read.map((text) => text.includes('I live in Lisbon'))).toEqual([true, true, true, false])
    expect(endings()).toEqual(['review-failed', 'review-failed', 'review-finished', 'review-finished'])
    const [held, ...more] = await waiting()
    expect([held, more]).toMatchObject([{ target: 'user', ops: [{ content: FACT }], reason: expect.stringContaining('EIO') }, []])
    broken.clear()
    expect((await hermes.pending.approve(held?.id ?? '')).ok).toBe(true)
    expect(await entries('user')).toEqual([FACT])
  })
})

describe('a proposal that has to wait and cannot be stored', () => {
  it('is stored by the next review', async () => {
    const { broken, talk, waiting, endings } = setUp({ gate: async () => ({ ok: true, value: { verdict: 'hold', reason: 'ask' } }) })
    broken.add('pending/')
    await talk('I live in Lisbon.')
    expect([await waiting(), endings()]).toEqual([[], ['review-failed']])
    broken.clear()
    await talk()
    expect([await waiting(), endings()]).toMatchObject([[{ ops: [{ content: FACT }] }], ['review-failed', 'review-finished']])
  })
})
