/** Small applications on `createAgent`: one stores conversations itself, one uses a checkpointer. */
import type { AdapterHost, AdapterHostSetup, CreateAdapterHost, SendOptions } from '@hermes/testing'
import { type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { MemorySaver } from '@langchain/langgraph'
import { type AgentMiddleware, createAgent, modelRetryMiddleware } from 'langchain'
import { hermesMiddleware } from '../../src/agent.ts'
import { contentText } from '../../src/content-text.ts'
import { messageType } from '../../src/message-type.ts'
import { conversationKey, conversingHost, ownerKeys } from './conversation.ts'
import { Retryable, ScriptedChatModel } from './scripted-chat-model.ts'
import { toolsOf } from './setup-tools.ts'

// Its types do not compile under exactOptionalPropertyTypes.
const retrying = (): AgentMiddleware =>
  modelRetryMiddleware({
    maxRetries: 1,
    initialDelayMs: 0,
    jitter: false,
    onFailure: 'error',
    retryOn: (error: Error) => error.name === 'Retryable' || error.cause instanceof Retryable,
  }) as unknown as AgentMiddleware

const buildAgent = (setup: AdapterHostSetup, checkpointer?: MemorySaver) =>
  createAgent({
    model: new ScriptedChatModel({ answer: setup.model, retries: false }),
    systemPrompt: setup.instructions,
    tools: toolsOf(setup),
    middleware: [hermesMiddleware(setup.homes ?? setup.hermes), retrying()],
    ...(checkpointer === undefined ? {} : { checkpointer }),
  })

const lastText = (messages: readonly BaseMessage[]): string => contentText(messages.at(-1)?.content)

/** `createAgent.invoke`; the host passes the whole conversation each time. */
export const invokedAgent: CreateAdapterHost = (setup) => {
  const agent = buildAgent(setup)
  return conversingHost(setup, async ({ sessionId, text, history, options: { signal, owner } }) => {
    const messages = [...history, new HumanMessage(text)]
    const config = { configurable: { thread_id: sessionId, ...ownerKeys(owner) }, ...(signal === undefined ? {} : { signal }) }
    const result = await agent.invoke({ messages }, config)
    return { text: lastText(result.messages), added: result.messages.slice(messages.length) }
  })
}

/** A checkpointer does not distinguish owners, so each owner gets separate threads. */
const threadOf = (sessionId: string, owner: SendOptions['owner']) => ({ thread_id: conversationKey(sessionId, owner), sessionId })

/**
 * `createAgent.stream` in mode `messages`: `context` names the owner, a checkpointer stores the conversation, and a regeneration forks it.
 */
export const streamedAgent: CreateAdapterHost = (setup): AdapterHost => {
  const [kept] = setup.conversations.get('the checkpointer') ?? []
  const checkpointer = kept instanceof MemorySaver ? kept : new MemorySaver()
  setup.conversations.set('the checkpointer', [checkpointer])
  const agent = buildAgent(setup, checkpointer)
  const subAgent = buildAgent(setup)

  const beforeAnswer = async (sessionId: string) => {
    for await (const { values, next, config } of agent.graph.getStateHistory({ configurable: { thread_id: sessionId } })) {
      const messages: readonly BaseMessage[] = values['messages'] ?? []
      if (messageType(messages.at(-1)) === 'human' && next.length > 0) return config
    }
    throw new Error('There is nothing to regenerate.')
  }

  return {
    async send(sessionId, text, { regenerate, signal, onChunk, owner }: SendOptions = {}) {
      const config = regenerate === true ? await beforeAnswer(sessionId) : { configurable: threadOf(sessionId, owner) }
      const input = regenerate === true ? null : { messages: [new HumanMessage(text)] }
      let streamed = ''
      const stream = await agent.stream(input as { messages: BaseMessage[] }, {
        ...config,
        context: ownerKeys(owner),
        streamMode: 'messages',
        ...(signal === undefined ? {} : { signal }),
      })
      for await (const [message] of stream) {
        if (messageType(message) !== 'ai') continue
        const piece = contentText(message.content)
        streamed += piece
        if (piece !== '') onChunk?.(piece)
      }
      return { text: streamed }
    },
    async ask(sessionId, question, { owner } = {}) {
      const { messages } = await subAgent.invoke(
        { messages: [new HumanMessage(question)] },
        { configurable: threadOf(sessionId, owner), context: ownerKeys(owner), tags: ['nostream'] },
      )
      return { text: lastText(messages) }
    },
  }
}
