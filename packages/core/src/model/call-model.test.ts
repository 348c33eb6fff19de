import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../test/support/cpu-time.ts'
import { addCosts } from './add-costs.ts'
import { startModelBudget } from './call-model.ts'
import type { HostModel } from './host-model.ts'
import { costOfCall, readModelId, readUsage } from './learning-cost.ts'

const request = {
  purpose: 'review',
  mode: 'digest',
  system: 'x'.repeat(40),
  messages: [{ role: 'user', content: 'y'.repeat(20) }],
  schema: {},
  maxOutputTokens: 100,
} as const

/** A clock that advances by 10 ms with each call. */
const tickingClock = () => {
  let now = 0
  return () => (now += 10)
}

const open = (model: HostModel) => startModelBudget(model, { timeoutMs: 60_000, clock: tickingClock() })

describe('startModelBudget', () => {
  it('has cost nothing before the first call', () => {
    const budget = open(async () => 'x')
    expect(budget.cost()).toBeUndefined()
    budget.end()
  })

  it('takes a plain text, and estimates what it cost', async () => {
    const budget = open(async () => 'z'.repeat(8))
    expect(await budget.call(request)).toEqual({ ok: true, value: 'zzzzzzzz' })
    budget.end()
    expect(budget.cost()).toEqual({ calls: 1, inputTokens: 15, cachedInputTokens: 0, outputTokens: 2, estimated: true, durationMs: 10 })
  })

  it('adds up what the provider counted, of failed calls too', async () => {
    const usage = { inputTokens: 100, cachedInputTokens: 60, outputTokens: 9 }
    const answers: (() => Promise<unknown>)[] = [
      async () => ({ text: 'one', usage, model: 'small' }),
      () => Promise.reject(new Error('429')),
      async () => ({ text: 'two', usage: { inputTokens: 'many', outputTokens: -1 }, model: {} }),
    ]
    const budget = open(async () => (await answers.shift()?.()) as string)
    expect(await budget.call(request)).toEqual({ ok: true, value: 'one' })
    expect(await budget.call(request)).toMatchObject({ ok: false, error: { code: 'model' } })
    expect(await budget.call(request)).toEqual({ ok: true, value: 'two' })
    budget.end()
    expect(budget.cost()).toEqual({
      model: 'small',
      calls: 3,
      inputTokens: 130,
      cachedInputTokens: 60,
      outputTokens: 10,
      estimated: true,
      durationMs: 30,
    })
  })

  it.each([[undefined], [7], [{}], [{ text: 7 }], [null]])('refuses %j for an answer', async (answer) => {
    const budget = open(async () => answer as unknown as string)
    expect(await budget.call(request)).toMatchObject({ ok: false, error: { code: 'model' } })
    budget.end()
  })

  it('counts a call that was given up', async () => {
    const stopping = new AbortController()
    const budget = startModelBudget(() => new Promise(() => {}), { timeoutMs: 60_000, signal: stopping.signal, clock: tickingClock() })
    const answer = budget.call(request)
    stopping.abort()
    expect(await answer).toMatchObject({ ok: false, error: { code: 'timeout' } })
    expect(await budget.call(request)).toMatchObject({ ok: false, error: { code: 'timeout' } })
    budget.end()
    expect(budget.cost()).toMatchObject({ calls: 1, inputTokens: 15, outputTokens: 0, estimated: true })
  })
})

describe('learning cost', () => {
  const request = { system: 'x'.repeat(40), messages: [{ role: 'user', content: 'y'.repeat(20) }] } as const

  describe('readUsage', () => {
    it.each([
      [
        'what a provider counts',
        { inputTokens: 30, cachedInputTokens: 20, outputTokens: 5 },
        { inputTokens: 30, cachedInputTokens: 20, outputTokens: 5 },
      ],
      ['a part of it', { outputTokens: 0 }, { outputTokens: 0 }],
      ['nothing of negative, broken, endless and written numbers', { inputTokens: -1, outputTokens: Number.NaN }, undefined],
      ['nothing of numbers that no call has', { inputTokens: 2e9, outputTokens: Number.POSITIVE_INFINITY }, undefined],
      ['nothing of texts', { inputTokens: '30', outputTokens: [5] }, undefined],
      ['no more cached than was sent', { inputTokens: 10, cachedInputTokens: 11, outputTokens: 1 }, { inputTokens: 10, outputTokens: 1 }],
      ['nothing of cached tokens alone', { cachedInputTokens: 3 }, undefined],
      ['nothing of no object', 'many', undefined],
      ['nothing of null', null, undefined],
    ])('reads %s', (_what, value, expected) => {
      expect(readUsage(value)).toEqual(expected)
    })
  })

  describe('readModelId', () => {
    it.each([
      ['gpt-5.4-mini', 'gpt-5.4-mini'],
      [' a\n\u001b[31mb ', 'a [31mb'],
      ['m'.repeat(500), 'm'.repeat(200)],
      ['', undefined],
      [7, undefined],
    ])('reads %j as %j', (value, expected) => {
      expect(readModelId(value)).toBe(expected)
    })
  })

  describe('costOfCall', () => {
    it('takes what the provider counted', () => {
      const usage = { inputTokens: 100, cachedInputTokens: 80, outputTokens: 7 }
      expect(costOfCall({ request, text: 'z', usage, model: 'm', durationMs: 12 })).toEqual({
        model: 'm',
        calls: 1,
        inputTokens: 100,
        cachedInputTokens: 80,
        outputTokens: 7,
        estimated: false,
        durationMs: 12,
      })
    })

    it('estimates what the provider did not say, and says so', () => {
      const cost = costOfCall({ request, text: 'z'.repeat(8), usage: { inputTokens: 9 }, model: undefined, durationMs: 1 })
      expect(cost).toMatchObject({ inputTokens: 9, outputTokens: 2, estimated: true })
      const unknown = costOfCall({ request, text: undefined, usage: undefined, model: undefined, durationMs: -5 })
      expect(unknown).toEqual({ calls: 1, inputTokens: 15, cachedInputTokens: 0, outputTokens: 0, estimated: true, durationMs: 0 })
    })

    it('estimates an endless answer without reading it', () => {
      const text = 'ä'.repeat(20_000_000)
      const before = cpuMs()
      expect(costOfCall({ request, text, usage: undefined, model: undefined, durationMs: 0 }).outputTokens).toBe(5_000_000)
      expect(cpuMs() - before).toBeLessThan(50)
    })
  })

  describe('addCosts', () => {
    it('sums up, and names the model that answered last', () => {
      const first = costOfCall({
        request,
        text: '',
        usage: { inputTokens: 10, cachedInputTokens: 4, outputTokens: 1 },
        model: 'a',
        durationMs: 3,
      })
      const second = costOfCall({ request, text: '', usage: { inputTokens: 20, outputTokens: 2 }, model: 'b', durationMs: 4 })
      expect(addCosts([undefined, first, second, undefined])).toEqual({
        model: 'b',
        calls: 2,
        inputTokens: 30,
        cachedInputTokens: 4,
        outputTokens: 3,
        estimated: false,
        durationMs: 7,
      })
    })

    it('is nothing if no model was called', () => {
      expect(addCosts([undefined])).toBeUndefined()
    })
  })
})
