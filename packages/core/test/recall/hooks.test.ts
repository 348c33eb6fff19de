import { describe, expect, it } from 'vitest'
import { createHermes } from '../../src/create-hermes.ts'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import { fenceContext } from '../../src/provider/context-fence.ts'
import type { HomeProvider, MemoryProvider } from '../../src/provider/memory-provider.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { assistant, openHome, user } from '../session/open-home.ts'
import { endsWithin } from '../support/ends-within.ts'
import { callModel, recordingProvider, say } from './recording-provider.ts'

const TOOL = { name: 'past_search', description: 'Searches.', inputSchema: { type: 'object', properties: { q: { type: 'string' } } } }

const open = (hooks: HomeProvider = {}, more: Partial<MemoryProvider> = {}) => {
  const storage = inMemoryBackend()
  const provider = recordingProvider(hooks, more)
  return { storage, provider, ...openHome(storage, { memory: { provider, providerTimeoutMs: 200 } }) }
}

describe('what a provider is told', () => {
  it('gets each finished turn once, with what both sides said, without tools and recalled text', async () => {
    const { hermes, provider } = open()
    const session = hermes.session('one')
    const prompt = [user(`Which port?\n${fenceContext('from the host')}`)]
    const called = { ...assistant('I look it up.'), toolNames: ['look'] }
    await callModel(session, prompt, [called], { turnFinished: false, calledTools: true })
    const step = [...prompt, called, { role: 'tool', text: 'port 8080', toolNames: ['look'] } as const]
    await callModel(session, step, [assistant('It is 8080.')], {}, { automated: true })
    // A regeneration is no turn of its own.
    await callModel(session, step, [assistant('It is 8080!')])
    await hermes.settled()
    expect(provider.of('syncTurn')).toMatchObject([
      { sessionId: 'one', user: 'Which port?', assistant: 'I look it up.\n\nIt is 8080.', automated: true },
    ])
  })

  it('gets changes of memory by any writer, and the end of a session', async () => {
    const { hermes, provider } = open()
    const store = hermes.memoryStore()
    await store.apply('user', { action: 'add', content: 'Likes tea' })
    const session = hermes.session('one')
    const [memory] = session.offerTools({ only: ['memory'] })
    await memory?.execute({ action: 'add', target: 'memory', content: 'Builds with pnpm' }, { messages: [user('Builds with pnpm')] })
    await session.end()
    await hermes.settled()
    expect(provider.of('onMemoryWrite')).toMatchObject([
      { target: 'user', added: ['Likes tea'] },
      { target: 'memory', added: ['Builds with pnpm'], sessionId: 'one' },
    ])
    expect(provider.of('onSessionEnd')).toMatchObject([{ sessionId: 'one' }])
  })
})

describe('a provider in a session', () => {
  it('offers its tools behind Hermes’ own, with their JSON schema, and counts their results as text from outside', async () => {
    const { hermes, provider } = open({ prefetch: async () => '' }, { tools: [TOOL] })
    const session = hermes.session('one')
    const offered = session.offerTools({ prefix: 'h_' })
    expect(offered.map(({ name }) => name)).toEqual(['h_memory', 'h_skills_list', 'h_skill_view', 'h_skill_manage', 'h_past_search'])
    const tool = offered.at(-1)
    expect(tool?.jsonSchema).toEqual(TOOL.inputSchema)
    expect(await tool?.execute({ q: 'tea' })).toEqual({ found: { q: 'tea' } })
    expect(await tool?.execute('nonsense')).toMatchObject({ success: false })
    expect(provider.of('callTool')).toEqual([{ name: 'past_search', input: { q: 'tea' }, sessionId: 'one' }])
    const result = { role: 'tool', text: 'The user likes tea.', toolNames: ['h_past_search'] } as const
    const called = { ...assistant(''), toolNames: ['h_past_search'] }
    await callModel(session, [user('what do I drink?'), called, result], [assistant('Tea.')])
    await hermes.settled()
    const record = await hermes.session('one').submit({
      target: 'user',
      op: { action: 'add', content: 'Likes tea' },
      rationale: 'said',
      score: 1,
      evidence: [{ messageId: 'm3', quote: 'The user likes tea.' }],
    } as never)
    expect(JSON.stringify(record)).not.toContain('"origin":"user"')
  })

  it('serves shared tools in the session of the call', async () => {
    const { hermes, provider } = open({}, { tools: [TOOL] })
    const [tool] = hermes.offerTools({ only: ['past_search'] })
    const session = hermes.session('one')
    const prompt = [user('look')]
    session.beginStep(prompt)
    session.noteToolCall({ id: 'c1', name: 'past_search', input: { q: 'x' }, prompt })
    expect(await tool?.execute({ q: 'x' }, { toolCallId: 'c1', messages: prompt })).toEqual({ found: { q: 'x' } })
    expect(provider.of('callTool')).toMatchObject([{ sessionId: 'one' }])
  })

  it.each([
    ['throws', () => Promise.reject(new Error('boom'))],
    ['hangs', () => new Promise<never>(() => {})],
  ])('costs a turn at most its time limit, once, and nothing else if it %s', async (_, fail) => {
    const hooks = {
      prefetch: fail,
      syncTurn: fail,
      onMemoryWrite: fail,
      onSessionEnd: fail,
      onPreCompress: fail,
      callTool: fail,
      shutdown: fail,
    }
    const { hermes, events } = open(hooks, { tools: [TOOL] })
    const session = hermes.session('one')
    const history: TurnMessage[] = []
    const talk = async () => {
      for (let turn = 1; turn <= 5; turn++)
        expect((await say(session, history, `turn ${turn}`)).messages.join()).not.toContain('memory-context')
    }
    expect(await endsWithin(1_500, talk())).toBe(true)
    expect(await session.offerTools().at(-1)?.execute({})).toMatchObject({ success: false })
    expect(events.some(({ type }) => type === 'provider-failed')).toBe(true)
    await session.end()
    await hermes.close()
  })

  it('is not opened by a home that has no turn', async () => {
    const { hermes, provider } = open()
    await hermes.session('one').systemBlock()
    await hermes.close()
    expect(provider.calls).toEqual([])
  })
})

describe('the option memory.provider', () => {
  const create = (provider: unknown) => () => createHermes({ storage: inMemoryBackend(), memory: { provider: provider as MemoryProvider } })

  it.each([
    ['two', [recordingProvider(), recordingProvider()], /at most one external provider/],
    ['a name', 'mem0', /memory\.provider.*must be one memory provider.*not an object/],
    ['an object without initialize', { name: 'notes' }, /no function initialize/],
    ['a bad name', { ...recordingProvider(), name: 'My Notes' }, /its name is not/],
    ['a tool that takes the name of one of ours', recordingProvider({}, { tools: [{ ...TOOL, name: 'memory' }] }), /own tools/],
  ])('refuses %s', (_, provider, message) => {
    expect(create(provider)).toThrow(TypeError)
    expect(create(provider)).toThrow(message)
  })
})
