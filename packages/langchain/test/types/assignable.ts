/** Compiled, never run: the adapter fits the types of LangChain, providers and hosts without a cast. */
import type { Hermes, HermesHomes, HostModel, Session } from '@hermes/core'
import { ConversationChain, LLMChain } from '@langchain/classic/chains'
import { BufferMemory } from '@langchain/classic/memory'
import type { BaseMemory } from '@langchain/core/memory'
import { StringOutputParser } from '@langchain/core/output_parsers'
import { ChatPromptTemplate } from '@langchain/core/prompts'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { ChatOpenAI, OpenAI } from '@langchain/openai'
import { type AgentMiddleware, createAgent, createMiddleware } from 'langchain'
import { z } from 'zod'
import { hermesMiddleware } from '../../src/agent.ts'
import { type HermesCall, HermesMemory, type HermesTarget, hermesTools, hostModel, withHermes } from '../../src/index.ts'

declare const session: Session
declare const hermes: Hermes
declare const homes: HermesHomes

const chat = new ChatOpenAI({ model: 'gpt-5-mini' })
const prompt = ChatPromptTemplate.fromMessages([['human', '{input}']])

export const memories: readonly BaseMemory[] = [
  new HermesMemory({ session }),
  new HermesMemory({ session, memory: new BufferMemory(), model: chat }),
]

export const inChains = async () => {
  const chain = new ConversationChain({ llm: chat })
  chain.memory = new HermesMemory({ session, memory: chain.memory, model: chain.llm })
  new LLMChain({ llm: chat, prompt, memory: new HermesMemory({ session, model: chat }) })
}

export const inPipes = async () => {
  const text: string = await prompt.pipe(withHermes(chat, session)).pipe(new StringOutputParser()).invoke({ input: 'hi' })
  const said: string = await withHermes(new OpenAI(), hermes).invoke('hi', { configurable: { sessionId: 'chat-42' } })
  const { tool_calls } = await withHermes(chat.bindTools(hermesTools(session, { prefix: 'my_' })), session).invoke(text)
  const { name } = await withHermes(chat.withStructuredOutput(z.object({ name: z.string() })), session, { reviewModel: chat }).invoke(said)
  return [tool_calls, name.toUpperCase()]
}

export const inTheModelsPlace = async () => {
  const model = withHermes(chat, hermes)
  const { tool_calls } = await model.bindTools(hermesTools(session), { strict: true }).invoke('hi')
  const { port } = await model.withStructuredOutput(z.object({ port: z.number() })).invoke('hi')
  const kind: string = withHermes(new OpenAI(), hermes)._modelType()
  // @ts-expect-error A text model binds no tools.
  withHermes(new OpenAI(), hermes).bindTools([])
  createReactAgent({ llm: model, tools: hermesTools(session) })
  createReactAgent({ llm: withHermes(chat.bindTools(hermesTools(session)), hermes), tools: hermesTools(session) })
  return [tool_calls, port.toFixed(), kind]
}

export const inAgents = async () => {
  const agent = createAgent({
    model: chat,
    tools: [],
    middleware: [hermesMiddleware(hermes), hermesMiddleware(session), createMiddleware({ name: 'Own' })],
  })
  const { messages } = await agent.invoke({ messages: 'hi' }, { configurable: { thread_id: 'chat-42' } })
  return messages.at(-1)?.text
}

const identify = ({ configurable: { account, chat: chatId } }: HermesCall) =>
  typeof account === 'string' && typeof chatId === 'string' ? { owner: account, sessionId: chatId } : undefined

export const identified: HermesTarget = { homes, identify }

export const forManyPeople = async () => {
  const sessionOf: HermesTarget = { homes, identify: ({ configurable }) => homes.for(String(configurable['who'])).session('chat-42') }
  // @ts-expect-error A promise comes too late.
  const late: HermesTarget = { homes, identify: async () => session }
  // @ts-expect-error A chain does not tell its memory who calls.
  new HermesMemory({ session: homes })
  new HermesMemory({ session: homes.for({ tenant: 'acme', user: 'alice' }).session('chat-42') })
  const agent = createAgent({ model: chat, tools: hermesTools(sessionOf), middleware: [hermesMiddleware(identified)] })
  await agent.invoke({ messages: 'hi' }, { configurable: { user_id: 'alice', thread_id: 'chat-42' } })
  return late
}

export const middleware: AgentMiddleware = hermesMiddleware(hermes, { reviewModel: chat })

export const reviewers: readonly HostModel[] = [hostModel(chat), hostModel(new OpenAI()), hostModel(chat.withConfig({ tags: ['mine'] }))]
