import { describe, expect, it } from 'vitest'
import { chooseModel } from './choose-model.ts'

const label = async (env: Record<string, string>, modelName?: string): Promise<string> => {
  const chosen = await chooseModel(env, { modelName })
  return 'problem' in chosen ? chosen.problem : chosen.label
}

describe('the model from the environment', () => {
  it('takes the first provider that is set up', async () => {
    const all = {
      OPENAI_BASE_URL: 'http://box:8000/v1',
      OPENAI_MODEL: 'm',
      OPENAI_API_KEY: 'k',
      ANTHROPIC_API_KEY: 'a',
      OLLAMA_HOST: 'box',
    }
    expect(await label(all)).toBe('m at http://box:8000/v1')
    expect(await label({ ...all, OPENAI_BASE_URL: '' })).toBe('OpenAI m')
    expect(await label({ ANTHROPIC_API_KEY: 'a', OLLAMA_HOST: 'box' })).toMatch(/^Anthropic claude-/)
    expect(await label({ OLLAMA_HOST: 'box' })).toMatch(/^Ollama /)
    expect(await label({ OPENAI_API_KEY: ' ' })).toContain('scripted')
  })

  it('lets --model beat the name in the environment', async () => {
    expect(await label({ OPENAI_API_KEY: 'k', OPENAI_MODEL: 'm' }, 'n')).toBe('OpenAI n')
  })

  it('says what is missing', async () => {
    expect(await label({ OPENAI_BASE_URL: 'http://box:8000/v1' })).toContain('OPENAI_MODEL')
    expect(await label({ OPENAI_BASE_URL: 'box' })).toContain('not a URL')
    expect(await label({}, 'gpt')).toContain('needs a provider')
  })
})
