/**
 * What the adapters add to a call beside a middleware that does nothing, around an instant model: `generateText` of the AI SDK with 200 messages, and a
 * `createAgent` of LangChain with one and with 200. Both ways take turns in one run, so that neither has the warmer engine. Targets: at most 0.08 ms a call
 * for the AI SDK, at most 0.5 ms for LangChain.
 */
import { hermesMiddleware } from '@hermes/ai-sdk'
import { createHermes, type Hermes, inMemoryBackend } from '@hermes/core'
import { hermesMiddleware as hermesAgentMiddleware } from '@hermes/langchain/agent'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, HumanMessage } from '@langchain/core/messages'
import type { ChatResult } from '@langchain/core/outputs'
import { generateText, type LanguageModelMiddleware, type ModelMessage, wrapLanguageModel } from 'ai'
import { type AgentMiddleware, createAgent, createMiddleware } from 'langchain'

const WARM_UP = 200
const ROUNDS = 1_000
const INSTRUCTIONS = 'Be kind.'
const QUIET = { memoryInterval: 0, skillInterval: 0 }

/** One call; every call asks something new, so that each is counted as a turn. */
type Call = (turn: number) => Promise<unknown>

interface Pair {
  readonly title: string
  readonly targetMs: number
  readonly hermes: Hermes
  readonly noOp: Call
  readonly withHermes: Call
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

const aiSdk = (count: number): Pair => {
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
    targetMs: 0.08,
    hermes,
    noOp: through({
      specificationVersion: 'v4',
      wrapGenerate: ({ doGenerate }) => doGenerate(),
      wrapStream: ({ doStream }) => doStream(),
    }),
    withHermes: through(hermesMiddleware(hermes.session('bench'))),
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

const langChain = (count: number): Pair => {
  const hermes = createHermes({ storage: inMemoryBackend(), nudge: QUIET })
  const history = Array.from({ length: count - 1 }, (_, index) =>
    index % 2 === 0 ? new AIMessage(textOf(index)) : new HumanMessage(textOf(index)),
  )
  const through = (middleware: AgentMiddleware): Call => {
    const agent = createAgent({ model: new InstantChatModel({}), systemPrompt: INSTRUCTIONS, middleware: [middleware] })
    return (turn) => agent.invoke({ messages: [...history, new HumanMessage(question(turn))] }, { configurable: { thread_id: 'bench' } })
  }
  return {
    title: `LangChain, createAgent, messages: ${count}`,
    targetMs: 0.5,
    hermes,
    noOp: through(createMiddleware({ name: 'NoOp', wrapModelCall: (request, handler) => handler(request) })),
    withHermes: through(hermesAgentMiddleware(hermes)),
  }
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** Milliseconds of one call. */
const time = async (call: Call, turn: number): Promise<number> => {
  const start = performance.now()
  await call(turn)
  return performance.now() - start
}

const ms = (value: number): string => `${value.toFixed(3).padStart(7)} ms`

const measure = async ({ title, targetMs, hermes, noOp, withHermes }: Pair): Promise<void> => {
  const times: { readonly noOp: number; readonly withHermes: number }[] = []
  for (let turn = 0; turn < WARM_UP + ROUNDS; turn++) {
    const pair = { noOp: await time(noOp, turn), withHermes: await time(withHermes, turn) }
    await hermes.settled()
    if (turn >= WARM_UP) times.push(pair)
  }
  await hermes.close()
  const figures = ([0.5, 0.99] as const).map((share) => {
    const of = (way: 'noOp' | 'withHermes') =>
      percentile(
        times.map((pair) => pair[way]).toSorted((a, b) => a - b),
        share,
      )
    return { noOp: of('noOp'), withHermes: of('withHermes') }
  })
  const line = (name: string, read: (figure: { noOp: number; withHermes: number }) => string) =>
    console.log(`  ${name.padEnd(12)} p50 ${figures.map(read).join('   p99 ')}`)
  console.log(`${title}, calls: ${ROUNDS} each`)
  line('no-op', (figure) => ms(figure.noOp))
  line('with Hermes', (figure) => ms(figure.withHermes))
  line('difference', (figure) => ms(figure.withHermes - figure.noOp))
  line('ratio', (figure) => `${(figure.withHermes / figure.noOp).toFixed(2).padStart(7)} ×`)
  console.log(`  target       p50 ${ms(targetMs)} of difference at most`)
}

/** Each begins anew; exported so that one can be profiled alone. */
export const pairs: readonly (() => Pair)[] = [() => aiSdk(1), () => aiSdk(200), () => langChain(1), () => langChain(200)]

/** Prints the figures. */
export const run = async (): Promise<void> => {
  for (const pair of pairs) await measure(pair())
}

if (import.meta.main) await run()
