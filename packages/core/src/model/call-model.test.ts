import { describe, expect, it } from 'vitest'
import { startModelBudget } from './call-model.ts'
import type { HostModel } from './host-model.ts'

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
