/** The lines of docs/hosts.md for Mastra, compiled: a wrapped model of ai 6 fits without a cast, tools with one. Never run. */
import { openai } from '@ai-sdk/openai-v3'
import type { HermesHomes } from '@hermes/core'
import { Agent, type ToolsInput } from '@mastra/core/agent'
import { hermesTools, withHermes } from '../../src/index.ts'

export const agentOf = (homes: HermesHomes) =>
  new Agent({
    id: 'assistant',
    name: 'Assistant',
    instructions: 'Be kind.',
    model: withHermes(openai('gpt-5'), homes),
    tools: ({ requestContext }) => {
      const session = homes.for(String(requestContext.get('user'))).session(String(requestContext.get('session')))
      return hermesTools(session) as unknown as ToolsInput
    },
  })
