/** A memory provider keeps projects apart, or is not used in any. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import type { HermesOptions } from '../../src/hermes-options.ts'
import type { HomeProvider, MemoryProvider } from '../../src/provider/memory-provider.ts'
import { sessionPath } from '../../src/session/session-record.ts'
import { HermesError } from '../../src/shared/hermes-error.ts'
import { err } from '../../src/shared/result.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { type RecordingProvider, recordingProvider } from '../recall/recording-provider.ts'
import { assistant, openHome, talk, user } from '../session/open-home.ts'
import { must } from '../support/must.ts'

const WEBSHOP = { project: 'webshop' }
const BLOG = { project: 'blog' }
const TOOL = { name: 'past_search', description: 'Searches.', inputSchema: { type: 'object' } }
const HOOKS_OF_SESSIONS = [
  ...(['onTurnStart', 'prefetch', 'queuePrefetch', 'syncTurn', 'onPreCompress'] as const),
  ...(['onSessionSwitch', 'onSessionEnd', 'callTool'] as const),
]

let ids = 0

const open = (projects: boolean, storage: StorageBackend = inMemoryBackend(), hooks: HomeProvider = {}) => {
  const provider = recordingProvider(hooks, { tools: [TOOL], systemPromptBlock: 'Use past_search.', ...(projects ? { projects } : {}) })
  return { provider, storage, ...openHome(storage, { memory: { provider, providerTimeoutMs: 200 }, createId: () => `id-${ids++}` }) }
}

/** Uses a session in every way that a provider can notice. */
const useSession = async ({ hermes }: ReturnType<typeof open>, id: string, options: Pick<HermesOptions, 'project'> = {}) => {
  const session = hermes.session(id, options)
  const [tool] = session.offerTools({ only: [TOOL.name] })
  const answer = await tool?.execute({ q: 'tea' })
  const recalled = await session.recall([user('Which port?')])
  talk(session, [], 'Which port?')
  await hermes.settled()
  const kept = await session.beforeCompress([user('Which port?'), assistant('8080')])
  session.switchTo(`${id}-2`, 'new')
  await hermes.settled()
  return { answer, recalled, kept }
}

const projectsTold = (provider: RecordingProvider) =>
  HOOKS_OF_SESSIONS.map((hook) => [hook, provider.of(hook).map((given) => ('project' in given ? given.project : 'none'))])

const told = (project: string) => HOOKS_OF_SESSIONS.map((hook) => [hook, [project]])

describe('a provider that keeps projects apart', () => {
  it.each([
    ['a session of a project', WEBSHOP, 'webshop'],
    ['a session without one', {}, 'none'],
  ])('is told the project of %s with everything', async (_, options, project) => {
    const home = open(true)
    const used = await useSession(home, 'one', options)
    expect(projectsTold(home.provider)).toEqual(told(project))
    expect(used.recalled).toHaveLength(1)
    expect(used.kept).toBe('Keep the port.')
  })

  it('is told the project that the record of a session names, also if its host does not', async () => {
    const { storage, hermes } = open(true)
    await hermes.session('one', WEBSHOP).systemBlock()
    await hermes.settled()
    const home = open(true, storage)
    await useSession(home, 'one')
    expect(projectsTold(home.provider)).toEqual(told('webshop'))
  })

  it('is told so also of a session that goes on under another id while its record is being read', async () => {
    const { storage, hermes } = open(true)
    await hermes.session('one', WEBSHOP).systemBlock()
    await hermes.settled()
    const home = open(true, storage)
    const session = home.hermes.session('one')
    void session.systemBlock()
    session.switchTo('two', 'branch')
    await home.hermes.settled()
    expect(home.provider.of('onSessionSwitch')).toMatchObject([{ from: 'one', to: 'two', project: 'webshop' }])
  })

  it('is told of notes on a project whose they are, and of those of the person none', async () => {
    const { hermes, provider } = open(true)
    must(await hermes.memory.add('project', 'Orders live in Postgres', WEBSHOP))
    must(await hermes.memory.add('memory', 'The laptop has two cores'))
    await hermes.settled()
    const [note, own] = provider.of('onMemoryWrite')
    expect(note).toMatchObject({ target: 'project', project: 'webshop', added: ['Orders live in Postgres'] })
    expect(own).not.toHaveProperty('project')
  })

  it('is told the project of what waited for delivery in another process', async () => {
    const storage = inMemoryBackend()
    const broken = async () => Promise.reject(new Error('down'))
    const first = open(true, storage, { syncTurn: broken })
    talk(first.hermes.session('one', WEBSHOP), [], 'Which port?')
    await first.hermes.settled()
    const next = open(true, storage)
    talk(next.hermes.session('two'), [], 'hello')
    await next.hermes.settled()
    expect(next.provider.of('syncTurn').map(({ sessionId, project }) => [sessionId, project])).toEqual([
      ['one', 'webshop'],
      ['two', undefined],
    ])
  })
})

describe.each([true, false])('a provider that keeps projects apart: %s', (projects) => {
  it.each([
    ['is corrupt', (_: StorageBackend, corrupt: () => Promise<unknown>) => corrupt().then(() => {})],
    [
      'cannot be read now',
      async (storage: StorageBackend) => {
        storage.read = async () => err(new HermesError('io', 'The disk is gone.'))
      },
    ],
  ] as const)('is told nothing of a session whose record %s, as it may be of any project', async (_, spoil) => {
    const { storage, hermes } = open(true)
    await hermes.session('one', WEBSHOP).systemBlock()
    await hermes.settled()
    await spoil(storage, async () => {
      const path = sessionPath('one')
      must(await storage.update([path], () => ({ put: { [path]: new TextEncoder().encode('{') }, value: undefined })))
    })
    const home = open(projects, storage)
    const used = await useSession(home, 'one')
    expect(home.provider.calls.filter(([hook]) => hook !== 'initialize')).toEqual([])
    expect(used).toMatchObject({ recalled: [], kept: '' })
    const later = open(projects, storage)
    await useSession(later, 'one')
    expect(later.provider.calls.filter(([hook]) => hook !== 'initialize')).toEqual([])
  })

  it('is told no end of a session that there never was, and none begins', async () => {
    const { storage, hermes, provider, events } = open(projects)
    const before = must(await storage.list('sessions'))
    await hermes.session('nobody').end()
    await hermes.settled()
    expect([provider.of('onSessionEnd'), must(await storage.list('sessions')), events]).toEqual([[], before, []])
  })

  it('is told of the end of a session, and what follows it, in its project alone, also if nothing else was done in this process', async () => {
    const { storage, hermes } = open(true)
    await hermes.session('one', WEBSHOP).systemBlock()
    await hermes.settled()
    const home = open(projects, storage)
    await home.hermes.session('one').end()
    const again = open(projects, storage)
    again.hermes.session('one').switchTo('two', 'new')
    await again.hermes.settled()
    const toldOf = [...home.provider.of('onSessionEnd'), ...again.provider.of('onSessionSwitch')].map(({ project }) => project)
    expect(toldOf).toEqual(projects ? ['webshop', 'webshop'] : [])
  })
})

describe('a provider that does not', () => {
  it('is told and asked nothing in a session of a project, and offers nothing there', async () => {
    const home = open(false)
    const used = await useSession(home, 'one', WEBSHOP)
    must(await home.hermes.memory.add('project', 'Orders live in Postgres', WEBSHOP))
    await home.hermes.settled()
    expect(home.provider.calls).toEqual([])
    expect(used).toEqual({ answer: { success: false, error: expect.stringContaining('cannot be looked up') }, recalled: [], kept: '' })
    expect(await home.hermes.session('one', WEBSHOP).systemBlock()).not.toContain('past_search')
    expect(await home.hermes.sessions.nextBlock('', 'webshop')).not.toContain('past_search')
    expect(await home.hermes.sessions.nextBlock()).toContain('past_search')
  })

  it('is not used there, which is an event, once in each process', async () => {
    const { hermes, events } = open(false)
    hermes.session('none')
    expect(events).toEqual([])
    for (const id of ['one', 'two']) hermes.session(id, WEBSHOP)
    expect(events).toMatchObject([{ type: 'provider-failed', operation: 'projects', provider: 'notes' }])
  })

  it('is not either if the host does not name the project of the session', async () => {
    const { storage, hermes } = open(false)
    await hermes.session('one', WEBSHOP).systemBlock()
    await hermes.settled()
    const home = open(false, storage)
    const used = await useSession(home, 'one')
    expect(home.provider.calls.filter(([hook]) => hook !== 'initialize')).toEqual([])
    expect(used).toMatchObject({ recalled: [], kept: '' })
  })

  it('is not given what waited for one that did, which is an event', async () => {
    const storage = inMemoryBackend()
    const first = open(true, storage, { syncTurn: async () => Promise.reject(new Error('down')) })
    talk(first.hermes.session('one', WEBSHOP), [], 'Which port?')
    await first.hermes.settled()
    const next = open(false, storage)
    talk(next.hermes.session('two'), [], 'hello')
    await next.hermes.settled()
    expect(next.provider.of('syncTurn')).toMatchObject([{ sessionId: 'two' }])
    expect(next.events).toContainEqual(expect.objectContaining({ type: 'provider-dropped', items: 1 }))
  })
})

it('is asked nothing by a session that is opened with another project than its own', async () => {
  const { storage, hermes } = open(true)
  await hermes.session('one', WEBSHOP).systemBlock()
  await hermes.settled()
  const { hermes: other, provider } = open(true, storage)
  expect(await other.session('one', BLOG).recall([user('Where do orders live?')])).toEqual([])
  await other.settled()
  expect(provider.calls).toEqual([])
})

it('shows the frozen text of a checkpoint in the project alone that it was frozen for', async () => {
  const counts = { userTurns: 3, toolIterations: 0 }
  const checkpoint = { block: 'Orders live in Postgres', ...WEBSHOP, ...counts }
  const textIn = async (options: object, given: object = checkpoint) =>
    open(true)
      .hermes.session('one', { ...options, checkpoint: given as typeof checkpoint })
      .systemBlock()
  expect(await textIn(WEBSHOP)).toBe('Orders live in Postgres')
  expect(await textIn(BLOG)).not.toContain('Postgres')
  expect(await textIn({})).not.toContain('Postgres')
  expect(await textIn({}, { block: 'Likes tea', ...counts })).toBe('Likes tea')
  expect(await textIn(BLOG, { block: 'Likes tea', ...counts })).not.toContain('tea')
})

/** Remembers all that it is given, and recalls all of it: by project, or without looking. */
const remembering = (projects: boolean): MemoryProvider => {
  const heard: { readonly text: string; readonly project: string | undefined }[] = []
  const hear = async (given: object) =>
    void heard.push({ text: JSON.stringify(given), project: 'project' in given ? String(given.project) : undefined })
  const recall = (given: { readonly project?: string }) =>
    heard.filter(({ project }) => !projects || project === undefined || project === given.project).map(({ text }) => text)
  return {
    name: 'all',
    projects,
    tools: [TOOL],
    initialize: () => ({
      onTurnStart: hear,
      queuePrefetch: hear,
      syncTurn: hear,
      onMemoryWrite: hear,
      onSessionSwitch: hear,
      onSessionEnd: hear,
      async prefetch(query) {
        await hear(query)
        return recall(query)
      },
      async onPreCompress(conversation) {
        await hear(conversation)
        return recall(conversation).join('\n')
      },
      async callTool(call) {
        await hear(call)
        return { found: recall(call) }
      },
    }),
  }
}

const NAMES = ['a', 'b', 'c'] as const

const step = fc.record({
  kind: fc.constantFrom('says', 'says', 'says', 'compresses', 'calls', 'writes', 'restarts'),
  project: fc.constantFrom(...NAMES, undefined),
  /** Several sessions of a project. */
  session: fc.nat(1),
  /** After the first time, the host may leave the project to the record. */
  isNamed: fc.boolean(),
})

it('never recalls a word of another project', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 25 }), fc.boolean(), async (steps, projects) => {
      const storage = inMemoryBackend()
      const provider = remembering(projects)
      const options = { memory: { provider, recallChars: 16_000 }, createId: () => `id-${ids++}` }
      let { hermes } = openHome(storage, options)
      const begun = new Set<string>()
      let ofPerson = 0
      for (const [index, { kind, project, session: number, isNamed }] of steps.entries()) {
        const id = `${project}-${number}`
        const session = hermes.session(id, project === undefined || (!isNamed && begun.has(id)) ? {} : { project })
        if (kind === 'says') begun.add(id)
        const text = `Zebra${project ?? 'x'}${index} is kept in a box`
        let shown = ''
        if (kind === 'says') {
          shown = (await session.recall([user(text)])).map((each) => each.text).join('\n')
          talk(session, [], text)
        } else if (kind === 'compresses') shown = await session.beforeCompress([user(text)])
        else if (kind === 'calls') shown = JSON.stringify(await session.offerTools({ only: [TOOL.name] })[0]?.execute({ q: text }))
        else if (kind === 'writes') await hermes.memory.add(project ? 'project' : 'memory', text, project ? { project } : {})
        else hermes = openHome(storage, options).hermes
        await hermes.settled()
        const words = [...shown.matchAll(/zebra([abcx])\d+/gi)].map(([, name]) => name)
        ofPerson += words.filter((name) => name === 'x').length
        for (const name of words) expect(['x', project]).toContain(name)
        if (!projects && project !== undefined) expect(words).toEqual([])
      }
      // Something was recalled where something was said before.
      const own = steps.filter(({ kind, project }) => project === undefined && kind === 'says')
      if (own.length > 1) expect(ofPerson).toBeGreaterThan(0)
    }),
    { seed: 47, numRuns: rounds(40) },
  )
})
