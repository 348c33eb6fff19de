/** One pipe and one set of tools for many owners: the owner of each call, and calls without one. Runs on both majors of LangChain. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHermes, createHermesHomes, type HermesEvent, inMemoryBackend, type Owner } from '@hermes/core'
import type { WiringMistake } from '@hermes/core/adapter'
import { type ModelCall, textAnswer } from '@hermes/testing'
import { ChatPromptTemplate } from '@langchain/core/prompts'
import { RunnableLambda } from '@langchain/core/runnables'
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ScriptedChatModel } from '../test/support/scripted-chat-model.ts'
import { type HermesTarget, type HermesWarning, hermesTools, type IdentifiedHomes, withHermes } from './index.ts'

const PEOPLE: readonly (readonly [Owner, string])[] = [
  ['alice', 'Grows amaryllis.'],
  ['bob', 'Grows begonia.'],
  ['7', 'Grows geranium.'],
  [{ tenant: 'acme', user: 'alice' }, 'Grows cyclamen.'],
]

/** Homes with one memory for each person, and a model that records its prompts. */
const setUp = async () => {
  const events: HermesEvent[] = []
  const warnings: HermesWarning[] = []
  const asked: ModelCall[] = []
  const homes = createHermesHomes({ storage: inMemoryBackend(), nudge: { memoryInterval: 1 }, onEvent: (event) => events.push(event) })
  for (const [owner, note] of PEOPLE) {
    const store = homes.for(owner).memoryStore()
    await store.load()
    await store.apply('user', { action: 'add', content: note })
  }
  const model = new ScriptedChatModel({
    answer: async (call) => {
      if (call.purpose === 'review') return textAnswer('{"proposals":[]}')
      asked.push(call)
      return textAnswer('Fine.')
    },
  })
  const options = { onWarning: (warning: HermesWarning) => warnings.push(warning) }
  const pipeOf = (target: HermesTarget) =>
    ChatPromptTemplate.fromMessages([
      ['system', 'Be kind.'],
      ['human', '{input}'],
    ]).pipe(withHermes(model, target, options))
  /** The people whose memory is in the newest prompt. */
  const shown = () => PEOPLE.map(([, note]) => note).filter((note) => asked.at(-1)?.system.includes(note))
  const mistakes = () => events.flatMap((event) => (event.type === 'wiring-failed' ? [event.mistake] : []))
  const reviews = () => events.filter(({ type }) => type === 'review-started')
  return { homes, model, pipeOf, options, asked, shown, mistakes, warnings, reviews }
}

type World = Awaited<ReturnType<typeof setUp>>

const expectNobody = async (world: World, mistake: WiringMistake) => {
  await world.homes.settled()
  expect(world.asked.at(-1)?.system).toBe('Be kind.')
  expect(world.mistakes()).toEqual([mistake])
  expect(world.warnings.map(({ code }) => code)).toEqual([mistake])
  expect(world.reviews()).toEqual([])
}

const thread = { thread_id: 'chat' }

/** `context` exists only in newer versions of LangChain. */
const call = (config: { readonly configurable?: object; readonly context?: object }) => config as object

describe('the owner of a call', () => {
  it.each([
    ['user_id', { configurable: { ...thread, user_id: 'bob' } }, 'Grows begonia.'],
    ['a user_id that is a number', { configurable: { ...thread, user_id: 7 } }, 'Grows geranium.'],
    ['user_id and tenant_id', { configurable: { ...thread, user_id: 'alice', tenant_id: 'acme' } }, 'Grows cyclamen.'],
    ['the context', { configurable: thread, context: { user_id: 'alice', tenant_id: 'acme' } }, 'Grows cyclamen.'],
    ['both, each a part', { configurable: { ...thread, user_id: 'alice' }, context: { tenant_id: 'acme' } }, 'Grows cyclamen.'],
    ['both, the same', { configurable: { ...thread, user_id: 'bob' }, context: { user_id: 'bob' } }, 'Grows begonia.'],
  ])('is named by %s', async (_what, config, note) => {
    const world = await setUp()
    await world.pipeOf(world.homes).invoke({ input: 'Hi' }, call(config))
    await world.homes.settled()
    expect(world.shown()).toEqual([note])
    expect([world.mistakes(), world.warnings]).toEqual([[], []])
    expect(world.reviews()).toHaveLength(1)
  })

  const bob = { langgraph_auth_user: { identity: 'bob' }, langgraph_auth_user_id: 'bob' }
  const ofAcme = { langgraph_auth_user: { identity: 'alice', tenant_id: 'acme' }, langgraph_auth_user_id: 'alice' }

  it.each([
    ['', { ...thread, ...bob }, 'Grows begonia.'],
    [', whom the call names too', { ...thread, ...bob, user_id: 'bob' }, 'Grows begonia.'],
    [', with a tenant', { ...thread, ...ofAcme, user_id: 'alice' }, 'Grows cyclamen.'],
    [', by its id', { ...thread, langgraph_auth_user: { permissions: [] }, langgraph_auth_user_id: 'bob' }, 'Grows begonia.'],
    [
      ' without auth as its calls say',
      { ...thread, langgraph_auth_user: null, langgraph_auth_user_id: '', user_id: 'bob' },
      'Grows begonia.',
    ],
  ])('is who is signed in at a LangGraph server%s', async (_what, configurable, note) => {
    const world = await setUp()
    await world.pipeOf(world.homes).invoke({ input: 'Hi' }, { configurable })
    expect(world.shown()).toEqual([note])
  })

  it.each<[string, object, object?]>([
    ['another user_id', { ...bob, user_id: 'alice' }],
    ['another user_id in its context', bob, { user_id: 'alice' }],
    ['another tenant_id', { ...ofAcme, tenant_id: 'other' }],
    ['a tenant_id that the sign-in has not', { ...bob, tenant_id: 'acme' }],
    ['a user_id, signed in without one', { langgraph_auth_user: {}, user_id: 'alice' }],
  ])('is nobody if a client of a LangGraph server names %s', async (_what, keys, context) => {
    const world = await setUp()
    await world.pipeOf(world.homes).invoke({ input: 'Hi' }, call({ configurable: { ...thread, ...keys }, ...(context && { context }) }))
    await expectNobody(world, 'missing-owner')
    expect(world.warnings[0]?.message).toContain('langgraph_auth_user')
  })

  it.each([
    ['a user_id', { user_id: 'alice' }],
    ['a sign-in of its own', { user_id: 'alice', langgraph_auth_user: { identity: 'alice' }, langgraph_auth_user_id: 'alice' }],
  ])('is checked against the sign-in of the surrounding run: %s', async (_what, keys) => {
    const world = await setUp()
    const chat = withHermes(world.model, world.homes, world.options)
    const node = RunnableLambda.from(() => chat.invoke([['system', 'Be kind.'], 'Hi'], { configurable: { ...thread, ...keys } }))
    await node.invoke('', { configurable: { ...thread, ...bob } })
    await expectNobody(world, 'missing-owner')
  })

  it.each([
    ['no key', {}],
    ['another key', { userId: 'alice' }],
    ['a user_id of nobody', { user_id: null }],
    ['an empty user_id', { user_id: '' }],
    ['a user_id that is a fraction', { user_id: 1.5 }],
    ['a user_id that is an object', { user_id: { id: 'alice' } }],
    ['a tenant_id of nobody', { user_id: 'alice', tenant_id: null }],
    ['a tenant_id alone', { tenant_id: 'acme' }],
    ['a user_id that is too long', { user_id: 'a'.repeat(513) }],
  ])('is nobody with %s', async (_what, keys) => {
    const world = await setUp()
    await world.pipeOf(world.homes).invoke({ input: 'Hi' }, { configurable: { ...thread, ...keys } })
    await expectNobody(world, 'missing-owner')
    expect(world.warnings[0]?.message).toContain('{ configurable: { user_id, thread_id } }')
  })

  it.each([
    ['users', { user_id: 'alice' }, { user_id: 'bob' }],
    ['tenants', { user_id: 'alice', tenant_id: 'acme' }, { tenant_id: 'other' }],
  ])('is nobody if configurable and context name two %s', async (_what, keys, context) => {
    const world = await setUp()
    await world.pipeOf(world.homes).invoke({ input: 'Hi' }, call({ configurable: { ...thread, ...keys }, context }))
    await expectNobody(world, 'missing-owner')
  })

  it('still needs a session', async () => {
    const world = await setUp()
    await world.pipeOf(world.homes).invoke({ input: 'Hi' }, { configurable: { user_id: 'alice' } })
    await expectNobody(world, 'missing-session')
  })

  afterEach(() => vi.restoreAllMocks())

  it('that is missing is reported on the console once, and as an event each time', async () => {
    const said = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { homes, model, mistakes } = await setUp()
    const wrapped = withHermes(model, homes)
    for (const _ of [1, 2, 3]) await wrapped.invoke('Hi')
    expect(said.mock.calls).toEqual([[expect.stringContaining('user_id')]])
    expect(mistakes()).toEqual(['missing-owner', 'missing-owner', 'missing-owner'])
  })
})

describe('identify', () => {
  const identified = (identify: (call: Parameters<IdentifiedHomes['identify']>[0]) => unknown) => identify as IdentifiedHomes['identify']

  it.each<[string, (world: World) => IdentifiedHomes['identify']]>([
    [
      'an owner and a session id',
      () =>
        ({ configurable: { who } }) => ({ owner: String(who), sessionId: 1 }),
    ],
    [
      'a session',
      ({ homes }) =>
        ({ configurable: { who } }) =>
          homes.for(String(who)).session('chat'),
    ],
  ])('answers with %s', async (_what, make) => {
    const world = await setUp()
    const pipe = world.pipeOf({ homes: world.homes, identify: make(world) })
    await pipe.invoke({ input: 'Hi' }, { configurable: { who: 'alice', user_id: 'bob' } })
    expect(world.shown()).toEqual(['Grows amaryllis.'])
    expect(world.warnings).toEqual([])
  })

  it.each<[string, () => unknown, WiringMistake]>([
    ['undefined', () => undefined, 'missing-owner'],
    ['an owner that cannot be one', () => ({ owner: { user: '' }, sessionId: 'chat' }), 'missing-owner'],
    ['an owner without a session', () => ({ owner: 'alice' }), 'invalid-option'],
    ['a session id that is none', () => ({ owner: 'alice', sessionId: '' }), 'missing-session'],
    ['a promise', async () => ({ owner: 'alice', sessionId: 'chat' }), 'invalid-option'],
    ['a text', () => 'alice', 'invalid-option'],
    [
      'an error',
      () => {
        throw new Error('not signed in')
      },
      'invalid-option',
    ],
  ])('leaves the call without memory where it answers with %s', async (_what, answer, mistake) => {
    const world = await setUp()
    await world
      .pipeOf({ homes: world.homes, identify: identified(answer) })
      .invoke({ input: 'Hi' }, { configurable: { user_id: 'alice', ...thread } })
    await expectNobody(world, mistake)
  })
})

describe('the run around a call', () => {
  AsyncLocalStorageProviderSingleton.initializeGlobalInstance(new AsyncLocalStorage())
  const alice = { configurable: { ...thread, user_id: 'alice' } }

  it('lends its owner to a call without a configuration, and to its tools', async () => {
    const world = await setUp()
    const pipe = world.pipeOf(world.homes)
    const list = hermesTools(world.homes, world.options).find(({ name }) => name === 'skills_list')
    const around = RunnableLambda.from(async (input: string) => {
      await pipe.invoke({ input })
      return list?.invoke({})
    })
    expect(await around.invoke('Hi', alice)).toContain('"success":true')
    expect(world.shown()).toEqual(['Grows amaryllis.'])
    expect(world.warnings).toEqual([])
  })

  it('lends nothing to a call that names an owner of its own', async () => {
    const world = await setUp()
    const pipe = world.pipeOf(world.homes)
    const around = RunnableLambda.from(async (input: string) => {
      await pipe.invoke({ input }, { configurable: { ...thread, user_id: 'bob' } })
    })
    await around.invoke('Hi', alice)
    expect(world.shown()).toEqual(['Grows begonia.'])
  })

  it('lends no owner to a call with a configurable that names none', async () => {
    const world = await setUp()
    const pipe = world.pipeOf(world.homes)
    const around = RunnableLambda.from(async (input: string) => {
      await pipe.invoke({ input }, { configurable: thread })
    })
    await around.invoke('Hi', alice)
    await expectNobody(world, 'missing-owner')
  })
})

describe('tools of homes', () => {
  const add = { target: 'user', action: 'add', content: 'Prefers tabs over spaces.' }

  it('write for whoever the call names, and refuse if it names nobody', async () => {
    const { homes, mistakes, options, warnings } = await setUp()
    const [memory] = hermesTools(homes, { prefix: 'my_', ...options })
    expect(memory?.name).toBe('my_memory')
    const session = homes.for('bob').session('chat')
    session.beginStep([{ role: 'user', text: 'I prefer tabs over spaces.' }])
    expect(await memory?.invoke(add, { configurable: { ...thread, user_id: 'bob' } })).toContain('"success":true')
    expect(await memory?.invoke(add)).toContain('There is no session')
    const kept = await Promise.all(PEOPLE.map(([owner]) => homes.for(owner).session('next').systemBlock()))
    expect(kept.map((block) => block.includes('tabs'))).toEqual([false, true, false, false])
    expect([mistakes(), warnings.map(({ code }) => code)]).toEqual([['missing-owner'], ['missing-owner']])
  })

  it('are those of each session, so that its prompt names the skills that they load', async () => {
    const { homes, model, options, asked } = await setUp()
    const content = '---\nname: water-plants\ndescription: Waters the plants.\n---\n\n# Water\n\nWith care.\n'
    expect(await homes.for('alice').skillStore().create({ name: 'water-plants', content })).toMatchObject({ ok: true })
    const bound = withHermes(model.bindTools(hermesTools(homes, options)), homes, options)
    for (const user_id of ['alice', 'bob']) await bound.invoke('Hi', { configurable: { ...thread, user_id } })
    await withHermes(model, homes, options).invoke('Hi', { configurable: { thread_id: 'without tools', user_id: 'alice' } })
    expect(asked.map(({ system }) => system.includes('water-plants'))).toEqual([true, false, false])
  })
})

describe('a Hermes, which is one person’s', () => {
  const onePerson = async () => {
    const world = await setUp()
    const events: HermesEvent[] = []
    const hermes = createHermes({ storage: inMemoryBackend(), onEvent: (event) => events.push(event) })
    const store = hermes.memoryStore()
    await store.load()
    await store.apply('user', { action: 'add', content: 'Grows amaryllis.' })
    const mistakes = () => events.flatMap((event) => (event.type === 'wiring-failed' ? [event.mistake] : []))
    return { ...world, hermes, mistakes }
  }

  it.each([
    ['a Hermes', ({ hermes }: Awaited<ReturnType<typeof onePerson>>): HermesTarget => hermes],
    ['a session', ({ hermes }: Awaited<ReturnType<typeof onePerson>>): HermesTarget => hermes.session('chat')],
  ])('given as %s shows nothing to a second user, whichever way they come', async (_what, targetOf) => {
    const world = await onePerson()
    const target = targetOf(world)
    const pipe = world.pipeOf(target)
    const [memory] = hermesTools(target, world.options)
    const as = (user_id: string) => ({ configurable: { ...thread, user_id } })
    await pipe.invoke({ input: 'Hi' }, as('alice'))
    expect(world.shown()).toEqual(['Grows amaryllis.'])
    await pipe.invoke({ input: 'Hi' }, as('bob'))
    expect(world.asked.at(-1)?.system).toBe('Be kind.')
    expect(await memory?.invoke({ target: 'user', action: 'remove', oldText: 'Grows' }, as('bob'))).toContain('There is no session')
    await pipe.invoke({ input: 'Hi' }, as('alice'))
    expect(world.shown()).toEqual(['Grows amaryllis.'])
    expect(world.mistakes()).toEqual(['other-home', 'other-home'])
    expect(world.warnings.map(({ code, message }) => [code, message.includes('createHermesHomes')])).toEqual([
      ['other-home', true],
      ['other-home', true],
    ])
  })

  it('goes by who is signed in at a LangGraph server, not by whom the call names', async () => {
    const world = await onePerson()
    const pipe = world.pipeOf(world.hermes)
    await pipe.invoke({ input: 'Hi' }, { configurable: { ...thread, langgraph_auth_user: { identity: 'alice' } } })
    await pipe.invoke({ input: 'Hi' }, { configurable: { ...thread, langgraph_auth_user: { identity: 'bob' }, user_id: 'alice' } })
    expect(world.asked.at(-1)?.system).toBe('Be kind.')
    expect(world.mistakes()).toEqual(['other-home'])
  })

  it('does not take the user of a run inside a tool for its person', async () => {
    const world = await onePerson()
    const pipe = world.pipeOf(world.hermes)
    await pipe.invoke({ input: 'Hi' }, { configurable: { ...thread, user_id: 'bob', checkpoint_ns: 'tools:1' } })
    await pipe.invoke({ input: 'Hi' }, { configurable: { ...thread, user_id: 'alice' } })
    expect(world.shown()).toEqual(['Grows amaryllis.'])
    expect(world.warnings).toEqual([])
  })

  it('asks nothing of hosts that name nobody, and ignores what can be no id', async () => {
    const world = await onePerson()
    const pipe = world.pipeOf(world.hermes)
    for (const keys of [{ user_id: 'alice' }, {}, { user_id: { id: 1 } }]) {
      await pipe.invoke({ input: 'Hi' }, { configurable: { ...thread, ...keys } })
      expect(world.shown()).toEqual(['Grows amaryllis.'])
    }
    expect(world.warnings).toEqual([])
  })
})

describe('what can be no target', () => {
  it.each([
    ['nothing', undefined, 'createHermesHomes'],
    ['a user id', 'alice', 'createHermesHomes'],
    ['a function alone', () => undefined, '{ homes, identify }'],
    ['homes without identify', { homes: {} }, 'createHermesHomes'],
    ['identify without homes', { identify: () => undefined }, 'createHermesHomes'],
  ])('is refused at construction: %s', async (_what, target, hint) => {
    const { model } = await setUp()
    expect(() => withHermes(model, target as never)).toThrow(TypeError)
    expect(() => withHermes(model, target as never)).toThrow(hint)
    expect(() => hermesTools(target as never)).toThrow(hint)
  })
})
