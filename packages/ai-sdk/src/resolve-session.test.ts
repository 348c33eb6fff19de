/** The session of a call, from the target and the call's options. An ambiguous call has none and causes one warning. */
import { createHermes, createHermesHomes, type HermesEvent, inMemoryBackend } from '@hermes/core'
import { checkTarget, type HermesTarget, type HermesWarning } from '@hermes/core/adapter'
import { describe, expect, it } from 'vitest'
import { resolveSession } from './hermes-call-options.ts'
import { hermesMiddleware } from './hermes-middleware.ts'
import { hermesTools } from './hermes-tools.ts'

const setUp = () => {
  const events: HermesEvent[] = []
  const warnings: HermesWarning[] = []
  const onEvent = (event: HermesEvent) => events.push(event)
  const homes = createHermesHomes({ storage: inMemoryBackend(), onEvent })
  const hermes = createHermes({ storage: inMemoryBackend(), onEvent })
  const resolve = (target: HermesTarget, options: object | undefined) =>
    resolveSession(target, options && { hermes: options }, (warning) => warnings.push(warning))
  const mistakes = () => events.flatMap((event) => (event.type === 'wiring-failed' ? [event.mistake] : []))
  return { homes, hermes, session: hermes.session('chat'), resolve, warnings, mistakes }
}

describe('over the homes of many people', () => {
  it('finds the session of the owner that the call names', () => {
    const { homes, resolve, warnings, mistakes } = setUp()
    expect(resolve(homes, { user: 'alice', sessionId: 'a' })?.session).toBe(homes.for('alice').session('a'))
    const acme = { tenant: 'acme', user: 'alice' }
    expect(resolve(homes, { ...acme, sessionId: 'a' })?.session).toBe(homes.for(acme).session('a'))
    expect(homes.for(acme).session('a')).not.toBe(homes.for('alice').session('a'))
    expect([warnings, mistakes()]).toEqual([[], []])
  })

  it.each([
    ['no options', undefined, 'missing-owner', /names no user.*\{ hermes: \{ user, sessionId \} \}/],
    ['no user', { sessionId: 'a' }, 'missing-owner', /names no user/],
    ['a user that is undefined', { user: undefined, sessionId: 'a' }, 'missing-owner', /names no user/],
    ['a user that is null', { user: null, sessionId: 'a' }, 'missing-owner', /names no user/],
    ['a tenant without a user', { tenant: 'acme', sessionId: 'a' }, 'missing-owner', /Pass the ids as strings/],
    ['an empty user', { user: '', sessionId: 'a' }, 'missing-owner', /Pass the ids as strings/],
    ['a number as user', { user: 7, sessionId: 'a' }, 'missing-owner', /Pass the ids as strings/],
    ['a user of 513 characters', { user: 'x'.repeat(513), sessionId: 'a' }, 'missing-owner', /Pass the ids as strings/],
    ['a tenant that is null', { user: 'alice', tenant: null, sessionId: 'a' }, 'missing-owner', /Pass the ids as strings/],
    ['an empty tenant', { user: 'alice', tenant: '', sessionId: 'a' }, 'missing-owner', /Pass the ids as strings/],
    ['no session', { user: 'alice' }, 'missing-session', /\{ hermes: \{ user, sessionId \} \}/],
    ['a session of half a character', { user: 'alice', sessionId: '\uD800' }, 'invalid-option', /cannot be opened/],
    ['a misspelt user', { userId: 'alice', sessionId: 'a' }, 'invalid-option', /unknown key 'userId'/],
    ['a misspelt tenant', { user: 'alice', tenat: 'acme', sessionId: 'a' }, 'invalid-option', /unknown key 'tenat'/],
  ] as const)('finds none in a call with %s', (_what, options, mistake, words) => {
    const { homes, resolve, warnings, mistakes } = setUp()
    expect(resolve(homes, options)).toBeUndefined()
    expect(warnings.map(({ code }) => code)).toEqual([mistake])
    expect(warnings[0]?.message).toMatch(words)
    expect(mistakes()).toEqual([mistake])
  })

  it('says what is wrong with an owner', () => {
    const { homes, resolve, warnings } = setUp()
    resolve(homes, { user: 7, sessionId: 'a' })
    expect(String(warnings[0]?.cause)).toContain('user is of type number')
  })

  it('leaves a side call alone', () => {
    const { homes, resolve, warnings, mistakes } = setUp()
    expect(resolve(homes, { skip: true })).toBeUndefined()
    expect([warnings, mistakes()]).toEqual([[], []])
  })
})

describe('over one person’s memory', () => {
  it.each([{ user: 'bob' }, { tenant: 'acme' }, { user: 'bob', tenant: 'acme' }])('refuses a call that names an owner: %j', (owner) => {
    const { hermes, session, resolve, warnings, mistakes } = setUp()
    expect(resolve(hermes, { ...owner, sessionId: 'chat' })).toBeUndefined()
    expect(resolve(session, { ...owner, sessionId: 'chat' })).toBeUndefined()
    expect(resolve(session, owner)).toBeUndefined()
    expect(mistakes()).toEqual(Array.from({ length: 3 }, () => 'invalid-option'))
    for (const { message } of warnings) expect(message).toContain('createHermesHomes({ storage })')
  })

  it('finds the session that a call names, and its own', () => {
    const { hermes, session, resolve, warnings } = setUp()
    expect(resolve(hermes, { sessionId: 'chat' })?.session).toBe(session)
    expect(resolve(session, undefined)?.session).toBe(session)
    expect(warnings).toEqual([])
  })
})

describe('checkTarget', () => {
  it('takes a session, a Hermes and homes', () => {
    const { homes, hermes, session } = setUp()
    for (const target of [homes, hermes, session]) expect(() => checkTarget('withHermes', target)).not.toThrow()
  })

  it.each([undefined, null, 'alice', inMemoryBackend(), {}])('refuses %j and says what to pass', (target) => {
    const { hermes } = setUp()
    const given = target as unknown as typeof hermes
    expect(() => hermesMiddleware(given)).toThrow(/^hermesMiddleware needs a session, a Hermes \(createHermes\) or the homes/)
    expect(() => hermesTools(given)).toThrow(/^hermesTools needs a session/)
  })
})
