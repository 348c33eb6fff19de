/** One session of the chat: the model wrapped by Hermes, and the tools: the agent's own and those of Hermes. */
import { hermesMiddleware, hermesTools } from '@hermes/ai-sdk'
import type { Session } from '@hermes/core'
import { streamTurns } from '@hermes/example-chat-parts/stream-turns'
import { wrapLanguageModel } from 'ai'
import type { ProviderModel } from './choose-model.ts'
import { ownTools } from './own-tools.ts'

/** The agent's own system prompt. Nothing in it may change between two turns: providers cache by prefix. */
const INSTRUCTIONS = `You are a friendly, concise assistant in a terminal. Answer in plain text without Markdown tables or headings.
What you remember from earlier sessions, if anything, stands below. When the user asks you to remember, change or forget something, use the memory tool.
Never work a sum out in your head: use the calculate tool, one call for each step. Never guess the date or the time: use current_time.`

/** `folder`: the agent may read the text files below it. */
export const startConversation = (session: Session, provider: ProviderModel, folder: string) => {
  const model = wrapLanguageModel({ model: provider, middleware: hermesMiddleware(session) })
  const tools = { ...ownTools({ folder }), ...hermesTools(session) }
  return { session, send: streamTurns({ model, tools, instructions: INSTRUCTIONS }) }
}

export type Conversation = ReturnType<typeof startConversation>
