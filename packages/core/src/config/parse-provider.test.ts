import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../test/support/cpu-time.ts'
import { createHermes } from '../create-hermes.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { toHermesOptions } from './hermes-config.ts'
import { parseHermesConfig } from './parse-hermes-config.ts'

const read = (text: string) => {
  const parsed = parseHermesConfig(text)
  if (!parsed.ok) throw parsed.error
  return parsed.value
}

const problemsOf = (text: string) => {
  const parsed = parseHermesConfig(text)
  if (parsed.ok) throw new Error('It was accepted.')
  return parsed.error.details['problems']
}

describe("'memory.provider' in config.yaml", () => {
  it('is a name, and its options are any mapping', () => {
    const { config, settings, warnings } = read(`memory:
  provider: recall
  provider_options:
    retain_days: 90
    api_key: secret
    servers: [{ host: a, ports: [1, 2] }, b]
    nested: { Fast: yes, empty: ~ }
`)
    expect(config.memory).toEqual({
      provider: 'recall',
      providerOptions: {
        retain_days: 90,
        api_key: 'secret',
        servers: [{ host: 'a', ports: [1, 2] }, 'b'],
        nested: { Fast: true, empty: null },
      },
    })
    expect(settings).toEqual([
      { line: 2, key: 'memory.provider', value: 'recall' },
      { line: 3, key: 'memory.provider_options', value: 'retain_days, api_key, servers, nested' },
    ])
    expect(warnings).toEqual([])
  })

  it('is for the host to load: it is not among the options', () => {
    const { config } = read('memory: { provider: recall, provider_options: { a: 1 }, nudge_interval: 3, user_char_limit: 9 }\n')
    expect(toHermesOptions(config)).toMatchObject({ memory: { userCharLimit: 9 }, nudge: { memoryInterval: 3 } })
    expect(toHermesOptions(config).memory).toEqual({ userCharLimit: 9 })
  })

  it('has limits in the file that are those of the library', () => {
    const parsed = read('memory: { recall_chars: 16000, provider_timeout_ms: 2147483647 }\n')
    expect(toHermesOptions(parsed.config).memory).toEqual({ recallChars: 16_000, providerTimeoutMs: 2_147_483_647 })
    const storage = inMemoryBackend()
    expect(() => createHermes({ storage, ...toHermesOptions(parsed.config) })).not.toThrow()
    for (const [text, memory] of [
      ['recall_chars: 16001', { recallChars: 16_001 }],
      ['recall_chars: -1', { recallChars: -1 }],
      ['provider_timeout_ms: 0', { providerTimeoutMs: 0 }],
      ['provider_timeout_ms: 2147483648', { providerTimeoutMs: 2_147_483_648 }],
    ] as const) {
      expect(problemsOf(`memory: { ${text} }\n`)).toMatchObject([{ message: expect.stringContaining('a whole number of') }])
      expect(() => createHermes({ storage, memory })).toThrow(TypeError)
    }
  })

  it('may be empty, as in the file that Python Hermes writes', () => {
    expect(read("memory:\n  provider: ''\n").warnings).toEqual([])
    expect(read('memory:\n  provider:\n').config.memory).toEqual({})
  })

  it.each([
    ['memory:\n  provider: [recall, honcho]\n', 2, 'memory.provider', 'one package, or the path of one file, but is a list'],
    ['memory:\n  provider: 5\n', 2, 'memory.provider', 'but is 5'],
    ['memory:\n  provider: a\n  provider_options: fast\n', 3, 'memory.provider_options', 'a mapping of options, but is the text "fast"'],
    ['memory:\n  provider: a\n  provider_options: [a]\n', 3, 'memory.provider_options', 'a mapping of options, but is a list'],
    ['memory:\n  provider: a\n  provider_options: &o\n    self: *o\n', 3, 'memory.provider_options', 'must not contain itself'],
  ])('refuses %j', (text, line, key, message) => {
    expect(problemsOf(text)).toEqual([{ line, key, message: expect.stringContaining(message) }])
  })

  it('warns of options without a provider, and of a misspelt key', () => {
    expect(read('memory:\n  provider_options: { a: 1 }\n').warnings).toMatchObject([{ line: 2, key: 'memory.provider_options' }])
    expect(read('memory:\n  providr: recall\n').warnings).toMatchObject([{ message: expect.stringContaining("'memory.provider'") }])
  })

  it('follows aliases and merges, and refuses options that they expand without end', () => {
    const { config } = read('base: &base { a: 1, b: &b [x] }\nmemory:\n  provider: p\n  provider_options: { <<: *base, a: 2, c: *b }\n')
    expect(config.memory.providerOptions).toEqual({ a: 2, b: ['x'], c: ['x'] })
    const levels = Array.from({ length: 20 }, (_, level) => `l${level + 1}: &l${level + 1} [*l${level}, *l${level}]`).join('\n')
    const started = cpuMs()
    expect(problemsOf(`l0: &l0 [x]\n${levels}\nmemory:\n  provider: p\n  provider_options: { all: *l20 }\n`)).toMatchObject([
      { message: expect.stringContaining('at most 1,000 values') },
    ])
    expect(cpuMs() - started).toBeLessThan(500)
  })

  it('keeps names that every object has as plain keys', () => {
    const { config } = read('memory:\n  provider: p\n  provider_options:\n    constructor: 1\n    __proto__: { polluted: true }\n')
    expect(Object.keys(config.memory.providerOptions ?? {})).toContain('constructor')
    expect(Object(config.memory.providerOptions).polluted).toBeUndefined()
    expect(Object({}).polluted).toBeUndefined()
  })
})
