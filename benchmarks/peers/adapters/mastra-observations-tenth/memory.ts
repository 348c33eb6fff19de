/** Mastra's observational memory in libSQL: a model, the Observer, keeps notes of one thread, which is all that a person ever says. */
import type { createOpenAI } from '@ai-sdk/openai'
import type { MastraModelConfig } from '@mastra/core/llm'
import { LibSQLStore } from '@mastra/libsql'
import { Memory } from '@mastra/memory'

export const WHERE = { threadId: 'conversation', resourceId: 'person' }

/** So many tokens of messages are observed, and so many of notes are condensed. */
export const openMemory = (folder: string, openai: ReturnType<typeof createOpenAI>, messageTokens: number, observationTokens = 40_000) => {
  const storage = new LibSQLStore({ id: 'memory', url: `file:${folder}/memory.db` })
  // Its types ask for more than the provider declares; its documentation passes the model as it is.
  const model = openai.chat('observer') as unknown as MastraModelConfig
  const observationalMemory = { model, observation: { messageTokens }, reflection: { observationTokens } }
  return { storage, memory: new Memory({ storage, options: { observationalMemory } }) }
}
