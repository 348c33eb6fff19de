import type { HostModelRequest } from '@hermes/core'
import { expect, it } from 'vitest'
import { scriptedHostModel } from './scripted-host-model.ts'

const request: HostModelRequest = {
  purpose: 'review',
  mode: 'digest',
  system: 'Review.',
  messages: [],
  schema: {},
  maxOutputTokens: 10,
  signal: new AbortController().signal,
}

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
