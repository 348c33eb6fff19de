import { createHermes, inMemoryBackend } from '@hermes/core'
import type { HermesWarning } from '@hermes/core/adapter'
import { expect, it } from 'vitest'
import { markReview, resolveSession } from './hermes-call-options.ts'

const session = createHermes({ storage: inMemoryBackend() }).session('chat')

const resolve = (options: unknown) => {
  const warnings: HermesWarning[] = []
  const found = resolveSession(session, options, (warning) => warnings.push(warning))
  return { found, problems: warnings.map(({ message }) => message) }
}

it.each([undefined, null, {}, { hermes: undefined }, { hermes: null }, { openai: { store: false } }])(
  'nothing is stated in %j',
  (options) => {
    expect(resolve(options)).toEqual({ found: { session, offering: [], automated: undefined }, problems: [] })
  },
)

it('reads that no person is there', () => {
  expect(resolve({ hermes: { automated: true } }).found?.automated).toBe(true)
  expect(resolve({ hermes: { automated: false } }).found?.automated).toBeUndefined()
})

it.each<[string, unknown, RegExp]>([
  ['a number as session', { sessionId: 7 }, /sessionId is not a non-empty string/],
  ['an empty session', { sessionId: '' }, /sessionId is not a non-empty string/],
  ['a word as skip', { skip: 'yes' }, /skip is not a boolean/],
  ['a word as automated', { automated: 'yes' }, /automated is not a boolean/],
  ['a list', [], /it is not an object/],
  ['a word', 'chat-42', /it is not an object/],
  ['a misspelt key', { sesionId: 'a' }, /unknown key 'sesionId'; the keys are user, tenant, sessionId, project, skip, automated/],
])('refuses %s and says so', (_what, hermes, words) => {
  const { found, problems } = resolve({ hermes })
  expect(found).toBeUndefined()
  expect(problems).toEqual([expect.stringMatching(words)])
  expect(problems[0]).toMatch(/^providerOptions\.hermes: .*made without memory\.$/)
})

it('leaves a review alone, so that a wrapper inside a wrapper does not count it', () => {
  expect(resolve(markReview({ hermes: { sessionId: 'chat', userId: 'a' } }))).toEqual({ found: undefined, problems: [] })
})

it('adds the mark of a review to what is there, without changing it', () => {
  const given = { openai: { store: false }, hermes: { sessionId: 'a' } }
  expect(markReview(given)).toEqual({ openai: { store: false }, hermes: { sessionId: 'a', purpose: 'review' } })
  expect(given.hermes).toEqual({ sessionId: 'a' })
  expect(markReview(undefined)).toEqual({ hermes: { purpose: 'review' } })
})
