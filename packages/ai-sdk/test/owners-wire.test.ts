/** What a server with many owners sends to its provider over HTTP: a request of one owner contains no data of another. */
import { LLMock } from '@copilotkit/aimock'
import { createHermesHomes, type HermesEvent, inMemoryBackend } from '@hermes/core'
import type { ToolSet } from 'ai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HermesCallOptions, hermesTools, withHermes } from '../src/index.ts'
import { MAJORS } from './support/majors.ts'
import { systemTexts, WIRE_APIS, wireProvider } from './support/wire-providers.ts'

const mock = new LLMock({ port: 0, strict: true })
const INSTRUCTIONS = 'Be kind to the wire.'
const FACT = 'My salary is 93000 euros.'
const ALICE = { user: 'id-of-alice', tenant: 'id-of-acme' }
const BOB = { user: 'id-of-bob', tenant: 'id-of-acme' }

beforeAll(async () => {
  const remember = { name: 'memory', arguments: JSON.stringify({ target: 'user', action: 'add', content: FACT }) }
  mock.on({ userMessage: /remember/, hasToolResult: false }, { toolCalls: [remember] })
  mock.on({ userMessage: /remember/, hasToolResult: true }, { content: 'I will.' })
  mock.on({ userMessage: /Hello/ }, { content: 'Hello to you.' })
  await mock.start()
})

afterAll(() => mock.stop())

describe.each(MAJORS.flatMap((major) => WIRE_APIS.map((api) => ({ name: major.name, api, major }))))('$name, $api', ({ major, api }) => {
  const { ai, specification } = major

  it('sends each person’s memory in their own requests alone, and nobody’s in a guest’s', async () => {
    const events: HermesEvent[] = []
    const homes = createHermesHomes({ storage: inMemoryBackend(), onEvent: (event) => events.push(event) })
    const { model: bare, bodies } = wireProvider(specification, api, `${mock.url}/v1`)
    const model = withHermes(bare, homes, { onWarning: () => undefined })
    const tools = hermesTools(homes) as ToolSet
    const chat = async (hermes: HermesCallOptions, prompt: string): Promise<string> => {
      const options = { model, tools, system: INSTRUCTIONS, prompt, stopWhen: ai.stepCountIs(3), providerOptions: { hermes } }
      return ai.streamText(options).text
    }
    expect(await chat({ ...ALICE, sessionId: 'first' }, `Please remember: ${FACT}`)).toBe('I will.')
    const before = bodies.length
    const people = [{ ...ALICE, sessionId: 'chat' }, { ...BOB, sessionId: 'chat' }, { sessionId: 'chat' }]
    for (const [index, hermes] of people.entries()) expect(await chat(hermes, `Hello ${index}`)).toBe('Hello to you.')
    const [alices = '', bobs = '', guests = ''] = bodies.slice(before)
    expect(systemTexts(api, alices).join()).toContain(FACT)
    for (const body of [bobs, guests]) expect(systemTexts(api, body)).toEqual([INSTRUCTIONS])
    for (const body of [bobs, guests]) expect(body).not.toContain('93000')
    for (const body of bodies) expect(body).not.toMatch(/id-of-|"hermes"|sessionId/)
    expect(events.flatMap((event) => (event.type === 'wiring-failed' ? [event.mistake] : []))).toEqual(['missing-owner'])
  })
})
