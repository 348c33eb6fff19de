/** Reviews by the host's own model. */
import type { ModelRequest } from '@openai/agents'
import { describe, expect, it } from 'vitest'
import { hermesTools, hostModel, withHermes } from '../src/index.ts'
import { RELEASES } from './support/releases.ts'
import { called, said, scriptedModel, textsOf } from './support/scripted-model.ts'
import { openWorld } from './support/world.ts'

describe.each(RELEASES)('$name', ({ sdk }) => {
  it('are calls of their own: untraced, without tools, with the host’s settings for reviews', async () => {
    const world = openWorld(sdk)
    const session = world.hermes.session('chat')
    const model = withHermes(world.model, session, { reviewSettings: { store: false } })
    const agent = new sdk.Agent({ name: 'Host', model, tools: hermesTools(session), modelSettings: { temperature: 0, toolChoice: 'auto' } })
    await sdk.run(agent, 'Hello')
    await world.hermes.settled()
    expect(world.reviews[0]).toMatchObject({ tracing: false, outputType: 'text', tools: [], handoffs: [], modelSettings: { store: false } })
    expect(world.reviews[0]?.modelSettings).toEqual({ store: false, maxTokens: expect.any(Number) })
    const request = { purpose: 'review', mode: 'digest', system: '', messages: [], schema: {}, maxOutputTokens: 9 } as const
    expect(await hostModel(world.model)({ ...request, signal: AbortSignal.timeout(9999) })).toEqual({
      text: '{"proposals":[]}',
      usage: { inputTokens: 30, cachedInputTokens: 20, outputTokens: 5 },
      model: 'scripted-1',
    })
  })

  it('replay the host’s call, with its answer and the question behind it, and force no tool', async () => {
    const world = openWorld(sdk, { review: { mode: 'replay' } })
    const parameters = { type: 'object', properties: {}, required: [], additionalProperties: true } as never
    const page = sdk.tool({ name: 'page', description: 'Reads.', strict: false, parameters, execute: async () => 'A page.' })
    const agent = new sdk.Agent({
      name: 'Host',
      instructions: 'You host.',
      model: withHermes(world.model, world.hermes.session('chat')),
      modelSettings: { toolChoice: 'required', maxTokens: 9_999_999 },
      tools: [page],
    })
    world.next(called('page'), said('It is a page.'))
    await sdk.run(agent, 'Hello')
    await world.hermes.settled()
    const last = world.asked.at(-1) as ModelRequest
    const replayed = world.reviews.find(({ input }) => textsOf({ input } as ModelRequest).includes('It is a page.')) as ModelRequest
    expect(replayed).toMatchObject({ systemInstructions: last.systemInstructions, tools: last.tools, tracing: false })
    expect(replayed.modelSettings.toolChoice).not.toBe('required')
    expect(replayed.modelSettings.maxTokens).toBeLessThan(9_999_999)
    expect(textsOf(replayed).slice(0, 4)).toEqual(['Hello', '', 'A page.', 'It is a page.'])
  })

  it('can be given to another model', async () => {
    const asked: ModelRequest[] = []
    const cheap = scriptedModel(sdk, {
      answer: async (_, request) => {
        asked.push(request)
        return { type: 'items', output: said('{"proposals":[]}') }
      },
    })
    const world = openWorld(sdk, { review: { model: hostModel(cheap, { store: false }) } })
    await sdk.run(new sdk.Agent({ name: 'Host', model: withHermes(world.model, world.hermes.session('chat')) }), 'Hello')
    await world.hermes.settled()
    expect([world.reviews.length, asked.length > 0, asked[0]?.modelSettings.store]).toEqual([0, true, false])
  })

  it('leave no text in the traces of the run', async () => {
    const exported: unknown[] = []
    sdk.setTracingDisabled(false)
    sdk.setTraceProcessors([new sdk.BatchTraceProcessor({ export: async (items: unknown[]) => void exported.push(...items) } as never)])
    try {
      const world = openWorld(sdk)
      await sdk.run(new sdk.Agent({ name: 'Host', model: withHermes(world.model, world.hermes.session('chat')) }), 'Hello')
      await world.hermes.settled()
      await sdk.getGlobalTraceProvider().forceFlush()
      expect(world.reviews).toHaveLength(1)
      expect(JSON.stringify(exported)).not.toContain('proposals')
    } finally {
      sdk.setTraceProcessors([])
      sdk.setTracingDisabled(true)
    }
  })
})
