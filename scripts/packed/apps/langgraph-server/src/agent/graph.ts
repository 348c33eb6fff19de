/** An agent of `createAgent`. */
import { hermesMiddleware } from '@hermes/langchain/agent'
import { createAgent } from 'langchain'
import { homes } from '../hermes.ts'
import { TOOLS } from '../tools.ts'

export const agent = createAgent({
  model: 'openai:gpt-5-mini',
  tools: TOOLS,
  systemPrompt: 'Answer briefly.',
  middleware: [hermesMiddleware(homes)],
})
