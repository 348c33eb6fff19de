/** Recalled text: behind the user’s message, with the same bytes in every later call, and nowhere else. */

import { fenceContext } from '@hermes/core/adapter'
import type { MemoryProvider, ProviderToolCall, RecallQuery } from '@hermes/core/provider'
import { expect, it } from 'vitest'
import type { AdapterCapabilities, CreateAdapterHost, ModelCall } from './adapter-host.ts'
import { calls, delegates, fails, looksUp, says } from './model.ts'
import { createWorld, INSTRUCTIONS, lastTool, textOf } from './world.ts'

interface RecallingProvider extends MemoryProvider {
  /** Every question that it was asked, by session and in order. */
  readonly queries: readonly RecallQuery[]
  /** Every call of its tool. */
  readonly toolCalls: readonly ProviderToolCall[]
}

const SEARCH_TOOL = 'past_search'

/** How it recalls. Default: the fact for the message. */
type Recalling = (query: RecallQuery) => string | Promise<string>

/** What the provider knows about a message. */
const factFor = (text: string): string => `Long ago, "${text}" was answered with a poem.`

const recallingProvider = (recalling: Recalling = ({ text }) => factFor(text)): RecallingProvider => {
  const queries: RecallQuery[] = []
  const toolCalls: ProviderToolCall[] = []
  return {
    name: 'conformance',
    queries,
    toolCalls,
    tools: [
      {
        name: SEARCH_TOOL,
        description: 'Searches what was said in the past.',
        inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
      },
    ],
    initialize: () => ({
      prefetch: async (query) => {
        queries.push(query)
        return recalling(query)
      },
      callTool: async (call) => {
        toolCalls.push(call)
        return { found: `A poem about ${String(call.input['query'])}.` }
      },
    }),
  }
}

/** Short, so that a test of a provider that hangs is quick. */
const TIMEOUT_MS = 40

/** The text of a user message as the model receives it. */
const recalledFor = (text: string): string => `${text}\n\n${fenceContext(factFor(text))}`

const user = (text: string) => ({ role: 'user', text: recalledFor(text) })
const assistant = (text: string) => ({ role: 'assistant', text })

/** Each call's conversation begins with that of the call before it. */
const expectStablePrefix = (calls: readonly ModelCall[]): void => {
  for (const [at, { messages }] of calls.slice(1).entries()) {
    const before = calls[at]?.messages ?? []
    expect(messages.slice(0, before.length)).toEqual(before)
  }
}

const cut = (text: string, size: number): readonly string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size))

export const recallCases = (
  createHost: CreateAdapterHost,
  { toolLoop, retries, streaming, extent }: Required<AdapterCapabilities>,
): void => {
  const start = async (recalling?: Recalling) => {
    const provider = recallingProvider(recalling)
    const world = await createWorld(createHost, { memory: { provider, providerTimeoutMs: TIMEOUT_MS } })
    return { world, provider }
  }

  it('shows what is recalled behind the user’s message, asked with the user’s words', async () => {
    const { world, provider } = await start()
    await world.turn('chat', 'Hello')
    expect(world.turnCalls).toMatchObject([{ system: INSTRUCTIONS, messages: [user('Hello')] }])
    expect(provider.queries).toMatchObject([{ sessionId: 'chat', text: 'Hello' }])
    expect(world.hostStore()).not.toContain('memory-context')
  })

  if (extent === 'wiring') return

  it('sends the same bytes over 50 turns, each fence once', async () => {
    const { world, provider } = await start()
    await world.remember('before', 'The repo builds with pnpm 12.')
    for (let turn = 1; turn <= 50; turn++) {
      await world.turn('chat', `Question ${turn}`)
      await world.remember('other', `Fact ${turn}.`)
    }
    expect(world.turnCalls).toHaveLength(50)
    expect(new Set(world.turnCalls.map(({ system }) => system)).size).toBe(1)
    expectStablePrefix(world.turnCalls)
    const asked = Array.from({ length: 50 }, (_, at) => `Question ${at + 1}`)
    expect(provider.queries.map(({ text }) => text)).toEqual(asked)
    expect(world.turnCalls.at(-1)?.messages.filter(({ role }) => role === 'user')).toEqual(asked.map(user))
    expect(world.hostStore()).not.toContain('memory-context')
  })

  it('sends the same bytes from another process', async () => {
    const { world, provider } = await start()
    await world.turn('chat', 'Hello')
    await world.restart()
    await world.turn('chat', 'Hello again')
    expect(world.turnCalls[1]?.messages).toEqual([user('Hello'), assistant('Fine.'), user('Hello again')])
    expect(provider.queries).toHaveLength(2)
  })

  it('sends the same bytes for a regenerated answer', async () => {
    const { world, provider } = await start()
    await world.turn('chat', 'First')
    await world.turn('chat', 'Second')
    await world.turn('chat', 'Second', { regenerate: true })
    expect(world.turnCalls[2]?.messages).toEqual(world.turnCalls[1]?.messages)
    expect(provider.queries).toHaveLength(2)
  })

  it('hides a fence that the model repeats, however its answer is cut', async () => {
    const { world } = await start()
    const answer = (text: string): string => `Sure.\n${fenceContext(factFor(text))}\nA poem <3`
    for (const size of [1, 2, 5, 16, 400]) {
      const text = `In pieces of ${size}`
      const received: string[] = []
      world.answerTurns(() => says(...cut(answer(text), size)))
      const reply = await world.turn('chat', text, { onChunk: (chunk) => received.push(chunk) })
      expect(reply).toBe('Sure.\n\nA poem <3')
      if (streaming) expect(received.join('')).toBe(reply)
    }
    await world.turn('chat', 'Thanks')
    const said = world.turnCalls.at(-1)?.messages.filter(({ role }) => role === 'assistant') ?? []
    expect(new Set(said.map(({ text }) => text))).toEqual(new Set(['Sure.\n\nA poem <3']))
  })

  it('shows the answer behind a fence that the model never closes', async () => {
    const { world } = await start()
    const copy = fenceContext(factFor('Hello')).replace('\n</memory-context>', '')
    world.answerTurns(() => says(...cut(`${copy}\nA poem.`, 7)))
    expect(await world.turn('chat', 'Hello')).toBe('A poem.')
    world.answerTurns(() => says('The wrapper is\n<memory-context>\nand nothing else.'))
    expect(await world.turn('chat', 'Which wrapper?')).toBe('The wrapper is\n<memory-context>\nand nothing else.')
  })

  it.each<[string, Recalling]>([
    ['throws', () => Promise.reject(new Error('no network'))],
    ['hangs', () => new Promise(() => undefined)],
    ['answers with something else', () => 7 as unknown as string],
    ['knows nothing', () => ''],
  ])('answers without recalled text if the provider %s', async (_what, recalling) => {
    const { world } = await start(recalling)
    expect(await world.turn('chat', 'Hello')).toBe('Fine.')
    expect(await world.turn('chat', 'Still there?')).toBe('Fine.')
    const plain = (text: string) => ({ role: 'user', text })
    expect(world.turnCalls[1]?.messages).toEqual([plain('Hello'), assistant('Fine.'), plain('Still there?')])
  })

  if (retries) {
    it('sends the same bytes for a call that is tried again', async () => {
      const { world, provider } = await start()
      world.answerTurns(() => fails(new Error('503'), true))
      expect(await world.turn('chat', 'Hello')).toBe('Fine.')
      expect(world.turnCalls.map(({ messages }) => messages)).toEqual([[user('Hello')], [user('Hello')]])
      expect(provider.queries).toHaveLength(1)
    })
  }

  if (toolLoop) {
    it('recalls once for a turn of several steps', async () => {
      const { world, provider } = await start()
      world.answerTurns(() => looksUp('poems'))
      await world.turn('chat', 'Look it up')
      expect(world.turnCalls).toHaveLength(2)
      expectStablePrefix(world.turnCalls)
      expect(world.turnCalls[1]?.messages[0]).toEqual(user('Look it up'))
      expect(provider.queries).toHaveLength(1)
    })

    it('runs the provider’s tool in the session that calls it, and counts its result as text from outside', async () => {
      const { world, provider } = await start()
      const rule = 'Always write poems about the sea.'
      world.answerTurns(
        () => calls(SEARCH_TOOL, { query: 'the sea' }),
        () => calls('memory', { target: 'user', action: 'add', content: rule }),
      )
      await world.turn('chat', 'What did we write?')
      expect(provider.toolCalls).toEqual([{ name: SEARCH_TOOL, input: { query: 'the sea' }, sessionId: 'chat' }])
      const results = world.turnCalls.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? []
      expect(JSON.parse(results[0]?.text ?? '')).toMatchObject({ found: 'A poem about the sea.' })
      expect(JSON.parse(lastTool(world))).toMatchObject({ success: false })
      expect(await world.stored('user')).toBe('')
    })

    it('recalls nothing for what a tool asks', async () => {
      const { world, provider } = await start()
      world.answerTurns(
        () => delegates('chat', 'What is a poem?'),
        () => says('Verse.'),
      )
      await world.turn('chat', 'Look into it please')
      expect(textOf(world.turnCalls[1])).toBe('What is a poem?')
      expect(provider.queries.map(({ text }) => text)).toEqual(['Look into it please'])
    })
  }
}
