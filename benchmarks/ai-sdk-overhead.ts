/** What the middleware adds to a turn: `generateText` around an instant model with 200 messages, bare and wrapped. Target: under 1 ms at p50. */
import { hermesMiddleware } from '@hermes/ai-sdk'
import { createHermes, inMemoryBackend } from '@hermes/core'
import { generateText, type ModelMessage, wrapLanguageModel } from 'ai'

export interface OverheadFigures {
  readonly bareP50Ms: number
  readonly bareP99Ms: number
  readonly hermesP50Ms: number
  readonly hermesP99Ms: number
  /** The difference of the medians. */
  readonly overheadMs: number
}

type Model = Parameters<typeof wrapLanguageModel>[0]['model']
type Generated = Awaited<ReturnType<Model['doGenerate']>>

const WARM_UP = 200
const ROUNDS = 1_000
const MESSAGES = 200

const answer = {
  content: [{ type: 'text', text: 'Fine.' }],
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  },
  warnings: [],
} satisfies Generated

const instantModel: Model = {
  specificationVersion: 'v4',
  provider: 'instant',
  modelId: 'instant-1',
  supportedUrls: {},
  doGenerate: async () => answer,
  doStream: () => Promise.reject(new Error('not measured')),
}

const history = Array.from(
  { length: MESSAGES - 1 },
  (_, index): ModelMessage => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: `Message ${index}: ${'some words '.repeat(20)}` }),
)

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** Milliseconds of one turn; every turn asks something new, so that each is counted. */
const timeTurn = async (model: Model, turn: number): Promise<number> => {
  const messages: ModelMessage[] = [...history.slice(1), { role: 'user', content: `Question ${turn}` }]
  const start = performance.now()
  await generateText({ model, system: 'Be kind.', messages })
  return performance.now() - start
}

/** Prints the figures and gives them back. Bare and wrapped turns alternate, so that neither has the warmer engine. */
export const run = async (): Promise<OverheadFigures> => {
  const hermes = createHermes({ storage: inMemoryBackend(), nudge: { memoryInterval: 0 } })
  const wrapped = wrapLanguageModel({ model: instantModel, middleware: hermesMiddleware(hermes.session('bench')) })
  const bareTimes: number[] = []
  const hermesTimes: number[] = []
  for (let turn = 0; turn < WARM_UP + ROUNDS; turn++) {
    const bare = await timeTurn(instantModel, turn)
    const withMemory = await timeTurn(wrapped, turn)
    await hermes.settled()
    if (turn < WARM_UP) continue
    bareTimes.push(bare)
    hermesTimes.push(withMemory)
  }
  await hermes.close()
  const sorted = [bareTimes, hermesTimes].map((times) => times.toSorted((a, b) => a - b))
  const [bareP50Ms = 0, hermesP50Ms = 0] = sorted.map((times) => percentile(times, 0.5))
  const [bareP99Ms = 0, hermesP99Ms = 0] = sorted.map((times) => percentile(times, 0.99))
  const figures: OverheadFigures = { bareP50Ms, bareP99Ms, hermesP50Ms, hermesP99Ms, overheadMs: hermesP50Ms - bareP50Ms }
  const ms = (value: number): string => `${value.toFixed(3)} ms`
  console.log(`ai-sdk overhead, generateText, ${MESSAGES} messages, ${ROUNDS} turns each`)
  console.log(`  bare          p50 ${ms(bareP50Ms)}   p99 ${ms(bareP99Ms)}`)
  console.log(`  with Hermes   p50 ${ms(hermesP50Ms)}   p99 ${ms(hermesP99Ms)}`)
  console.log(`  difference    p50 ${ms(figures.overheadMs)}   p99 ${ms(hermesP99Ms - bareP99Ms)}   (target: p50 under 1 ms)`)
  return figures
}

if (import.meta.main) await run()
