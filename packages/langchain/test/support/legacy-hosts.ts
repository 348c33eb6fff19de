/** Small applications on legacy chains, with `HermesMemory` around their existing memory. */
import type { Session } from '@hermes/core'
import type { AdapterCapabilities, AdapterHostSetup, CreateAdapterHost, SendOptions } from '@hermes/testing'
import { ConversationChain, LLMChain } from '@langchain/classic/chains'
import { BufferMemory } from '@langchain/classic/memory'
import { InMemoryChatMessageHistory } from '@langchain/core/chat_history'
import { ChatPromptTemplate, MessagesPlaceholder, PromptTemplate } from '@langchain/core/prompts'
import { HermesMemory } from '../../src/index.ts'
import { conversationKey, conversingHost } from './conversation.ts'
import { ScriptedChatModel } from './scripted-chat-model.ts'

export type LegacyHost = 'ConversationChain, folded into the text' | 'LLMChain, a variable of its own' | 'LLMChain, folded into messages'

export const LEGACY_HOSTS: readonly LegacyHost[] = [
  'ConversationChain, folded into the text',
  'LLMChain, a variable of its own',
  'LLMChain, folded into messages',
]

/** Legacy chains stream one chunk and run no tools, and their memory can change neither their prompt nor their answer. A history that is one text proves nothing. */
export const legacyCapabilities = (kind: LegacyHost): AdapterCapabilities => ({
  streaming: false,
  toolLoop: false,
  window: kind !== 'ConversationChain, folded into the text',
  recall: false,
})

/** Splits `instructions, block, Human: …, AI: …` into its parts. */
const readTextPrompt = (text: string) => {
  const start = text.search(/^Human: /m)
  const lines = text.slice(start).split(/^(?=(?:Human|AI):)/m)
  const messages = lines.map((line) => ({ role: line.startsWith('AI:') ? 'assistant' : 'user', text: line.replace(/^\w+: ?/, '').trim() }))
  return { system: text.slice(0, start).trim(), messages: messages.filter((message) => message.text !== '') }
}

/** A chain does not pass the caller to its memory, so the host names the owner when it creates one. */
const openSession = ({ hermes, homes }: AdapterHostSetup, sessionId: string, owner: SendOptions['owner']): Session => {
  if (homes === undefined) return hermes.session(sessionId)
  if (owner !== undefined) return homes.for(owner).session(sessionId)
  homes.reportWiring({ mistake: 'missing-owner', message: 'Nobody is signed in.' })
  return hermes.session()
}

const buildChain = (kind: LegacyHost, { model: answer, instructions }: AdapterHostSetup, session: Session) => {
  const chatHistory = new InMemoryChatMessageHistory()
  if (kind === 'ConversationChain, folded into the text') {
    const model = new ScriptedChatModel({ answer, readText: readTextPrompt })
    const prompt = PromptTemplate.fromTemplate(`${instructions}\n\n{history}\nHuman: {input}\nAI:`)
    const chain = new ConversationChain({ llm: model, prompt, memory: new BufferMemory({ chatHistory }), outputKey: 'text' })
    chain.memory = new HermesMemory({ session, memory: chain.memory, model })
    return { chain, chatHistory }
  }
  const model = new ScriptedChatModel({ answer })
  const folded = kind === 'LLMChain, folded into messages'
  const prompt = ChatPromptTemplate.fromMessages([
    ['system', folded ? instructions : `${instructions}\n\n{hermes_memory}`],
    new MessagesPlaceholder('history'),
    ['human', '{input}'],
  ])
  const memory = new HermesMemory({
    session,
    memory: new BufferMemory({ chatHistory, returnMessages: true }),
    inject: folded ? 'fold' : 'variable',
    model,
  })
  return { chain: new LLMChain({ llm: model, prompt, memory }), chatHistory }
}

export const legacyHost =
  (kind: LegacyHost): CreateAdapterHost =>
  (setup) => {
    // A memory belongs to one conversation, so each conversation has a chain.
    const chains = new Map<string, ReturnType<typeof buildChain>>()
    return conversingHost(setup, async ({ sessionId, text, history, options }) => {
      const key = conversationKey(sessionId, options.owner)
      const { chain, chatHistory } = chains.get(key) ?? buildChain(kind, setup, openSession(setup, sessionId, options.owner))
      if (!chains.has(key)) chains.set(key, { chain, chatHistory })
      await chatHistory.clear()
      await chatHistory.addMessages([...history])
      const { text: answered } = await chain.invoke({ input: text, ...(options.signal === undefined ? {} : { signal: options.signal }) })
      return { text: String(answered) }
    })
  }
