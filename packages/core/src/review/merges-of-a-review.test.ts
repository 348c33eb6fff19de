/** Proposals that form one merge are decided and written together; all others one by one. */
import { describe, expect, it } from 'vitest'
import type { ReviewGate } from '../gate/review-gate.ts'
import { createJournal } from '../journal/journal.ts'
import { createPending } from '../journal/pending.ts'
import type { MemoryOp } from '../memory/memory-op.ts'
import { MemoryStore } from '../memory/memory-store.ts'
import type { Origin } from '../shared/origin.ts'
import { ok } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { type ReviewAndLearnDeps, reviewAndLearn } from './review-and-learn.ts'

const TEA = 'Drinks green tea'
const OSLO = 'Lives in Oslo'
const CAT = 'Owns a cat'
const MERGED = 'Drinks green tea and lives in Oslo'

const replace = (oldText: string, content: string): MemoryOp => ({ action: 'replace', oldText, content })
const remove = (oldText: string): MemoryOp => ({ action: 'remove', oldText })
const add = (content: string): MemoryOp => ({ action: 'add', content })

const yes: ReviewGate = async () => ok({ approved: true, reason: 'yes', origin: 'user' })

const review = async (
  ops: readonly MemoryOp[],
  more: Partial<ReviewAndLearnDeps> = {},
  entries = [TEA, OSLO, CAT],
  origin: Origin = 'user',
) => {
  const storage = inMemoryBackend()
  const clock = () => 1_000
  const store = new MemoryStore({ storage, clock, memoryCharLimit: 100_000 })
  await store.load()
  for (const content of entries) await store.apply('memory', add(content), { origin })
  let count = 0
  const journal = createJournal({ storage, clock, createId: () => `id${count++}` })
  const proposer = async () => ok(ops.map((op) => ({ target: 'memory', op, rationale: '', score: 0.9 })))
  const deps = { proposer, store, journal, pending: createPending({ storage, clock }), gate: yes, sessionId: 's1', ...more }
  const outcome = await reviewAndLearn('summary', deps)
  const current = await store.current('memory')
  const records = await journal.list()
  return {
    outcome,
    value: outcome.ok ? outcome.value : { applied: [], held: [], rejected: [], failed: [] },
    left: current.ok ? current.value : [],
    records: records.ok ? records.value.map(({ kind, op, sessionId }) => ({ kind, op, sessionId })) : [],
  }
}

describe('a merge of a review', () => {
  it('is one write, whatever the order of its proposals, and each has its result and its record', async () => {
    for (const ops of [
      [replace('tea', MERGED), remove('Oslo')],
      [remove('Oslo'), replace('tea', MERGED)],
    ]) {
      const { value, left, records } = await review([...ops, add('Likes jazz')])
      expect(left).toEqual([MERGED, CAT, 'Likes jazz'])
      expect(value.applied.map(({ proposal }) => proposal.op)).toEqual([replace('tea', MERGED), remove(OSLO), add('Likes jazz')])
      expect([value.held, value.rejected, value.failed]).toEqual([[], [], []])
      expect(records.map(({ kind, op }) => [kind, op])).toEqual([
        ['applied', replace('tea', MERGED)],
        ['applied', remove(OSLO)],
        ['applied', add('Likes jazz')],
      ])
    }
  })

  it('is all or nothing: one no leaves both entries', async () => {
    const gate: ReviewGate = async ({ op }) => ok({ approved: op.action !== 'remove', reason: 'no' })
    const { value, left } = await review([replace('tea', MERGED), remove('Oslo')], { gate })
    expect(left).toEqual([TEA, OSLO, CAT])
    expect(value).toMatchObject({ applied: [], held: [], rejected: [{}, {}] })
  })

  it('takes an entry away once: a second proposal to do so would find the merged one', async () => {
    const { value, left, records } = await review([replace('tea', MERGED), remove('Oslo'), remove('Lives')])
    expect(left).toEqual([MERGED, CAT])
    expect(value.rejected).toEqual([expect.objectContaining({ reason: expect.stringContaining('takes the same entry away already') })])
    expect(records.map(({ kind }) => kind)).toEqual(['applied', 'applied', 'rejected'])
  })

  it('has the session of the evidence of its first proposal', async () => {
    const sessionOf: ReviewAndLearnDeps['sessionOf'] = ({ op }) => (op.action === 'add' ? undefined : 's2')
    const { records } = await review([replace('tea', MERGED), remove('Oslo'), add('Likes jazz')], { sessionOf })
    expect(records.map(({ sessionId }) => sessionId)).toEqual(['s2', 's2', 's1'])
  })

  it('shortens in the pass over the own words alone', async () => {
    const short = 'Wants short answers, no introduction'
    const entries = ['Wants answers in short bullet points', 'Wants no introduction in answers']
    const ops = [replace('bullet', short), remove('introduction in')]
    const seen = async (pass: ReviewAndLearnDeps['pass']) => {
      const { records } = await review(ops, { pass }, entries)
      return records.map(({ op }) => op?.action)
    }
    expect(await seen('own-words')).toEqual(['replace', 'replace'])
    const both = await review([replace('bullet', short), replace('introduction in', short)], { pass: 'own-words' }, entries)
    expect([both.left, both.value.applied.length, both.value.failed]).toEqual([[short], 2, []])
    const gate: ReviewGate = async ({ op }) => ok({ approved: !('oldText' in op && op.oldText?.includes('introduction')), reason: 'no' })
    const refused = await review([replace('bullet', short), replace('introduction in', short)], { pass: 'own-words', gate }, entries)
    expect(refused.left).toEqual(entries)
    expect([await seen('everything'), await seen(undefined)]).toEqual([
      ['replace', 'remove'],
      ['replace', 'remove'],
    ])
  })
})

describe('proposals that are no merge', () => {
  it('are applied one by one', async () => {
    const { value, left } = await review([remove('Oslo'), remove('cat'), add(CAT)])
    expect(left).toEqual([TEA, CAT])
    expect(value.applied).toHaveLength(3)
    expect((await review([replace('tea', 'Drinks coffee'), remove('cat')])).left).toEqual(['Drinks coffee', OSLO])
  })

  it('let entries from outside give way to the own words, each alone', async () => {
    const entries = [TEA, OSLO]
    const ops = [add('In Oslo lives.'), add('Likes jazz')]
    const { left } = await review(ops, { pass: 'own-words' }, entries, 'tool')
    expect(left).toEqual([TEA, 'In Oslo lives.', 'Likes jazz'])
  })

  it('fail the pass with the error of the gate if its context cannot be read', async () => {
    const context = () => Promise.reject(new Error('no view'))
    const { outcome, left } = await review([replace('tea', MERGED), remove('Oslo')], { context })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'gate', details: { outcome: { applied: [] } } } })
    expect(left).toEqual([TEA, OSLO, CAT])
  })

  it('are those that would take too long to compare', async () => {
    const long = (start: string) => `${start}, ${'and lives in Oslo, too, '.repeat(600)}`
    const ops = [replace('tea', long('Drinks green tea')), replace('cat', long('Owns a cat')), remove('Oslo')]
    const { value, left } = await review(ops)
    expect(value.applied.length + value.held.length + value.rejected.length + value.failed.length).toBe(3)
    expect(left).toHaveLength(3)
  })
})
