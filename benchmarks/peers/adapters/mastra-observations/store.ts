/** Mastra's observational memory: a message with the fact is observed at once, which is a call of the model. What a tool found is a message with its result. */
import { randomUUID } from 'node:crypto'
import { createOpenAI } from '@ai-sdk/openai'
import type { MastraDBMessage } from '@mastra/core/agent'
import type { OpenStore } from '../../port.ts'
import { openMemory, WHERE } from './memory.ts'

/** Every message is longer than that, so that none waits for others. */
const MESSAGE_TOKENS = 5
/** Nothing that is counted is condensed. */
const OBSERVATION_TOKENS = 1_000_000

export const openStore: OpenStore = async (folder) => {
  const openai = createOpenAI({ baseURL: `${process.env['PEERS_MODEL_URL']}/v1`, apiKey: 'none' })
  const { memory, storage } = openMemory(folder, openai, MESSAGE_TOKENS, OBSERVATION_TOKENS)
  await storage.init()
  if (!(await memory.getThreadById({ threadId: WHERE.threadId }))) await memory.createThread({ ...WHERE })
  const engine = await memory.omEngine
  if (!engine) throw new TypeError('Mastra has no observational memory.')
  const observe = async (role: 'user' | 'assistant', part: MastraDBMessage['content']['parts'][number]): Promise<void> => {
    const message = { ...WHERE, id: randomUUID(), role, createdAt: new Date(), content: { format: 2 as const, parts: [part] } }
    const { observed } = await engine.observe({ ...WHERE, messages: [message] })
    if (!observed) throw new Error('The message was not observed.')
  }
  const read = async (): Promise<string> => (await engine.getObservations(WHERE.threadId, WHERE.resourceId)) ?? ''
  return {
    write: (text) => observe('user', { type: 'text', text }),
    learn: (result) => {
      const toolInvocation = { state: 'result' as const, toolCallId: randomUUID(), toolName: 'fetch', args: {}, result }
      return observe('assistant', { type: 'tool-invocation', toolInvocation })
    },
    read,
    block: async () => (await memory.getContext({ ...WHERE })).systemMessage ?? '',
    close: async () => await storage.close(),
  }
}
