import type { HostModelRequest } from '@hermes/core'
import { describe, expect, it } from 'vitest'
import { manualClock, scriptedHostModel } from './doubles.ts'

describe('a manual clock', () => {
  it('does not move until it is moved', () => {
    const clock = manualClock(1_000)
    expect([clock(), clock()]).toEqual([1_000, 1_000])
    clock.advance(500)
    expect(clock()).toBe(1_500)
    clock.set(20)
    expect(clock()).toBe(20)
  })

  it('starts at a fixed moment, so that tests are the same on every day', () => {
    expect(new Date(manualClock()()).toISOString()).toBe('2026-01-05T12:00:00.000Z')
  })
})

const request: HostModelRequest = {
  purpose: 'review',
  mode: 'digest',
  system: 'Review.',
  messages: [],
  schema: {},
  maxOutputTokens: 10,
  signal: new AbortController().signal,
}

describe('a scripted model', () => {
  it('answers in order, repeats the last answer and keeps the requests', async () => {
    const model = scriptedHostModel('one', (asked) => asked.system)
    expect([await model(request), await model(request), await model(request)]).toEqual(['one', 'Review.', 'Review.'])
    expect(model.requests).toEqual([request, request, request])
  })

  it('rejects with an error it is given', async () => {
    const failure = new Error('no credit')
    await expect(scriptedHostModel(failure)(request)).rejects.toBe(failure)
  })

  it('proposes nothing without answers', async () => {
    expect(await scriptedHostModel()(request)).toBe('{"proposals":[]}')
  })
})
