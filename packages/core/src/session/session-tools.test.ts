import { describe, expect, it, test } from 'vitest'
import type { GateContext, Verdict } from '../gate/review-gate.ts'
import { createJournal } from '../journal/journal.ts'
import { createPending } from '../journal/pending.ts'
import { MemoryStore } from '../memory/memory-store.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { ProviderConnection } from '../provider/provider-connection.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok } from '../shared/result.ts'
import { SkillStore } from '../skills/skill-store.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import type { ToolContext } from '../tools/tool-definition.ts'
import { UsageStore } from '../usage/usage-store.ts'
import type { LazySession } from './lazy-session.ts'
import { providerTools } from './provider-tools.ts'
import type { ToolOffer } from './session.ts'
import type { SessionContext } from './session-context.ts'
import type { SessionHome } from './session-home.ts'
import type { CallOwner } from './session-nesting.ts'
import type { SessionState } from './session-state.ts'
import { SessionTools, skillTools } from './session-tools.ts'
import type { SkillCounts } from './tool-calls.ts'
import { notWritten } from './tool-replies.ts'
import { ToolTrust } from './tool-trust.ts'

const user = (text: string): TurnMessage => ({ role: 'user', text })
const resultOf = (name: string): TurnMessage => ({ role: 'tool', text: 'A result.', toolNames: [name] })

interface Given {
  readonly gate?: SessionHome['gate']
  readonly provider?: Pick<ProviderConnection, 'tools' | 'callTool'>
  readonly openTurn?: readonly TurnMessage[]
  readonly isTainted?: () => Promise<boolean>
  readonly toolInTime?: () => Promise<undefined>
  readonly verdict?: Verdict['verdict']
  readonly owner?: CallOwner
  readonly isNested?: boolean
  readonly memory?: { readonly memoryEnabled?: boolean; readonly userProfileEnabled?: boolean }
  readonly hasSkills?: boolean
}

const setUp = ({ verdict = 'approve', owner = 'own', isNested = false, memory = {}, hasSkills = true, ...given }: Given = {}) => {
  const storage = inMemoryBackend()
  const clock = () => 1
  let ids = 0
  const journal = createJournal({ storage, clock, createId: () => `id${ids++}` })
  const pending = createPending({ storage, clock })
  const store = new MemoryStore({ storage, clock, ...memory })
  const contexts: GateContext[] = []
  const wiring: string[] = []
  const noted: string[] = []
  const skills = new SkillStore({ storage, clock })
  const usage = new UsageStore({ storage, clock })
  const gate: SessionHome['gate'] = async (_, context) => {
    if (context) contexts.push(context)
    return ok({ verdict, reason: 'because' })
  }
  const context = {
    id: 'one',
    home: {
      gate: given.gate ?? gate,
      journal,
      pending,
      storage,
      clock,
      provider: given.provider,
      options: { review: {} },
      skills: hasSkills ? { store: skills, reader: skills } : undefined,
      inOneUpdate: ((_, work) =>
        work({
          createMemoryStore: () => store,
          skills: hasSkills ? { store: skills, usage, storage, clock } : undefined,
          journal,
          pending,
        })) satisfies SessionHome['inOneUpdate'],
    },
    memory: store,
    usage: hasSkills ? usage : undefined,
    nesting: { isNested: () => isNested, ownerOfCall: () => owner },
    openTurn: given.openTurn,
    modelId: 'small-model',
    offeredAs: new Map<string, string>(),
    reportWiring: ({ mistake, message }: { mistake: string; message: string }) => wiring.push(`${mistake}: ${message}`),
    toolInTime: given.toolInTime ?? ((_operation: string, work: Promise<unknown>) => work),
    failed: () => {},
  } as unknown as SessionContext
  const state = {
    own: { prove: async (messages: readonly TurnMessage[]) => messages },
    noteResult: (_result: string, did: string) => noted.push(did),
    noteSkills: ({ loadedSkill }: { readonly loadedSkill?: string }) => loadedSkill && noted.push(`loaded ${loadedSkill}`),
  } as unknown as SessionState
  const opened = {
    ready: async () => state,
    whenReady: (count: (state: SessionState) => void) => count(state),
    isTainted: given.isTainted ?? (async () => false),
    taint: () => noted.push('taint'),
  } as unknown as LazySession
  const counts = {
    count: (name: string) => noted.push(`count ${name}`),
    noteChanged: (name: string) => noted.push(`changed ${name}`),
  } as unknown as SkillCounts
  const submissions = new SessionTools(context, opened, counts)
  const call = (name: string, input: unknown, context?: ToolContext) =>
    submissions
      .offer()
      .find((tool) => tool.name === name)
      ?.execute(input, context)
  const remember = (content: string, context?: ToolContext) => call('memory', { target: 'user', action: 'add', content }, context)
  /** What the gate was shown: the origin and the text of each message. */
  const shown = () => contexts.at(-1)?.transcript.map(({ origin, text }) => `${origin}: ${text}`)
  const records = async () => {
    const list = await journal.list()
    return list.ok ? list.value.map(({ actor, kind: said, target }) => `${actor} ${said} ${target}`) : []
  }
  const known = async () => {
    await store.load()
    return store.entries('user')
  }
  return { submissions, call, remember, shown, contexts, records, known, wiring, noted, pending, usage, offeredAs: context.offeredAs }
}

describe('whose words the gate is shown', () => {
  const said = [user('I live in Namur.')]
  const unknown = { owner: 'unknown', isNested: true } as const
  const asCall = { toolCallId: 'call-1', messages: said }

  it.each<[string, Given, ToolContext | undefined, readonly string[]]>([
    ['those of the user in the call', {}, asCall, ['user: I live in Namur.']],
    ['the open turn’s, if the call shows nothing', { ...unknown, openTurn: said }, { toolCallId: 'x' }, ['user: I live in Namur.']],
    ['those of the open turn, if nothing is known of the call', { openTurn: said }, undefined, ['user: I live in Namur.']],
    ['those of the call itself, from outside, if there is neither', {}, undefined, ['tool: Lives in Namur']],
    ['those of another agent in a nested run', { owner: 'nested' }, asCall, ['tool: I live in Namur.']],
    [
      'those of the call itself in a nested run that shows nothing',
      { owner: 'nested', openTurn: said },
      { toolCallId: 'call-1' },
      ['tool: Lives in Namur'],
    ],
    ['another agent’s in an unknown call that looks nested', unknown, asCall, ['tool: I live in Namur.']],
    ['the same without an id', { isNested: true }, { messages: said }, ['tool: I live in Namur.']],
    ['those of the user in an unknown call', { owner: 'unknown' }, asCall, ['user: I live in Namur.']],
    ['those of the user in a known call, whatever its conversation', { isNested: true }, asCall, ['user: I live in Namur.']],
  ])('%s', async (_, given, context, wanted) => {
    const { remember, shown } = setUp(given)
    expect(await remember('Lives in Namur', context)).toMatchObject({ success: true })
    expect(shown()).toEqual(wanted)
  })

  it.each<[string, Given, readonly TurnMessage[], string, string]>([
    ['nothing from outside', {}, said, 'own', 'user: I live in Namur.'],
    ['the result of a tool', {}, [resultOf('fetch')], 'outside', 'tool: A result.'],
    ['the result of a tool that the host trusts', {}, [{ ...resultOf('fetch'), trusted: true }], 'own', 'assistant: A result.'],
    ['the result of a tool called like the session’s own', {}, [resultOf('memory')], 'outside', 'tool: A result.'],
    [
      'words of the agent after text from outside',
      { isTainted: async () => true },
      [{ role: 'assistant', text: 'So?' }],
      'outside',
      'tool: So?',
    ],
    ['only the user after text from outside', { isTainted: async () => true }, said, 'outside', 'user: I live in Namur.'],
  ])('with %s, tells what was in sight', async (_, given, messages, sight, wanted) => {
    const { remember, shown, contexts } = setUp(given)
    await remember('Lives in Namur', { messages })
    expect([shown(), contexts[0]?.sight, contexts[0]?.unattended]).toEqual([[wanted], sight, false])
  })
})

describe('the tools of a session', () => {
  it('act for no call of another home', async () => {
    const { remember, known, wiring } = setUp({ owner: 'other-home' })
    expect(await remember('Lives in Namur', { toolCallId: 'call-1' })).toMatchObject({ success: false, done: true, code: 'wiring' })
    expect(await known()).toEqual([])
    expect(wiring).toEqual([expect.stringMatching(/^other-home: .*'memory'.*'one'/)])
  })

  it.each<[Verdict['verdict'], unknown, string]>([
    ['hold', { success: false, code: 'held' }, 'agent held user'],
    ['reject', { success: false, code: 'rejected', error: expect.stringContaining('because') }, 'agent rejected user'],
  ])('tell the model what the gate said: %s', async (verdict, wanted, record) => {
    const { remember, known, records } = setUp({ verdict })
    expect(await remember('Lives in Namur')).toMatchObject(wanted as object)
    expect(await known()).toEqual([])
    expect(await records()).toEqual([record])
  })
})

describe('an offer', () => {
  const all = ['memory', 'skills_list', 'skill_view', 'skill_manage']
  const called: unknown[] = []
  const provider: NonNullable<Given['provider']> = {
    tools: [{ name: 'find_notes', description: 'Finds notes.', inputSchema: { type: 'object' } }],
    callTool: async (...given) => {
      called.push(given)
      return { found: 0 }
    },
  }

  it.each<[string, Given, ToolOffer | undefined, readonly string[]]>([
    ['everything', { provider }, undefined, [...all, 'find_notes']],
    ['no tools of a provider without one', {}, undefined, all],
    ['the wanted ones, with a prefix', { provider }, { prefix: 'my_', only: ['memory', 'find_notes'] }, ['my_memory', 'my_find_notes']],
    ['none of the provider unless it is wanted', { provider }, { only: ['skill_view'] }, ['skill_view']],
    ['no skills if they are switched off', { hasSkills: false }, undefined, ['memory']],
    ['no memory if it is switched off', { memory: { memoryEnabled: false, userProfileEnabled: false } }, undefined, all.slice(1)],
  ])('has %s', (_, given, offer, wanted) => {
    const { submissions } = setUp(given)
    expect(submissions.offer(offer).map(({ name }) => name)).toEqual(wanted)
  })

  it('decides under which name the agent knows a tool: its own, else that of the first offer', () => {
    const { submissions, offeredAs } = setUp()
    const names: unknown[] = [offeredAs.get('memory')]
    for (const prefix of ['a_', 'b_', '', 'c_']) {
      submissions.offer({ prefix })
      names.push(offeredAs.get('memory'))
    }
    expect(names).toEqual([undefined, 'a_memory', 'a_memory', 'memory', 'memory'])
  })
})

const proposal = { target: 'memory', op: { action: 'add', content: 'x' }, rationale: '', score: 1 } as const

it.each([
  [
    { kind: 'failed', proposal, error: new HermesError('over_limit', 'No room.', { details: { room: 0 } }) },
    { kind: 'refused', code: 'over_limit', message: 'No room.', details: { room: 0 } },
  ],
  [
    { kind: 'rejected', proposal, reason: 'No.' },
    { kind: 'refused', code: 'rejected', message: 'No.' },
  ],
  [
    { kind: 'held', proposal, reason: 'Ask.', pendingId: 'p1' },
    { kind: 'held', reason: 'Ask.', pendingId: 'p1' },
  ],
  [
    { kind: 'held', proposal, reason: 'Ask.' },
    { kind: 'held', reason: 'Ask.' },
  ],
] as const)('what was not written is refused or held: %o', (disposed, reply) => {
  expect(notWritten(disposed)).toStrictEqual(reply)
})

const result = (...toolNames: readonly string[]) => ({ role: 'tool', text: 'a result', toolNames }) as const

it('a name vouches for each tool of that name', () => {
  const trust = new ToolTrust(['clock'])
  expect([
    trust.isTrusted(result('clock')),
    trust.isTrusted(result('fetch')),
    trust.isTrusted(result('clock', 'fetch')),
    trust.isTrusted(result()),
  ]).toEqual([true, false, false, false])
})

it('a tool object vouches only where the call offers that tool', () => {
  const clock = { name: 'clock', description: 'Tells the time.', schema: {} }
  const trust = new ToolTrust([clock])
  expect(trust.isTrusted(result('clock'))).toBe(false)
  trust.noteOffered([{ name: 'clock', description: 'Tells the time.' }])
  expect(trust.isTrusted(result('clock'))).toBe(true)
  trust.noteOffered([{ name: 'clock', description: 'Notes of a server.' }])
  expect(trust.isTrusted(result('clock'))).toBe(false)
  trust.noteOffered(['clock'])
  expect(trust.isTrusted(result('clock'))).toBe(false)
})

const search = { name: 'past_search', description: 'Searches.', inputSchema: { type: 'object', properties: { q: { type: 'string' } } } }

it('offers the tools of a provider as they are', async () => {
  const calls: unknown[] = []
  const callTool = async (...call: readonly unknown[]) => {
    calls.push(call)
    return { found: 1 }
  }
  const [tool, ...others] = providerTools([search], callTool)
  expect(others).toEqual([])
  expect(tool).toMatchObject({ name: 'past_search', description: 'Searches.', jsonSchema: search.inputSchema })
  expect(await tool?.execute({ q: 'tea', more: 1 })).toEqual({ found: 1 })
  expect(calls).toEqual([['past_search', { q: 'tea', more: 1 }]])
})

it('answers with a failure for input that is no object', async () => {
  const callTool = async () => ({ found: 1 })
  const [tool] = providerTools([search], callTool)
  expect(await tool?.execute('tea')).toEqual({ success: false, error: expect.stringContaining('does not fit the tool') })
})

/** The tools that a model is offered on every call: three, in a fixed order, with short descriptions. */
const closed = async () => err(new HermesError('closed', 'closed'))

const tools = skillTools({
  list: closed,
  view: closed,
  noteShown: () => {},
  isOwn: async () => true,
  manage: async () => ({ kind: 'similar', skills: [] }),
})

const schemaOf = (index: number) => tools[index]?.jsonSchema ?? {}
const namesIn = (index: number) => Object.keys(Object(schemaOf(index)['properties']))

test('the tools have a fixed order, with the parameters of Python Hermes', () => {
  expect(tools.map(({ name }) => name)).toEqual(['skills_list', 'skill_view', 'skill_manage'])
  expect([0, 1, 2].map(namesIn)).toEqual([
    ['category'],
    ['name', 'file_path'],
    [
      'action',
      'name',
      'content',
      'category',
      'old_string',
      'new_string',
      'replace_all',
      'file_path',
      'file_content',
      'absorbed_into',
      'create_anyway',
    ],
  ])
  expect(JSON.stringify(schemaOf(2))).toContain('"enum":["create","edit","patch","write_file","remove_file","archive","delete"]')
})

test('every parameter may be left out or null, so that no framework refuses a call that the tool could answer', () => {
  for (const index of [0, 1, 2]) {
    expect(schemaOf(index)).not.toHaveProperty('required')
    const nulls = Object.fromEntries(namesIn(index).map((key) => [key, null]))
    expect(tools[index]?.inputSchema.safeParse(nulls).success).toBe(true)
  }
})

test('all three together cost a model less than 900 tokens on each call', () => {
  const sent = tools.map(({ name, description }, index) => JSON.stringify({ name, description, parameters: schemaOf(index) }))
  // Schemas and English use fewer than one token for four characters.
  expect(sent.join('').length / 4).toBeLessThan(900)
})
