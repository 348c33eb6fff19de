/** Wrong wiring of a model or a tool, and models that fail: an error that says what to write, or the call as it would be without Hermes. */
import { createHermes, inMemoryBackend } from '@hermes/core'
import type { Model } from '@openai/agents'
import { describe, expect, it, vi } from 'vitest'
import { hermesTools, runWithHermes, withHermes } from '../src/index.ts'
import { NEWEST, RELEASES } from './support/releases.ts'
import { said, scriptedModel } from './support/scripted-model.ts'
import { openWorld } from './support/world.ts'

const hermes = createHermes({ storage: inMemoryBackend() })
const fine = scriptedModel(NEWEST.sdk, { answer: async () => ({ type: 'items', output: said('Fine.') }) })

describe('a wrong argument', () => {
  it.each<[string, unknown]>([
    ['the name of a model', 'gpt-5'],
    ['nothing', undefined],
    ['a provider', { getModel: () => fine }],
    ['a model of the AI SDK', { specificationVersion: 'v3', doGenerate: () => undefined, doStream: () => undefined }],
  ])('instead of a model is a TypeError that says what to write: %s', (_what, model) => {
    expect(() => withHermes(model as Model, hermes)).toThrow(/needs a Model object.*getModel\('gpt-5'\)/)
  })

  it('instead of a target is a TypeError', () => {
    expect(() => withHermes(fine, {} as never)).toThrow(/withHermes needs a session, a Hermes/)
    expect(() => hermesTools('chat' as never)).toThrow(/hermesTools needs a session, a Hermes/)
  })

  it('a tool that does not exist is a TypeError', () => {
    expect(() => hermesTools(hermes, { only: ['memroy' as 'memory'] })).toThrow(/'memroy' is not a tool of Hermes/)
  })
})

it('a wrapped model is still the host’s: its class, its fields and its private state', async () => {
  class Own {
    #calls = 0
    label = 'own'
    get calls() {
      return this.#calls
    }
    count() {
      return this.#calls
    }
    async getResponse() {
      this.#calls += 1
      return { output: said('Fine.'), usage: {} }
    }
    async *getStreamedResponse() {
      yield { type: 'response_started' }
    }
  }
  const model = withHermes(new Own(), hermes.session('own'), { onWarning: () => undefined })
  await model.getResponse()
  expect([model instanceof Own, model.label, model.calls, model.count()]).toEqual([true, 'own', 1, 1])
  expect(model.constructor).toBe(Own)
  model.label = 'changed'
  expect(model.label).toBe('changed')
})

it('a frozen model can be wrapped', async () => {
  const model = withHermes(Object.freeze({ ...fine }), hermes.session('frozen'))
  const { output } = await model.getResponse({ input: 'Hello', modelSettings: {}, tools: [], handoffs: [] } as never)
  expect(output).toEqual(said('Fine.'))
  expect('getResponse' in model).toBe(true)
})

describe.each(RELEASES)('$name', ({ sdk }) => {
  const agentOf = (world: ReturnType<typeof openWorld>, more: object = {}) =>
    new sdk.Agent({ name: 'Host', model: withHermes(world.model, world.hermes.session('chat'), { onWarning: world.onWarning }), ...more })

  it('a model that throws fails the run as it does without Hermes, and counts no turn', async () => {
    const world = openWorld(sdk)
    world.next(new Error('out of credit'), new Error('out of credit'))
    await expect(sdk.run(agentOf(world), 'Hello')).rejects.toThrow('out of credit')
    const streamed = await sdk.run(agentOf(world), 'Hello', { stream: true })
    await expect(streamed.completed).rejects.toThrow('out of credit')
    expect(await world.turns()).toBe(0)
    await sdk.run(agentOf(world), 'Hello')
    expect(await world.turns()).toBe(1)
  })

  it('a model that hangs ends with the host’s signal', async () => {
    const world = openWorld(sdk)
    world.next(({ signal }) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))))
    const signal = AbortSignal.timeout(20)
    await expect(sdk.run(agentOf(world), 'Hello', { signal })).rejects.toThrow()
    expect(await world.turns()).toBe(0)
  })

  it('a stream that hangs half way ends with the host’s signal, and counts no turn', async () => {
    const world = openWorld(sdk)
    const hangs: Model = {
      ...world.model,
      async *getStreamedResponse({ signal }) {
        yield { type: 'output_text_delta', delta: 'Half an ' }
        await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
      },
    }
    const agent = new sdk.Agent({ name: 'Host', model: withHermes(hangs, world.hermes.session('chat')) })
    const result = await sdk.run(agent, 'Hello', { stream: true, signal: AbortSignal.timeout(20) })
    await result.completed.catch(() => undefined)
    expect(await world.turns()).toBe(0)
  })

  it('a stream that ends half way passes on what came, and counts no turn', async () => {
    const world = openWorld(sdk)
    const half: Model = {
      ...world.model,
      async *getStreamedResponse() {
        yield { type: 'response_started' }
        yield { type: 'output_text_delta', delta: 'Half an ' }
        throw new Error('connection cut')
      },
    }
    const agent = new sdk.Agent({ name: 'Host', model: withHermes(half, world.hermes.session('chat')) })
    const result = await sdk.run(agent, 'Hello', { stream: true })
    let text = ''
    const read = async () => {
      for await (const event of result)
        if (event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta') text += event.data.delta
      await result.completed
    }
    await expect(read()).rejects.toThrow('connection cut')
    expect(text).toBe('Half an ')
    expect(await world.turns()).toBe(0)
  })

  it('a reader who stops reading counts no turn', async () => {
    const world = openWorld(sdk)
    const { model } = agentOf(world)
    const request = { input: 'Hello', modelSettings: {}, tools: [], handoffs: [], outputType: 'text', tracing: false } as never
    for await (const event of (model as Model).getStreamedResponse(request)) if (event.type === 'response_started') break
    expect(await world.turns()).toBe(0)
  })

  it('a tool of the host with the name of one of ours is named, by the SDK or by us with the prefix that helps', async () => {
    const world = openWorld(sdk)
    const told = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const parameters = { type: 'object', properties: {}, required: [], additionalProperties: true } as never
    const own = sdk.tool({ name: 'memory', description: 'My own.', strict: false, parameters, execute: async () => 'Mine.' })
    const session = world.hermes.session('chat')
    const { finalOutput } = await sdk.run(agentOf(world, { tools: [own, ...hermesTools(session)] }), 'Hello')
    expect(finalOutput).toBe('Fine.')
    const words = [...world.warnings.map(({ message }) => message), ...told.mock.calls.flat()].join()
    // Newer releases find it by themselves, and send one of the two.
    expect(words).toMatch(/called 'memory'.*prefix: 'hermes_'|name collision/)
    const before = words.length
    const prefixed = hermesTools(session, { prefix: 'hermes_' })
    await sdk.run(agentOf(world, { tools: [own, ...prefixed] }), 'Hello')
    expect([...world.warnings.map(({ message }) => message), ...told.mock.calls.flat()].join()).toHaveLength(before)
    told.mockRestore()
  })

  it('an answer that is no list of items reaches the SDK unchanged', async () => {
    const world = openWorld(sdk)
    const broken = {
      getResponse: async () => ({ usage: undefined }),
      getStreamedResponse: world.model.getStreamedResponse,
    } as unknown as Model
    const wrapped = withHermes(broken, world.hermes.session('chat'), { onWarning: world.onWarning })
    expect(await runWithHermes({}, () => wrapped.getResponse({ input: 'Hello', tools: [], handoffs: [] } as never))).toEqual({
      usage: undefined,
    })
    expect(world.warnings.map(({ code }) => code)).toEqual(['unexpected'])
  })
})
