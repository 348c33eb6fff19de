/**
 * What the adapters add to a call, around an instant model: `generateText` of the AI SDK, `createAgent` of LangChain, and `run` of the OpenAI Agents SDK. `no-op` is a middleware that does nothing; in LangChain, where each hook is a step of the agent's graph, `same hooks` has the
 * hooks, the state and the tools of ours, and does nothing in them.
 */
import { hermesMiddleware } from '@hermes/ai-sdk'
import { createHermes, type Hermes, inMemoryBackend } from '@hermes/core'
import { hermesMiddleware as hermesAgentMiddleware } from '@hermes/langchain/agent'
import { withHermes } from '@hermes/openai-agents'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, HumanMessage } from '@langchain/core/messages'
import type { ChatResult } from '@langchain/core/outputs'
import { Agent, type AgentInputItem, type Model as AgentsModel, run as runAgent, setTracingDisabled, Usage } from '@openai/agents'
import { generateText, type LanguageModelMiddleware, type ModelMessage, wrapLanguageModel } from 'ai'
import { type AgentMiddleware, createAgent, createMiddleware } from 'langchain'
import type { Report } from '../report.ts'
import { type Candidate, takeTurns, timesTable } from '../timing.ts'

const WARM_UP = 200
const ROUNDS = 1_000
const INSTRUCTIONS = 'Be kind.'
const QUIET = { memoryInterval: 0, skillInterval: 0 }

/** One call; every call asks something new, so that each is counted as a turn. */
type Call = (turn: number) => Promise<unknown>

const OURS = 'with Hermes'

interface Comparison {
  readonly title: string
  readonly hermes: Hermes
  /** By name; `OURS` is compared with each of the others. */
  readonly ways: Readonly<Record<string, Call>>
}

const textOf = (index: number): string => `Message ${index}: ${'some words '.repeat(20)}`

const question = (turn: number): string => `Question ${turn}`

type Model = Parameters<typeof wrapLanguageModel>[0]['model']

const answer = {
  content: [{ type: 'text', text: 'Fine.' }],
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  },
  warnings: [],
} satisfies Awaited<ReturnType<Model['doGenerate']>>

const instantModel: Model = {
  specificationVersion: 'v4',
  provider: 'instant',
  modelId: 'instant-1',
  supportedUrls: {},
  doGenerate: async () => answer,
  doStream: () => Promise.reject(new Error('not measured')),
}

const aiSdk = (count: number): Comparison => {
  const hermes = createHermes({ storage: inMemoryBackend(), nudge: QUIET })
  const history = Array.from(
    { length: count - 1 },
    (_, index): ModelMessage => ({ role: index % 2 === 0 ? 'assistant' : 'user', content: textOf(index) }),
  )
  const through = (middleware: LanguageModelMiddleware): Call => {
    const model = wrapLanguageModel({ model: instantModel, middleware })
    return (turn) => generateText({ model, system: INSTRUCTIONS, messages: [...history, { role: 'user', content: question(turn) }] })
  }
  return {
    title: `AI SDK, generateText, messages: ${count}`,
    hermes,
    ways: {
      'no-op': through({
        specificationVersion: 'v4',
        wrapGenerate: ({ doGenerate }) => doGenerate(),
        wrapStream: ({ doStream }) => doStream(),
      }),
      [OURS]: through(hermesMiddleware(hermes.session('bench'))),
    },
  }
}

class InstantChatModel extends BaseChatModel {
  override _llmType() {
    return 'instant'
  }
  override bindTools() {
    return this
  }
  override async _generate(): Promise<ChatResult> {
    return { generations: [{ text: 'Fine.', message: new AIMessage('Fine.') }] }
  }
}

const langChain = (count: number): Comparison => {
  const hermes = createHermes({ storage: inMemoryBackend(), nudge: QUIET })
  const history = Array.from({ length: count - 1 }, (_, index) =>
    index % 2 === 0 ? new AIMessage(textOf(index)) : new HumanMessage(textOf(index)),
  )
  const through = (middleware: AgentMiddleware): Call => {
    const agent = createAgent({ model: new InstantChatModel({}), systemPrompt: INSTRUCTIONS, middleware: [middleware] })
    return (turn) => agent.invoke({ messages: [...history, new HumanMessage(question(turn))] }, { configurable: { thread_id: 'bench' } })
  }
  const ours = hermesAgentMiddleware(hermes)
  const noOp = createMiddleware({ name: 'NoOp', wrapModelCall: (request, handler) => handler(request) })
  const sameHooks = { ...ours, wrapModelCall: noOp.wrapModelCall, afterAgent: () => undefined } as unknown as AgentMiddleware
  return {
    title: `LangChain, createAgent, messages: ${count}`,
    hermes,
    ways: {
      'no-op': through(noOp),
      'same hooks': through(sameHooks),
      [OURS]: through(ours),
    },
  }
}

const instantAgentsModel: AgentsModel = {
  getResponse: async () => ({
    usage: new Usage({ requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 }),
    output: [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Fine.' }] }],
  }),
  getStreamedResponse: () => {
    throw new Error('not measured')
  },
}

const openAiAgents = (count: number): Comparison => {
  setTracingDisabled(true)
  const hermes = createHermes({ storage: inMemoryBackend(), nudge: QUIET })
  const history = Array.from({ length: count - 1 }, (_, index): AgentInputItem => {
    const text = textOf(index)
    if (index % 2 === 1) return { type: 'message', role: 'user', content: text }
    return { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] }
  })
  const through = (model: AgentsModel): Call => {
    const agent = new Agent({ name: 'bench', instructions: INSTRUCTIONS, model })
    return (turn) => runAgent(agent, [...history, { type: 'message', role: 'user', content: question(turn) }])
  }
  return {
    title: `OpenAI Agents, run, messages: ${count}`,
    hermes,
    ways: {
      'no-op': through({ ...instantAgentsModel, getResponse: (request) => instantAgentsModel.getResponse(request) }),
      [OURS]: through(withHermes(instantAgentsModel, hermes.session('bench'))),
    },
  }
}

const compare = async ({ title, hermes, ways }: Comparison): Promise<string> => {
  const after = () => hermes.settled()
  const candidates = Object.fromEntries(Object.entries(ways).map(([name, act]): [string, Candidate] => [name, { act, after }]))
  const times = await takeTurns(candidates, ROUNDS, WARM_UP)
  await hermes.close()
  return timesTable(title, times)
}

/** Each begins anew. */
const comparisons: readonly (() => Comparison)[] = [
  () => aiSdk(1),
  () => aiSdk(200),
  () => langChain(1),
  () => langChain(200),
  () => openAiAgents(1),
  () => openAiAgents(200),
]

export const measureAdapters = async (): Promise<Report> => {
  const blocks: string[] = []
  for (const comparison of comparisons) blocks.push(await compare(comparison()))
  return { blocks }
}
