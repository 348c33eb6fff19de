import { describe, expect, it } from 'vitest'
import { markReview, readCallOptions } from './hermes-call-options.ts'

describe('readCallOptions', () => {
  it('reads the session and the wish to be left alone', () => {
    expect(readCallOptions({ hermes: { sessionId: 'a' }, openai: {} })).toEqual({ sessionId: 'a', skip: false })
    expect(readCallOptions({ hermes: { skip: true } })).toEqual({ skip: true })
  })

  it('reads whose call it is, as it is given', () => {
    expect(readCallOptions({ hermes: { user: 'alice', sessionId: 'a' } })).toEqual({
      owner: { user: 'alice', tenant: undefined },
      sessionId: 'a',
      skip: false,
    })
    expect(readCallOptions({ hermes: { user: 7, tenant: 'acme' } }).owner).toEqual({ user: 7, tenant: 'acme' })
    expect(readCallOptions({ hermes: { user: undefined, tenant: null } })).toEqual({ skip: false })
  })

  it('reads that no person is there', () => {
    expect(readCallOptions({ hermes: { automated: true } })).toEqual({ skip: false, automated: true })
    expect(readCallOptions({ hermes: { automated: false } })).toEqual({ skip: false })
    expect(readCallOptions({ hermes: { automated: 'yes' } }).problem).toMatch(/automated is not a boolean/)
  })

  it('leaves a review alone, so that a wrapper inside a wrapper does not count it', () => {
    expect(readCallOptions(markReview({ hermes: { sessionId: 'a' } })).skip).toBe(true)
  })

  it.each([undefined, null, {}, { hermes: undefined }, { openai: { store: false } }])('finds nothing in %j', (options) => {
    expect(readCallOptions(options)).toEqual({ skip: false })
  })

  it.each([
    ['a number as session', { hermes: { sessionId: 7 } }],
    ['an empty session', { hermes: { sessionId: '' } }],
    ['a word as skip', { hermes: { skip: 'yes' } }],
    ['a list', { hermes: [] }],
    ['a word', { hermes: 'chat-42' }],
    ['a misspelt key', { hermes: { sesionId: 'a' } }],
  ])('takes %s for absent and says so', (_what, options) => {
    const read = readCallOptions(options)
    expect(read.sessionId).toBeUndefined()
    expect(read.skip).toBe(false)
    expect(read.problem).toContain('providerOptions.hermes')
  })
})

describe('a key that is not known', () => {
  it.each([
    ['sesionId', "'sesionId', did you mean 'sessionId'?"],
    ['session_id', "'session_id', did you mean 'sessionId'?"],
    ['session', "'session', did you mean 'sessionId'?"],
    ['userId', "'userId', did you mean 'user'?"],
    ['user_id', "'user_id', did you mean 'user'?"],
    ['tenantId', "'tenantId', did you mean 'tenant'?"],
    ['Skip', "'Skip', did you mean 'skip'?"],
    ['colour', "'colour'; the keys are user, tenant, sessionId, skip, automated"],
  ])('%s is named', (key, words) => {
    expect(readCallOptions({ hermes: { [key]: 'a' } }).problem).toContain(words)
  })

  it('does not change a call that Hermes makes itself', () => {
    expect(readCallOptions({ hermes: { sesionId: 'a', purpose: 'review' } })).toEqual({ skip: true })
  })
})

describe('markReview', () => {
  it('adds the mark to what is there, without changing it', () => {
    const given = { openai: { store: false }, hermes: { sessionId: 'a' } }
    expect(markReview(given)).toEqual({ openai: { store: false }, hermes: { sessionId: 'a', purpose: 'review' } })
    expect(given.hermes).toEqual({ sessionId: 'a' })
    expect(markReview(undefined)).toEqual({ hermes: { purpose: 'review' } })
  })
})
