import { expect, it } from 'vitest'
import { DEFAULT_MODELS as exampleModels } from '../examples/chat-agent/src/help-text.ts'
import { DEFAULT_MODELS } from '../packages/cli/src/model/default-models.ts'

it('asks for the same models in the hermes command and in the example, which share config.yaml and the environment', () => {
  expect(DEFAULT_MODELS).toEqual(exampleModels)
})
