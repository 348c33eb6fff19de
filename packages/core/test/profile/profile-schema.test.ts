/** Schemas of a profile that cannot be used: each is a clear error, an event, and no reason for memory to stop. */
import { runInNewContext } from 'node:vm'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import * as mini from 'zod/mini'
import { z as v3 } from 'zod/v3'
import { createHermes, inMemoryBackend } from '../../src/index.ts'
import { openProfile, unwrap } from './open-profile.ts'

const asyncSchema = z.object({ name: z.string().refine(async () => true) })
const throwing = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: () => {
      throw new Error('broken')
    },
  },
} as const

const validate = (fields: unknown): { issues?: { message: string; path: string[] }[] } =>
  typeof Object(fields).city === 'string' ? {} : { issues: [{ message: 'no text', path: ['city'] }] }

describe('a schema', () => {
  it.each([
    ['valibot', toStandardJsonSchema(v.object({ city: v.string(), age: v.optional(v.number()) }))],
    ['arktype', type({ city: 'string', 'age?': 'number' })],
  ] as const)('of %s tells a reviewer its fields, and checks what is proposed', async (_, profile) => {
    const { hermes, review, requests } = openProfile({ profile } as never)
    const outcome = await review('I live in Porto and I am 40.', [
      { content: 'city: "Porto"', quote: 'I live in Porto' },
      { content: 'age: "forty"', quote: 'I am 40' },
      { content: 'zip: 1', quote: 'I am 40' },
    ])
    expect(JSON.stringify(requests)).toMatch(/- city: .*"string.*- age: .*"number/)
    expect(outcome.applied).toHaveLength(1)
    expect(outcome.rejected.map(({ reason }) => reason)).toEqual([
      expect.stringContaining("'age' does not fit"),
      expect.stringContaining("no field 'zip'"),
    ])
    expect(unwrap(await hermes.profile.read())).toEqual({ city: 'Porto' })
  })

  it.each([
    ['valibot alone', v.object({ city: v.string() })],
    ['zod/mini', mini.object({ city: mini.string() })],
    ['the third version of zod', v3.object({ city: v3.string() })],
    ['an app', { '~standard': { version: 1, vendor: 'app', validate } }],
    ['zod, with a date, which JSON has none of', z.object({ city: z.string(), born: z.date().optional() })],
  ] as const)('of %s has no JSON schema: the host writes, and no review proposes', async (_, profile) => {
    const { hermes, review, requests } = openProfile({ profile } as never)
    const outcome = await review('I live in Porto.', [{ content: 'city: "Porto"', quote: 'I live in Porto' }])
    expect([outcome.applied, outcome.held, JSON.stringify(requests)]).toEqual([[], [], expect.not.stringMatching(/profile/)])
    expect(await hermes.profile.write({ city: 3 })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("'city' does not fit") },
    })
    expect(unwrap(await hermes.profile.write({ city: 'Porto' }))).toEqual({ city: 'Porto' })
    expect(await hermes.session('s').systemBlock()).toContain('city: "Porto"')
  })

  it('may forbid other fields, and check several together', async () => {
    const profile = z
      .strictObject({ from: z.number().optional(), to: z.number().optional() })
      .refine(({ from = 0, to = 9 }) => from <= to, 'from is after to')
    const { hermes } = openProfile({ profile } as never)
    unwrap(await hermes.profile.write({ from: 3 }))
    expect(await hermes.profile.write({ to: 1 })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('from is after to') },
    })
    expect(unwrap(await hermes.profile.write({ from: 1, to: 2 }))).toEqual({ from: 1, to: 2 })
  })
})

const standard = (validate: (value: unknown) => unknown, jsonSchema?: object) => ({
  '~standard': { version: 1, vendor: 'x', validate, ...(jsonSchema && { jsonSchema: { input: () => jsonSchema } }) },
})

describe('a schema that cannot be used', () => {
  it.each([
    [
      'one of 200 fields',
      z.object(Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`f${at}`, z.string().optional()]))),
      /has 200 fields, .* at most 100/,
    ],
    [
      'one with a field that could reach a prototype',
      z.object(JSON.parse('{"__proto__":null}', (key, value) => (key === '__proto__' ? z.string() : value))),
      /'__proto__' is no name of a field/,
    ],
    ['one that answers nothing', standard(() => undefined), /did not answer with \{ value \} or \{ issues \}/],
    ['one whose issues are none', standard(() => ({ issues: [null] })), /threw an error: TypeError/],
    ['one that answers later, with no promise of this realm', standard(() => runInNewContext('Promise.resolve({})')), /asynchronously/],
    ['one that throws', throwing, /threw an error: Error: broken/],
    ['a field name that the file cannot hold', z.object({ 'a: b': z.string() }), /'a: b' is no name of a field/],
  ])('is refused: %s', async (_, profile, message) => {
    const { hermes, events } = openProfile({ profile } as never)
    const direct = await hermes.memoryStore().apply('profile', { action: 'add', content: 'name: "x"' })
    for (const done of [await hermes.profile.read(), await hermes.profile.write({ name: 'x' }), direct])
      expect(done).toMatchObject({ ok: false, error: { code: 'invalid', message: expect.stringMatching(message) } })
    // Memory works, and the failure is an event.
    unwrap(await hermes.memory.add('user', 'Drinks tea.'))
    expect(await hermes.session('s').systemBlock()).toContain('Drinks tea.')
    expect(events).toContainEqual(expect.objectContaining({ type: 'storage-failed', error: expect.objectContaining({ code: 'invalid' }) }))
  })

  it('is not shown to a reviewer where its JSON schema is none', async () => {
    const circular: Record<string, unknown> = {}
    circular['properties'] = { name: circular }
    const { hermes, review } = openProfile({ profile: standard((value) => ({ value }), circular) } as never)
    unwrap(await hermes.profile.write({ name: 'Ann' }))
    expect(await review('I am Bob.', [{ content: 'name: Bob', quote: 'I am Bob' }])).toMatchObject({ applied: [], failed: [] })
  })

  it('is refused once it validates asynchronously', async () => {
    const { hermes } = openProfile({ profile: asyncSchema } as never)
    expect(await hermes.profile.write({ name: 'x' })).toMatchObject({
      ok: false,
      error: { code: 'invalid', message: expect.stringContaining('asynchronously') },
    })
  })

  it.each([null, 3, {}, 'name', { '~standard': {} }])('throws for %j, which is none', (profile) => {
    expect(() => createHermes({ storage: inMemoryBackend(), profile } as never)).toThrow(/'profile': must be a Standard Schema/)
  })
})
