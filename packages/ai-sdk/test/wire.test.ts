/** The bytes sent over HTTP through the provider packages of each major. */
import { LLMock } from '@copilotkit/aimock'
import { createHermes, type HermesEvent, inMemoryBackend } from '@hermes/core'
import { asList, asRecord } from '@hermes/core/adapter'
import { recordingSession } from '@hermes/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hermesMiddleware, hermesTools, withHermes } from '../src/index.ts'
import { type CountingServer, countingServer } from './support/counting-server.ts'
import { MAJORS, type Major } from './support/majors.ts'
import { systemTexts, WIRE_APIS, type WireApi, wireProvider } from './support/wire-providers.ts'

const mock = new LLMock({ port: 0, strict: true })
const INSTRUCTIONS = 'Be kind to the wire.'
const SAID = 'I prefer tabs over spaces.'

const proposals = JSON.stringify({
  proposals: [
    {
      target: 'user',
      op: { action: 'add', content: 'Prefers tabs over spaces.' },
      rationale: 'The user said so.',
      score: 0.9,
      evidence: [{ messageId: null, quote: SAID }],
    },
  ],
})

beforeAll(async () => {
  const isTurn = (messages: readonly { role: string; content: unknown }[]) =>
    messages.some(({ role, content }) => role === 'system' && JSON.stringify(content).includes(INSTRUCTIONS)) &&
    !JSON.stringify(messages.at(-1)?.content).includes('proposals')
  mock.on({ predicate: ({ messages }) => isTurn(messages) }, { content: 'Noted with care.' })
  mock.on({ predicate: ({ messages }) => !isTurn(messages) }, { content: proposals })
  await mock.start()
})

afterAll(() => mock.stop())

const baseUrl = () => `${mock.url}/v1`

const rememberedBefore = async (hermes: ReturnType<typeof createHermes>) => {
  const note = 'The repo builds with pnpm 12.'
  const proposal = {
    target: 'memory',
    op: { action: 'add', content: note },
    rationale: 'asked for',
    score: 1,
    evidence: [{ quote: note }],
  } as const
  const disposed = await hermes.session('before').submit(proposal, [{ role: 'user', text: `Remember: ${note}` }])
  expect(disposed).toMatchObject({ ok: true, value: { kind: 'applied' } })
}

const setUp = async (major: Major, api: WireApi, mode: 'digest' | 'replay' = 'digest') => {
  const hermes = createHermes({ storage: inMemoryBackend(), nudge: { memoryInterval: 1 }, review: { mode } })
  await rememberedBefore(hermes)
  const { model, bodies } = wireProvider(major.specification, api, baseUrl())
  return { hermes, model, bodies, block: await hermes.session('wire-session').systemBlock() }
}

describe.each(MAJORS.flatMap((major) => WIRE_APIS.map((api) => ({ name: major.name, api, major }))))('$name, $api', ({ major, api }) => {
  const { ai } = major
  const providerOptions = { hermes: { sessionId: 'wire-session' } }

  it('sends one system message with the block after the host’s words, streaming or not, and nothing of ours besides', async () => {
    const { hermes, model, bodies, block } = await setUp(major, api)
    const wrapped = ai.wrapLanguageModel({ model: model as never, middleware: hermesMiddleware(hermes) })
    const first = await ai.generateText({ model: wrapped, system: INSTRUCTIONS, prompt: 'Hello', providerOptions })
    await hermes.settled()
    const second = ai.streamText({ model: wrapped, system: INSTRUCTIONS, prompt: 'And again', providerOptions })
    expect([first.text, await second.text]).toEqual(['Noted with care.', 'Noted with care.'])
    await hermes.settled()
    expect(block).toContain('pnpm 12')
    const turns = bodies.filter((body) => body.includes(INSTRUCTIONS))
    expect(turns).toHaveLength(2)
    for (const body of turns) expect(systemTexts(api, body)).toEqual([`${INSTRUCTIONS}\n\n${block}`])
    for (const body of bodies) expect(body).not.toMatch(/wire-session|"hermes"|"purpose"/)
  })

  it('reviews the turn through the same provider, and the gate’s yes becomes memory', async () => {
    const { hermes, model, bodies } = await setUp(major, api)
    await ai.generateText({ model: withHermes(model, hermes.session('wire-session')), system: INSTRUCTIONS, prompt: SAID })
    await hermes.settled()
    expect(bodies).toHaveLength(2)
    expect(bodies[1]).toContain(SAID)
    expect(bodies[1]).toContain('Noted with care.')
    expect(bodies[1]).not.toContain(INSTRUCTIONS)
    expect(await hermes.session('after').systemBlock()).toContain('Prefers tabs over spaces.')
  })

  it('replays the host’s own request as the prefix of the second pass of the review', async () => {
    const { hermes, model, bodies } = await setUp(major, api, 'replay')
    const session = hermes.session('wire-session')
    const tools = hermesTools(session)
    await ai.generateText({ model: withHermes(model, session), system: INSTRUCTIONS, prompt: `${SAID}\n\n> A page`, tools })
    await hermes.settled()
    const [turn, first, review] = bodies.map((body) => asRecord(JSON.parse(body)))
    const messagesOf = (body: Readonly<Record<string, unknown>> | undefined) => asList(body?.['messages'] ?? body?.['input'])
    expect(JSON.stringify(first)).not.toContain(INSTRUCTIONS)
    expect(messagesOf(review).slice(0, messagesOf(turn).length)).toEqual(messagesOf(turn))
    expect(messagesOf(review)).toHaveLength(messagesOf(turn).length + 2)
    for (const key of ['system', 'tools', 'tool_choice', 'response_format', 'text', 'output_config'])
      expect(review?.[key]).toEqual(turn?.[key])
    expect(await hermes.session('after').systemBlock()).toContain('Prefers tabs over spaces.')
  })
})

describe.each(MAJORS)('$name, Anthropic’s cache', ({ ai, specification }) => {
  const cached = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const

  it('puts a breakpoint on the block alone when asked to', async () => {
    const { model, bodies } = wireProvider(specification, 'anthropic', baseUrl())
    const hermes = createHermes({ storage: inMemoryBackend() })
    await rememberedBefore(hermes)
    const session = hermes.session('chat')
    await ai.generateText({ model: withHermes(model, session, { cacheControl: true }), system: INSTRUCTIONS, prompt: 'Hello' })
    const blocks = asList(asRecord(JSON.parse(bodies[0] ?? ''))['system'])
    expect(blocks).toEqual([
      { type: 'text', text: INSTRUCTIONS },
      { type: 'text', text: await session.systemBlock(), cache_control: { type: 'ephemeral' } },
    ])
  })

  it('leaves the host’s own breakpoint where it is', async () => {
    const { model, bodies } = wireProvider(specification, 'anthropic', baseUrl())
    const hermes = createHermes({ storage: inMemoryBackend() })
    await rememberedBefore(hermes)
    const session = hermes.session('chat')
    const messages = [
      { role: 'system', content: INSTRUCTIONS, providerOptions: cached },
      { role: 'user', content: 'Hello' },
    ] as const
    const options = { model: withHermes(model, session), messages: [...messages], allowSystemInMessages: true }
    await ai.generateText(options)
    const blocks = asList(asRecord(JSON.parse(bodies[0] ?? ''))['system'])
    expect(blocks).toEqual([
      { type: 'text', text: INSTRUCTIONS, cache_control: { type: 'ephemeral' } },
      { type: 'text', text: await session.systemBlock() },
    ])
  })
})

let server: CountingServer

beforeAll(async () => {
  server = await countingServer('{"proposals": []}')
})

afterAll(() => server.stop())

const USAGE = { inputTokens: 100, cachedInputTokens: 80, outputTokens: 7 }

describe.each(MAJORS.flatMap((major) => WIRE_APIS.map((api) => ({ name: major.name, api, major }))))('$name, $api', ({ major, api }) => {
  it('counts in the cost of a review what the provider counted', async () => {
    const events: HermesEvent[] = []
    const hermes = createHermes({
      storage: inMemoryBackend(),
      nudge: { memoryInterval: 1 },
      onEvent: (event) => events.push(event),
    })
    const { model } = wireProvider(major.specification, api, server.url)
    await major.ai.generateText({ model: withHermes(model, hermes.session('one')), prompt: 'I live in Oslo.' })
    await hermes.settled()
    expect(events.find(({ type }) => type === 'review-finished')).toMatchObject({
      cost: { model: 'answering-1', calls: 1, ...USAGE, estimated: false },
    })
    await hermes.close()
  })

  it('tells the session which model a step asks, and what it used', async () => {
    const asked: (string | undefined)[] = []
    const session = recordingSession('chat', '', { beginStep: (_prompt, about) => asked.push(about?.modelId) })
    const { model } = wireProvider(major.specification, api, server.url)
    await major.ai.generateText({ model: withHermes(model, session), prompt: 'I live in Oslo.' })
    expect(session.ended).toMatchObject([{ usage: USAGE }])
    expect(asked).toEqual([api === 'anthropic' ? 'claude-sonnet-4-5' : 'gpt-4o-mini'])
  })
})
