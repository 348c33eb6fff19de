import { describe, expect, it } from 'vitest'
import { createHermesHomes } from '../../src/create-hermes-homes.ts'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import type { HomeProvider, MemoryProvider } from '../../src/provider/memory-provider.ts'
import { HermesError } from '../../src/shared/hermes-error.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument } from '../../src/storage/one-document.ts'
import { openHome, remember } from '../session/open-home.ts'
import { recordingProvider, say } from './recording-provider.ts'

const textOf = async (storage: ReturnType<typeof inMemoryBackend>): Promise<string> => {
  const listed = await storage.list('')
  const documents = await Promise.all((listed.ok ? listed.value : []).map(({ path }) => readDocument(storage, path)))
  return documents.map((each) => new TextDecoder().decode(each.ok ? each.value?.bytes : undefined)).join('\n')
}

const open = (hooks: HomeProvider = {}) => {
  const storage = inMemoryBackend()
  const provider = recordingProvider(hooks)
  return { storage, provider, ...openHome(storage, { memory: { provider } }) }
}

describe('forget', () => {
  it('erases a text from recalled texts, from what waits for delivery, and in the provider', async () => {
    const { storage, provider, hermes } = open({
      prefetch: async () => ['The door code is 4711-zebra.', 'Likes tea.'],
      syncTurn: () => Promise.reject(new Error('down')),
      forget: async ({ dryRun }) => (dryRun ? 5 : 7),
    })
    const session = hermes.session('one')
    const history: TurnMessage[] = []
    await say(session, history, 'my code is 4711-zebra')
    await hermes.settled()
    expect(await textOf(storage)).toContain('4711-zebra')
    const preview = await hermes.forget('4711-ZEBRA', { dryRun: true })
    expect(preview).toMatchObject({ ok: true, value: { erased: { providerItems: expect.any(Number) }, remaining: [] } })
    const receipt = await hermes.forget('4711-ZEBRA')
    expect(receipt).toMatchObject({ ok: true, value: { erased: { providerItems: 8, sessions: 1 }, remaining: [] } })
    expect(await textOf(storage)).not.toContain('4711-zebra')
    const targets = provider.of('forget')
    expect(targets.map(({ kind, dryRun }) => [kind, dryRun])).toEqual([
      ['text', true],
      ['text', false],
    ])
    const [target] = targets
    expect(target?.kind === 'text' && [target.text, target.matches('x 4711-Zebra y'), target.matches('zebra')]).toEqual([
      '4711-ZEBRA',
      true,
      false,
    ])
    const { messages } = await say(session, history, 'and now?')
    expect(messages[0]).toContain('Likes tea.')
    expect(messages[0]?.split('<memory-context>')[1]).not.toContain('4711')
  })

  it('hands over the whole entry of which a piece was given, and the id of a session', async () => {
    const { storage, provider, hermes } = open()
    await remember(storage, 'The dog is called Biscuit')
    await hermes.forget({ entry: 'Biscuit' })
    await hermes.forget({ session: 'one' })
    await hermes.forget({ entry: 'no such entry' })
    expect(provider.of('forget')).toMatchObject([
      { kind: 'text', text: 'The dog is called Biscuit', dryRun: false },
      { kind: 'session', sessionId: 'one', dryRun: false },
    ])
  })

  it.each([
    ['cannot erase', { forget: undefined }],
    ['fails', { forget: () => Promise.reject(new HermesError('io', 'down')) }],
  ])('lists the provider as remaining if it %s', async (_, hooks) => {
    const { hermes } = open(hooks as HomeProvider)
    const receipt = await hermes.forget('some words')
    expect(receipt).toMatchObject({
      ok: true,
      value: { erased: { providerItems: 0 }, remaining: [{ path: 'provider:notes', reason: expect.stringContaining('notes') }] },
    })
    expect(await hermes.forgetSession('one')).toMatchObject({ ok: false, error: { code: 'provider' } })
  })
})

describe('the home of a provider', () => {
  it('shows what was archived', async () => {
    let archived: unknown
    const initialize: MemoryProvider['initialize'] = (home) => ({
      prefetch: async () => {
        archived = await home.archived()
        return []
      },
    })
    const { hermes } = openHome(inMemoryBackend(), { memory: { provider: { name: 'notes', initialize } } })
    const store = hermes.memoryStore()
    await store.apply('memory', { action: 'add', content: 'Builds with npm' })
    await store.apply('memory', { action: 'replace', oldText: 'npm', content: 'Builds with pnpm' })
    const content = '---\nname: deploy\ndescription: Deploys.\n---\n\nRun it.\n'
    await hermes.skillStore().create({ name: 'deploy', content })
    await hermes.skillStore().archive('deploy', { reason: 'old' })
    await say(hermes.session('one'), [], 'hello')
    expect(archived).toMatchObject({
      ok: true,
      value: [
        { kind: 'entry', title: 'memory', text: 'Builds with npm' },
        { kind: 'skill', title: 'deploy', text: content },
      ],
    })
  })
})

describe('homes', () => {
  it('gives the provider of each owner a folder of its own, and never another owner’s words', async () => {
    const provider = recordingProvider()
    const homes = createHermesHomes({ storage: inMemoryBackend(), memory: { provider } })
    await say(homes.for({ tenant: 'acme', user: 'Ada' }).session('one'), [], 'I am Ada')
    await say(homes.for('bob').session('one'), [], 'I am Bob')
    const opened = provider.calls.filter(([hook]) => hook === 'initialize').map(([, home]) => home)
    expect(opened).toMatchObject([
      { owner: { tenant: 'acme', user: 'Ada' }, folder: 'homes/acme/~41da' },
      { owner: { user: 'bob' }, folder: 'homes/~none/bob' },
    ])
    await homes.close()
  })

  it('shuts a provider down with a home that is dropped, and opens it again for whoever still uses the home', async () => {
    const provider = recordingProvider()
    const homes = createHermesHomes({ storage: inMemoryBackend(), memory: { provider }, homes: { maxOpen: 1 } })
    const ada = homes.for('ada')
    await say(ada.session('one'), [], 'hello')
    await homes.settled()
    homes.for('bob')
    const history: TurnMessage[] = []
    expect((await say(ada.session('two'), history, 'hello again')).messages[0]).toContain('Fact 2')
    expect(provider.calls.map(([hook]) => hook).filter((hook) => hook === 'initialize' || hook === 'shutdown')).toEqual([
      'initialize',
      'shutdown',
      'initialize',
    ])
    await ada.settled()
    expect(provider.of('syncTurn')).toHaveLength(2)
    await homes.close()
  })

  it('erases an owner in the provider, also if the home is not open, and says if it could not', async () => {
    const storage = inMemoryBackend()
    const first = createHermesHomes({ storage, memory: { provider: recordingProvider() } })
    await say(first.for('ada').session('one'), [], 'hello')
    await first.settled()
    const provider = recordingProvider({ forget: async () => 4 })
    const homes = createHermesHomes({ storage, memory: { provider } })
    expect(await homes.erase('ada')).toMatchObject({
      ok: true,
      value: { documents: expect.any(Number), provider: { name: 'notes', items: 4 } },
    })
    expect(provider.of('forget')).toMatchObject([{ kind: 'all', dryRun: false }])
    expect(provider.calls.find(([hook]) => hook === 'initialize')?.[1]).toMatchObject({ owner: { user: 'ada' } })
    expect(provider.of('shutdown')).toHaveLength(1)
    expect(await storage.list('homes')).toMatchObject({ ok: true, value: [] })
    const broken = createHermesHomes({
      storage,
      memory: { provider: recordingProvider({ forget: () => Promise.reject(new Error('down')) }) },
    })
    expect(await broken.erase('ada')).toMatchObject({
      ok: true,
      value: { provider: { items: 0, remaining: expect.stringContaining('down') } },
    })
  })
})
