import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { DEFAULT_MODELS } from '../packages/cli/src/model/choose-model.ts'

it('asks for the same models in the hermes command and in the example, which share config.yaml and the environment', () => {
  const help = readFileSync(new URL('../examples/chat-agent/help.txt', import.meta.url), 'utf8')
  for (const [provider, model] of Object.entries(DEFAULT_MODELS))
    expect(help).toContain(`${provider.toUpperCase()}_MODEL (default: ${model})`)
})
