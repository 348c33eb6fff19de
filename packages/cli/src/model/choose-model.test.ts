import { describe, expect, it } from 'vitest'
import { chooseModel, ollamaUrl } from './choose-model.ts'

const label = async (env: Record<string, string>, modelName?: string): Promise<string> => {
  const chosen = await chooseModel(env, { modelName })
  return 'problem' in chosen ? chosen.problem : chosen.label
}

const ALL = { OPENAI_BASE_URL: 'http://box:8000/v1', OPENAI_MODEL: 'm', OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'a', OLLAMA_HOST: 'box' }

describe('the model', () => {
  it('is that of the first provider that is set up', async () => {
    expect(await label(ALL)).toBe('m at http://box:8000/v1')
    expect(await label({ ...ALL, OPENAI_BASE_URL: '' })).toBe('OpenAI m')
    expect(await label({ ANTHROPIC_API_KEY: 'a', OLLAMA_HOST: 'box' })).toBe('Anthropic claude-haiku-5-5')
    expect(await label({ OLLAMA_HOST: 'box' })).toMatch(/^Ollama /)
    expect(await label({ OPENAI_API_KEY: ' ' })).toMatch(/^No model is configured/)
  })

  it('is of the provider that its name tells, if that one is set up', async () => {
    expect(await label({ OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'a' }, 'claude-haiku-5-5')).toBe('Anthropic claude-haiku-5-5')
    expect(await label({ OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'a' }, 'gpt-6-luna')).toBe('OpenAI gpt-6-luna')
    expect(await label({ OPENAI_API_KEY: 'k', OLLAMA_HOST: 'box' }, 'ollama/qwen3')).toBe('Ollama qwen3')
    expect(await label({ OPENAI_API_KEY: 'k', OPENAI_MODEL: 'm' }, 'n')).toBe('OpenAI n')
  })

  it("goes to a server of one's own under its name as it is", async () => {
    const server = { OPENAI_BASE_URL: 'http://gateway/v1' }
    expect(await label(server, 'anthropic/claude-haiku-5-5')).toBe('anthropic/claude-haiku-5-5 at http://gateway/v1')
    const chosen = await chooseModel(server, { modelName: 'm' })
    expect('model' in chosen && chosen.model.modelId).toBe('m')
  })

  it('is missing in words that say what to give', async () => {
    expect(await label({ OPENAI_BASE_URL: 'http://box:8000/v1' })).toContain('OPENAI_MODEL')
    expect(await label({ OPENAI_BASE_URL: 'box' })).toContain('not a URL')
    expect(await label({ OLLAMA_HOST: 'not an address' })).toContain('not an address')
    expect(await label({ OPENAI_API_KEY: 'k' }, 'claude-haiku-5-5')).toContain('needs ANTHROPIC_API_KEY')
    expect(await chooseModel({})).toMatchObject({ isUnset: true })
    expect(await chooseModel({ OPENAI_BASE_URL: 'box' })).toMatchObject({ isUnset: false })
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
