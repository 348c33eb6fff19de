/** Recalled text in `createAgent`: in its result, in its streams, and in its state. */
import { asRecord, asText, fenceContext, type RecalledText } from '@hermes/core/adapter'
import { type ModelAnswer, recordingSession } from '@hermes/testing'
import { type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { MessagesAnnotation, StateGraph } from '@langchain/langgraph'
import { createAgent } from 'langchain'
import { describe, expect, it } from 'vitest'
import { hermesMiddleware } from '../src/agent.ts'
import { contentText } from '../src/content-text.ts'
import { withHermes } from '../src/index.ts'
import { messageType } from '../src/message-type.ts'
import { ScriptedChatModel } from './support/scripted-chat-model.ts'

const FENCE = fenceContext('The user likes tea.')
const ANSWER = `Sure: <memo\n- ${FENCE}\nYou like tea <`
const SHOWN = 'Sure: <memo\n- \nYou like tea <'

async function* letters(): AsyncIterable<string> {
  yield* ANSWER
}

const setUp = () => {
  const recall = async (): Promise<readonly RecalledText[]> => [{ index: 0, text: FENCE }]
  const session = recordingSession('chat', 'BLOCK', { recall })
  const prompts: (readonly BaseMessage[])[] = []
  const answer = async (_: unknown, messages: readonly BaseMessage[]): Promise<ModelAnswer> => {
    prompts.push(messages)
    return { type: 'text', chunks: letters() }
  }
  const agent = createAgent({ model: new ScriptedChatModel({ answer }), systemPrompt: 'Be kind.', middleware: [hermesMiddleware(session)] })
  return { session, prompts, agent, input: { messages: [new HumanMessage('Hello')] } }
}

const isAnswer = (message: BaseMessage): boolean => messageType(message) === 'ai'

describe('createAgent with recalled text', () => {
  it('shows it to the model on the user’s message only, and keeps it out of the state', async () => {
    const { agent, input, prompts, session } = setUp()
    const { messages } = await agent.invoke(input)
    expect(prompts.map((prompt) => prompt.map(({ content }) => contentText(content)))).toEqual([['Be kind.\n\nBLOCK', `Hello\n\n${FENCE}`]])
    expect(messages.map(({ content }) => contentText(content))).toEqual(['Hello', SHOWN])
    expect(session.ended[0]?.reply).toEqual([{ role: 'assistant', text: SHOWN }])
  })

  it('scrubs the tokens of stream mode messages', async () => {
    const { agent, input } = setUp()
    let streamed = ''
    for await (const [message] of await agent.stream(input, { streamMode: 'messages' })) {
      if (isAnswer(message)) streamed += contentText(message.content)
    }
    expect(streamed).toBe(SHOWN)
  })

  it('scrubs every other stream mode', async () => {
    const { agent, input } = setUp()
    const streamed: string[] = []
    for await (const part of await agent.stream(input, { streamMode: ['updates', 'values', 'messages'] }))
      streamed.push(JSON.stringify(part))
    expect(streamed.join('\n')).toContain('You like tea')
    expect(streamed.join('\n')).not.toMatch(/memory-context|likes tea/)
  })

  it('scrubs the events of streamEvents, except what the model was sent', async () => {
    const { agent, input } = setUp()
    let tokens = ''
    let end = ''
    for await (const { event, data } of agent.streamEvents(input, { version: 'v2' })) {
      if (event === 'on_chat_model_stream') tokens += contentText(data.chunk.content)
      if (event === 'on_chat_model_end') end += contentText(data.output.content)
    }
    expect([tokens, end]).toEqual([SHOWN, SHOWN])
  })

  it('scrubs the content blocks of the newest protocol', async () => {
    const { agent, input } = setUp()
    let tokens = ''
    const events: string[] = []
    for await (const event of await agent.streamEvents(input, { version: 'v3' })) {
      events.push(JSON.stringify(event))
      const { delta } = asRecord(asRecord(asRecord(event)['params'])['data'])
      tokens += asText(asRecord(delta)['text'])
    }
    expect(tokens).toBe(SHOWN)
    expect(events.join('\n')).not.toMatch(/memory-context|likes tea/)
  })
})

describe('withHermes in a node of a graph', () => {
  it('scrubs the tokens that the graph streams, though its call passes no configuration', async () => {
    const recall = async (): Promise<readonly RecalledText[]> => [{ index: 0, text: FENCE }]
    const answer = async (): Promise<ModelAnswer> => ({ type: 'text', chunks: letters() })
    const model = withHermes(new ScriptedChatModel({ answer }), recordingSession('chat', 'BLOCK', { recall }))
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('answer', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
      .addEdge('__start__', 'answer')
      .compile()
    let streamed = ''
    for await (const [message] of await graph.stream({ messages: [new HumanMessage('Hello')] }, { streamMode: 'messages' })) {
      if (isAnswer(message)) streamed += contentText(message.content)
    }
    expect(streamed).toBe(SHOWN)
  })
})
