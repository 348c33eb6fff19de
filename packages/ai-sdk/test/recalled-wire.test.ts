/** Recalled text in the bytes sent over HTTP, and in the answers that come back, through the provider packages of each major. */
import { LLMock } from '@copilotkit/aimock'
import { createHermes, inMemoryBackend } from '@hermes/core'
import { asList, asRecord, fenceContext } from '@hermes/core/adapter'
import type { MemoryProvider } from '@hermes/core/provider'
import type { ModelMessage } from 'ai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withHermes } from '../src/index.ts'
import { MAJORS } from './support/majors.ts'
import { WIRE_APIS, wireProvider } from './support/wire-providers.ts'

const fenceFor = (text: string): string => fenceContext(`The user said "${text}" last week.`)

const provider: MemoryProvider = {
  name: 'wire',
  initialize: () => ({ prefetch: async ({ text }) => `The user said "${text}" last week.` }),
}

const mock = new LLMock({ port: 0, strict: true, chunkSize: 7 })

beforeAll(async () => {
  mock.on({ predicate: () => true }, { content: `Sure.\n- ${fenceFor('Hello')}\nWelcome back.` })
  await mock.start()
})

afterAll(() => mock.stop())

const SHOWN = 'Sure.\n- \nWelcome back.'
const cached = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const

const setUp = (specification: (typeof MAJORS)[number]['specification'], api: (typeof WIRE_APIS)[number]) => {
  const { model, bodies } = wireProvider(specification, api, `${mock.url}/v1`)
  const hermes = createHermes({ storage: inMemoryBackend(), memory: { provider }, nudge: { memoryInterval: 0 } })
  const sent = () =>
    bodies.map((body) => {
      const { messages, input } = asRecord(JSON.parse(body))
      return asList(messages ?? input)
    })
  return { model: withHermes(model, hermes.session('chat')), sent }
}

describe.each(MAJORS.flatMap((major) => WIRE_APIS.map((api) => ({ name: major.name, api, major }))))('$name, $api', ({ major, api }) => {
  const { ai, specification } = major

  it('sends the same bytes again, and shows nothing of a repeated fence, streaming or not', async () => {
    const { model, sent } = setUp(specification, api)
    const messages: ModelMessage[] = [{ role: 'user', content: 'Hello' }]
    const first = await ai.generateText({ model, messages })
    expect(first.text).toBe(SHOWN)
    messages.push({ role: 'assistant', content: first.text }, { role: 'user', content: 'And again' })
    const second = ai.streamText({ model, messages })
    let streamed = ''
    for await (const piece of second.textStream) streamed += piece
    expect(streamed).toBe(SHOWN)
    const [before = [], after = []] = sent()
    expect(before).toHaveLength(1)
    expect(after.slice(0, 1)).toEqual(before)
    expect(JSON.stringify(before)).toContain(JSON.stringify(`Hello\n\n${fenceFor('Hello')}`))
    expect(JSON.stringify(after[2])).toContain(JSON.stringify(`And again\n\n${fenceFor('And again')}`))
    expect(JSON.stringify(messages)).not.toContain('memory-context')
  })
})

describe.each(MAJORS)('$name, Anthropic’s cache', ({ ai, specification }) => {
  it('covers the fence with a breakpoint on the message', async () => {
    const { model, sent } = setUp(specification, 'anthropic')
    await ai.generateText({ model, messages: [{ role: 'user', content: 'Hello', providerOptions: cached }] })
    expect(sent()[0]).toEqual([
      { role: 'user', content: [{ type: 'text', text: `Hello\n\n${fenceFor('Hello')}`, cache_control: { type: 'ephemeral' } }] },
    ])
  })

  it('leaves a part with a breakpoint as it is, with the fence behind it', async () => {
    const { model, sent } = setUp(specification, 'anthropic')
    const content = [{ type: 'text', text: 'Hello', providerOptions: cached }] as const
    await ai.generateText({ model, messages: [{ role: 'user', content: [...content] }] })
    expect(sent()[0]).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hello', cache_control: { type: 'ephemeral' } },
          { type: 'text', text: `\n\n${fenceFor('Hello')}` },
        ],
      },
    ])
  })
})
