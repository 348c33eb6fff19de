import { describe, expect, it } from 'vitest'
import { createHermes } from './create-hermes.ts'
import { inMemoryBackend } from './storage/in-memory.ts'

// JavaScript callers may pass anything.
const create = (options: unknown) => () => Reflect.apply(createHermes, undefined, [options])
const storage = inMemoryBackend()

describe('the options of createHermes', () => {
  it('are complete with a storage alone', () => {
    expect(create({ storage })).not.toThrow()
  })

  it.each([
    ['nothing', undefined, /createHermes: .*object/],
    ['no storage', {}, /'storage': must be a storage back end/],
    ['a path for a storage', { storage: '~/.hermes' }, /'storage': must be a storage back end/],
    ['an unknown option', { storage, nudges: 5 }, /nudges/],
    ['an unknown option further in', { storage, memory: { limit: 5 } }, /'memory': .*limit/],
    ['more characters than are scanned', { storage, memory: { memoryCharLimit: 32_769 } }, /'memory\.memoryCharLimit'.*32768/],
    ['as many of USER.md', { storage, memory: { userCharLimit: 40_000 } }, /'memory\.userCharLimit'.*32768/],
    ['a number for a group', { storage, nudge: 5 }, /'nudge'/],
    ['a text for a number', { storage, nudge: { memoryInterval: '5' } }, /'nudge\.memoryInterval': .*number.*string/],
    ['a negative interval', { storage, nudge: { memoryInterval: -1 } }, /'nudge\.memoryInterval'/],
    ['half a turn', { storage, nudge: { memoryInterval: 2.5 } }, /'nudge\.memoryInterval'/],
    ['half a step', { storage, nudge: { skillInterval: 0.5 } }, /'nudge\.skillInterval'/],
    ['an unknown place for stale skills', { storage, skills: { catalog: { stale: 'first' } } }, /'skills\.catalog\.stale'.*hide/],
    ['a negative catalogue', { storage, skills: { catalog: { charLimit: -1 } } }, /'skills\.catalog\.charLimit'/],
    ['a reviewer that may write nothing', { storage, review: { maxSkillOutputTokens: 0 } }, /'review\.maxSkillOutputTokens'/],
    ['a text for a switch', { storage, memory: { memoryEnabled: 'no' } }, /'memory\.memoryEnabled'/],
    ['too small a budget', { storage, review: { maxInputTokens: 10 } }, /'review\.maxInputTokens'.*4000/],
    ['a time no timer can wait', { storage, review: { timeoutMs: Number.POSITIVE_INFINITY } }, /'review\.timeoutMs'/],
    ['a model name for a model', { storage, review: { model: 'gpt' } }, /'review\.model': must be a function/],
    ['an unknown trust level', { storage, trust: 'high' }, /'trust'.*balanced/],
    ['a gate that is none', { storage, gate: 'x' }, /'gate': must be a function/],
    ['one tool name for a list', { storage, trustedTools: 'web' }, /'trustedTools'/],
    ['a journal that keeps nothing', { storage, journal: { retainDays: 0 } }, /'journal\.retainDays': must be .*'forever'/],
    ['a background that is none', { storage, background: true }, /'background': must be a function/],
  ])('refuse %s', (_, options, message) => {
    expect(create(options)).toThrow(TypeError)
    expect(create(options)).toThrow(message)
  })
})
