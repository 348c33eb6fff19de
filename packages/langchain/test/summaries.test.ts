import { HumanMessage } from '@langchain/core/messages'
import { MemorySaver } from '@langchain/langgraph'
import { type AgentMiddleware, createAgent, summarizationMiddleware } from 'langchain'
import { describe, expect, it } from 'vitest'
import { hermesMiddleware } from '../src/agent.ts'
import { ScriptedChatModel } from './support/scripted-chat-model.ts'
import { tenTurns } from './support/ten-turns.ts'

const thread = { configurable: { thread_id: 'chat' } }

async function* smallTalk(): AsyncIterable<string> {
  yield 'There was small talk.'
}

const summarising = (): AgentMiddleware =>
  summarizationMiddleware({
    model: new ScriptedChatModel({ answer: async () => ({ type: 'text', chunks: smallTalk() }) }),
    trigger: { messages: 8 },
    keep: { messages: 4 },
    // Its types do not compile under exactOptionalPropertyTypes.
  } as never) as unknown as AgentMiddleware

describe('a review reads all ten turns, the first ones included', () => {
  it.each(['before', 'behind'])('of an agent with a summary %s Hermes', async (place) => {
    const { hermes, model, converse, expectAllRead } = tenTurns()
    const middleware = [hermesMiddleware(hermes), summarising()]
    if (place === 'before') middleware.reverse()
    const agent = createAgent({ model, tools: [], checkpointer: new MemorySaver(), middleware })
    await converse((text) => agent.invoke({ messages: [new HumanMessage(text)] }, thread))
    const { values } = await agent.graph.getState(thread)
    expect(values['messages'].length).toBeLessThan(10)
    expectAllRead()
  })
})
