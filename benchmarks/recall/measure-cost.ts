/**
 * Plays a conversation through the AI SDK adapter, with and without recall, and compares the prompts of one call with those of the next: what is not the same prefix
 * has to be paid for in full.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withHermes } from '@hermes/ai-sdk'
import { createHermes, type HermesEvent, inMemoryBackend } from '@hermes/core'
import { recallProvider, sqliteRecallIndex } from '@hermes/recall'
import { generateText, jsonSchema, type ModelMessage, stepCountIs, tool, type wrapLanguageModel } from 'ai'
import type { Corpus, PastSession } from './corpus.ts'
import { ASKED_AT } from './generate-sessions.ts'

const TURNS = 50
/** Every so many turns the agent calls a tool first. */
const TOOL_EVERY = 5
const INSTRUCTIONS = 'You are a helpful assistant. Answer in a sentence or two.'
const QUIET = { memoryInterval: 0, skillInterval: 0, minTurns: 1_000 }

const LOOK_UP = jsonSchema<{ readonly what: string }>({ type: 'object', properties: { what: { type: 'string' } }, required: ['what'] })

type Model = Parameters<typeof wrapLanguageModel>[0]['model']
type Generated = Awaited<ReturnType<Model['doGenerate']>>
type Prompt = Parameters<Model['doGenerate']>[0]['prompt']

const USAGE: Generated['usage'] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}

/** Looks something up in every fifth turn; writes down every prompt. */
const scriptedModel = (prompts: Prompt[]): Model => {
  let calls = 0
  return {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId: 'scripted-1',
    supportedUrls: {},
    doGenerate: async ({ prompt }) => {
      prompts.push(prompt)
      const turn = prompt.filter(({ role }) => role === 'user').length
      if (turn % TOOL_EVERY === 0 && prompt.at(-1)?.role === 'user') {
        const call = { type: 'tool-call', toolCallId: `call-${++calls}`, toolName: 'look_up', input: '{"what":"it"}' } as const
        return { content: [call], finishReason: { unified: 'tool-calls', raw: 'tool-calls' }, usage: USAGE, warnings: [] }
      }
      const text = `This is answer number ${turn}. ${'It says a little about the question. '.repeat(4)}`
      return { content: [{ type: 'text', text }], finishReason: { unified: 'stop', raw: 'stop' }, usage: USAGE, warnings: [] }
    },
    doStream: () => Promise.reject(new Error('not measured')),
  }
}

/** The prompts of all calls, in order. */
interface Played {
  readonly prompts: readonly Prompt[]
  readonly turnsWithRecall: number
  readonly failures: readonly string[]
}

interface Recalling {
  readonly folder: string
  readonly past: readonly PastSession[]
}

const fill = async (provider: ReturnType<typeof recallProvider>, past: readonly PastSession[]): Promise<void> => {
  const report = (problem: Error): never => {
    throw problem
  }
  const { index } = await provider.openRecall({ folder: '', clock: () => ASKED_AT, report })
  const items = past.flatMap(({ id, automated, turns }) =>
    turns.map(({ user, assistant, at }, turn) => ({
      id: `${id}-${turn}`,
      kind: 'turn' as const,
      source: id,
      at,
      automated,
      user,
      answer: assistant,
    })),
  )
  await index.add(items)
  await index.close()
}

const play = async (questions: readonly string[], recalling: Recalling | undefined): Promise<Played> => {
  const provider = recalling && recallProvider({ index: sqliteRecallIndex({ folder: recalling.folder }) })
  if (provider && recalling) await fill(provider, recalling.past)
  const events: HermesEvent[] = []
  const hermes = createHermes({
    storage: inMemoryBackend(),
    nudge: QUIET,
    clock: () => ASKED_AT,
    onEvent: (event) => events.push(event),
    memory: provider ? { provider, providerTimeoutMs: 10_000 } : {},
  })
  await hermes.memoryStore().apply('user', { action: 'add', content: 'Prefers short answers.' })
  const prompts: Prompt[] = []
  const model = withHermes(scriptedModel(prompts), hermes.session('chat'))
  const tools = { look_up: tool({ inputSchema: LOOK_UP, execute: async () => 'Found: nothing new.' }) }
  let history: readonly ModelMessage[] = []
  for (const question of questions) {
    const messages: ModelMessage[] = [...history, { role: 'user', content: question }]
    const { response } = await generateText({ model, system: INSTRUCTIONS, messages, tools, stopWhen: stepCountIs(3) })
    history = [...messages, ...response.messages]
  }
  await hermes.close()
  return {
    prompts,
    turnsWithRecall: events.filter(({ type }) => type === 'recalled').length,
    failures: events.flatMap((event) => (event.type === 'provider-failed' ? [`${event.operation}: ${event.error.message}`] : [])),
  }
}

const systemOf = (prompt: Prompt): string => JSON.stringify(prompt.filter(({ role }) => role === 'system'))

const samePrefix = (before: string, now: string): number => {
  let length = 0
  while (length < before.length && before[length] === now[length]) length++
  return length
}

/** Characters that are not the prefix of the call before; the first call is all new. */
const uncachedChars = (prompts: readonly Prompt[]): number => {
  let before = ''
  return prompts.reduce((sum, prompt) => {
    const now = prompt.map((message) => JSON.stringify(message)).join('\n')
    const added = now.length - samePrefix(before, now)
    before = now
    return sum + added
  }, 0)
}

const FENCE = /<memory-context>.*?<\/memory-context>/gs

/** Of the last prompt, which holds every turn. Counted as they are in the JSON of a prompt. */
const recalledChars = (prompts: readonly Prompt[]): number =>
  [...JSON.stringify(prompts.at(-1) ?? []).matchAll(FENCE)].reduce((sum, [fence]) => sum + fence.length, 0)

export interface CostOutcome {
  readonly turns: number
  readonly calls: number
  readonly turnsWithRecall: number
  /** Different system prompts; 1 is what is promised. */
  readonly systemPrompts: number
  readonly recalledChars: number
  readonly uncachedChars: number
  /** The same conversation without recall. */
  readonly idealChars: number
  /** What is paid besides the recalled text, as a share of the ideal. */
  readonly share: number
  readonly failures: readonly string[]
}

export const MOST_SHARE = 1.05

export const measureCost = async ({ sessions, questions }: Corpus): Promise<CostOutcome> => {
  const said = questions.slice(0, TURNS).map(({ text }) => text)
  const folder = await mkdtemp(join(tmpdir(), 'hermes-recall-cost-'))
  try {
    const [plain, recalling] = [await play(said, undefined), await play(said, { folder, past: sessions })]
    const [ideal, uncached, recalled] = [uncachedChars(plain.prompts), uncachedChars(recalling.prompts), recalledChars(recalling.prompts)]
    return {
      turns: said.length,
      calls: recalling.prompts.length,
      turnsWithRecall: recalling.turnsWithRecall,
      systemPrompts: new Set(recalling.prompts.map(systemOf)).size,
      recalledChars: recalled,
      uncachedChars: uncached,
      idealChars: ideal,
      share: (uncached - recalled) / ideal,
      failures: [...plain.failures, ...recalling.failures],
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
