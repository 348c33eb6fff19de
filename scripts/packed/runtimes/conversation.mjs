/** One conversation over the AI SDK, with a model that proposes a fact when it is asked to review. */
import { hermesTools, withHermes } from '@hermes/ai-sdk'
import { createHermes } from '@hermes/core'
import { generateText, stepCountIs } from 'ai'

const CONTENT = 'The user lives in Lisbon'
const proposal = { target: 'user', op: { action: 'add', content: CONTENT }, rationale: 'said so', score: 0.9, evidence: [] }

export const talk = async (storage, id, prompt) => {
  let isKnown
  const model = {
    specificationVersion: 'v3',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    doStream: () => Promise.reject(new Error('Nobody asks for a stream.')),
    doGenerate: async (options) => {
      const asked = JSON.stringify(options.prompt)
      isKnown ??= asked.includes(CONTENT)
      const text = asked.includes('proposals') ? JSON.stringify({ proposals: [proposal] }) : 'Lovely!'
      return {
        content: [{ type: 'text', text }],
        finishReason: { unified: 'stop' },
        usage: { inputTokens: {}, outputTokens: {} },
        warnings: [],
      }
    },
  }
  const hermes = createHermes({ storage })
  const session = hermes.session(id)
  const { text: answer } = await generateText({
    model: withHermes(model, session),
    tools: hermesTools(session),
    stopWhen: stepCountIs(5),
    prompt,
  })
  await session.end({ minTurns: 1 })
  const { value: entries } = await hermes.memory.list('user')
  return { answer, isKnown, entries }
}
