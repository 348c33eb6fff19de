/** The token counts that a provider returns over HTTP are the cost in the review's event, for the provider packages of each major. */
import { createHermes, type HermesEvent, inMemoryBackend } from '@hermes/core'
import { recordingSession } from '@hermes/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withHermes } from '../src/index.ts'
import { type CountingServer, countingServer } from './support/counting-server.ts'
import { MAJORS } from './support/majors.ts'
import { WIRE_APIS, wireProvider } from './support/wire-providers.ts'

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
