import { describe, expect, it } from 'vitest'
import { chooseModel } from './choose-model.ts'
import { ollamaUrl } from './ollama-url.ts'

const label = (env: Record<string, string>, modelName?: string): string => {
  const chosen = chooseModel(env, { modelName })
  return 'problem' in chosen ? chosen.problem : chosen.label
}

describe('the model from the environment', () => {
  it('takes the first provider that is set up', () => {
    const all = {
      OPENAI_BASE_URL: 'http://box:8000/v1',
      OPENAI_MODEL: 'm',
      OPENAI_API_KEY: 'k',
      ANTHROPIC_API_KEY: 'a',
      OLLAMA_HOST: 'box',
    }
    expect(label(all)).toBe('m at http://box:8000/v1')
    expect(label({ ...all, OPENAI_BASE_URL: '' })).toBe('OpenAI m')
    expect(label({ ANTHROPIC_API_KEY: 'a', OLLAMA_HOST: 'box' })).toMatch(/^Anthropic claude-/)
    expect(label({ OLLAMA_HOST: 'box' })).toMatch(/^Ollama /)
    expect(label({ OPENAI_API_KEY: ' ' })).toContain('scripted')
  })

  it('lets --model beat the name in the environment', () => {
    expect(label({ OPENAI_API_KEY: 'k', OPENAI_MODEL: 'm' }, 'n')).toBe('OpenAI n')
  })

  it('says what is missing', () => {
    expect(label({ OPENAI_BASE_URL: 'http://box:8000/v1' })).toContain('OPENAI_MODEL')
    expect(label({ OPENAI_BASE_URL: 'box' })).toContain('not a URL')
    expect(label({}, 'gpt')).toContain('needs a provider')
  })
})

it.each([
  ['localhost', 'http://localhost:11434/v1'],
  ['box:1234', 'http://box:1234/v1'],
  ['0.0.0.0:11434', 'http://127.0.0.1:11434/v1'],
  ['https://ollama.example.org/', 'https://ollama.example.org/v1'],
  ['http://box:1234/v1', 'http://box:1234/v1'],
  ['not an address', undefined],
])('reads OLLAMA_HOST %s', (host, url) => {
  expect(ollamaUrl(host)).toBe(url)
})
