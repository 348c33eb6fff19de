/** What the provider makes of turns, searches and its options. */
import type { HermesError, Result } from '@hermes/core'
import { ok } from '@hermes/core'
import type { ArchivedItem, HomeProvider, ProviderTurn } from '@hermes/core/provider'
import { describe, expect, it } from 'vitest'
import recallFromConfig, { type RecallProviderOptions, recallProvider, sqliteRecallIndex } from '../src/index.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 9, 15, 9)
const call = { signal: new AbortController().signal }

interface Opened {
  readonly home: HomeProvider
  readonly problems: HermesError[]
  say(user: string, more?: Partial<ProviderTurn>): Promise<void>
  recalled(text: string, sessionId?: string): Promise<readonly string[]>
  ask(input: object, sessionId?: string): Promise<{ readonly results: readonly Record<string, unknown>[] } & Record<string, unknown>>
}

const open = async (
  options: Partial<RecallProviderOptions> = {},
  archived: readonly ArchivedItem[] = [],
  now = { at: NOW },
): Promise<Opened> => {
  const provider = recallProvider({ index: sqliteRecallIndex({ folder: temporaryFolder() }), ...options })
  const problems: HermesError[] = []
  const home = await provider.initialize(
    {
      folder: '',
      clock: () => now.at,
      archived: (): Promise<Result<readonly ArchivedItem[]>> => Promise.resolve(ok(archived)),
      report: (problem) => problems.push(problem),
    },
    call,
  )
  let count = 0
  return {
    home,
    problems,
    say: async (user, more = {}) =>
      home.syncTurn?.({ id: `t${count++}`, sessionId: 'chat-1', at: now.at, user, assistant: 'Noted.', automated: false, ...more }, call),
    recalled: async (text, sessionId = 'now') => {
      const texts = await home.prefetch?.({ sessionId, text, at: now.at, maxChars: 1_600 }, call)
      return typeof texts === 'string' ? [texts] : (texts ?? [])
    },
    ask: async (input, sessionId = 'now') =>
      (await home.callTool?.({ name: 'session_search', input: { ...input }, sessionId }, call)) as never,
  }
}

describe('recallProvider', () => {
  it.each([
    [{}, 'recallProvider needs an index'],
    [undefined, 'recallProvider needs an index'],
    [
      { index: sqliteRecallIndex({ folder: 'x' }), retainDay: 30 },
      "recallProvider has no option 'retainDay'. Its options are index, retainDays, halfLifeDays, embed.",
    ],
    [{ index: sqliteRecallIndex({ folder: 'x' }), retainDays: 0 }, "retainDays must be a number of days above 0, or 'forever'"],
    [{ index: sqliteRecallIndex({ folder: 'x' }), halfLifeDays: 'long' }, 'halfLifeDays must be a number of days above 0'],
    [{ index: sqliteRecallIndex({ folder: 'x' }), embed: () => [] }, "embed takes 'local', an embedding model of the AI SDK"],
    [{ index: sqliteRecallIndex({ folder: 'x' }), embed: 'openai' }, "but got 'openai'"],
  ])('refuses %j', (options, message) => {
    expect(() => Reflect.apply(recallProvider, undefined, [options])).toThrow(message)
  })

  it('is told which folder its index needs', () => {
    expect(() => Reflect.apply(sqliteRecallIndex, undefined, [])).toThrow('sqliteRecallIndex takes { folder }')
  })

  it('recalls with session and date, from other sessions only', async () => {
    const { home, say, recalled } = await open()
    await say('We picked up a puppy on Sunday, called Biscuit.', { at: Date.UTC(2026, 9, 3), assistant: 'Congratulations!' })
    expect(await recalled("What is the puppy's name?")).toEqual([
      '2026-10-03, session chat-1: User: We picked up a puppy on Sunday, called Biscuit. Agent: Congratulations!',
    ])
    expect(await recalled("What is the puppy's name?", 'chat-1')).toEqual([])
    await home.shutdown?.(call)
  })

  it('puts the newer of two statements first, and people before scheduled runs', async () => {
    const { home, say, recalled } = await open()
    await say('Ola lives in Trondheim.', { sessionId: 'old', at: NOW - 90 * DAY })
    await say('Ola lives in Bergen now.', { sessionId: 'new', at: NOW - 2 * DAY })
    await say('Ola lives in a database.', { sessionId: 'cron', at: NOW - DAY, automated: true })
    const texts = await recalled('Where does Ola live?')
    expect(texts.map((text) => /session (\w+)/.exec(text)?.[1])).toEqual(['new', 'old', 'cron'])
    expect(texts[2]).toContain('(automated)')
    const asked = await home.callTool?.({ name: 'session_search', input: { query: 'Where does Ola live?' }, sessionId: 'now' }, call)
    expect(asked?.['results']).toMatchObject([{ session: 'new' }, { session: 'old' }, { session: 'cron' }])
    await home.shutdown?.(call)
  })

  it('recalls in a home of two turns, and nothing for small talk', async () => {
    const { home, say, recalled } = await open()
    await say('We met Harriet from the bakery; she delivers at six in the morning.', { sessionId: 'a' })
    await say('ok thanks, how are you?', { sessionId: 'b', assistant: 'I am fine, what can I do for you today?' })
    for (const question of ['When does Harriet deliver?', 'When does Harriet come?', 'Who delivers?'])
      expect(await recalled(question)).toHaveLength(1)
    for (const words of ['ok, thanks', 'Good morning', 'What is the capital of France?', 'Gracias'])
      expect(await recalled(words)).toEqual([])
    await home.shutdown?.(call)
  })

  it('recalls what shares one rare word with a message only if it has a name of the message too', async () => {
    const { home, say, recalled } = await open()
    await say('Harriet saw the comet from her roof.', { sessionId: 'roof' })
    await say('The comet passes at noon.', { sessionId: 'noon' })
    await say('The comet is green.', { sessionId: 'green' })
    for (let number = 0; number < 400; number++) await say(`Harriet ran errand ${number}.`, { sessionId: `errand-${number}` })
    expect(await recalled('How does a comet come about?')).toEqual([])
    expect(await recalled('What did Harriet say of a comet?')).toEqual([expect.stringContaining('session roof')])
    await home.shutdown?.(call)
  })

  it('follows a name to what else is known of it', async () => {
    const { home, say, recalled } = await open()
    await say('The plumber who saved our ceiling is called Pavel Hruška.', { sessionId: 'first' })
    await say('Hruška only takes orders on Thursdays.', { sessionId: 'second' })
    for (let n = 0; n < 30; n++) await say(`Something about the weather, number ${n}.`, { sessionId: `s${n}` })
    expect((await recalled('When can I order the plumber who saved our ceiling?')).join('\n')).toContain('Thursdays')
    await home.shutdown?.(call)
  })

  it('stores no credentials', async () => {
    const { home, say, ask } = await open()
    await say('The password is hunter2-Zebra-991\nand the server is called Osprey.')
    const { results } = await ask({ query: 'Osprey server password' })
    expect(JSON.stringify(results)).toContain('[redacted')
    expect(JSON.stringify(results)).not.toContain('hunter2')
    await home.shutdown?.(call)
  })

  it('finds archived entries and skills', async () => {
    const archived: readonly ArchivedItem[] = [
      { kind: 'entry', id: 'e', title: 'MEMORY.md', text: 'The boiler is a Nilsen from 1998.', at: NOW - DAY },
      { kind: 'skill', id: 's', title: 'bleed-radiators', text: 'Turn the key until water comes.', at: NOW - DAY },
    ]
    const { recalled, home, problems } = await open({}, archived)
    await expect
      .poll(() => recalled('Which boiler is it?'))
      .toEqual(['2026-10-14, archived memory entry: The boiler is a Nilsen from 1998.'])
    expect(await recalled('How do I bleed radiators?')).toEqual([
      "2026-10-14, archived skill 'bleed-radiators': Turn the key until water comes.",
    ])
    expect(problems).toEqual([])
    await home.shutdown?.(call)
  })

  it('erases turns older than retainDays, once a day', async () => {
    const now = { at: NOW }
    const { home, say, ask } = await open({ retainDays: 30 }, [], now)
    await say('The heron was here.', { at: NOW - 20 * DAY })
    now.at += 20 * DAY
    await home.onTurnStart?.({ sessionId: 'now', text: 'hello', at: now.at }, call)
    await expect.poll(async () => (await ask({ query: 'heron' })).results).toEqual([])
    await home.shutdown?.(call)
  })
})

describe('session_search', () => {
  it('searches, lists and reads sessions, its own included', async () => {
    const { home, say, ask } = await open()
    for (let n = 0; n < 40; n++)
      await say(`Step ${n} of the garden plan.`, {
        sessionId: n < 20 ? 'garden' : 'now',
        at: NOW - (40 - n) * DAY,
        assistant: 'word '.repeat(900),
      })
    const listed = await ask({})
    expect(listed.results).toEqual([
      { session: 'garden', from: '2026-09-05', to: '2026-09-24', turns: 20, began: 'Step 0 of the garden plan.' },
    ])
    const read = await ask({ session: 'garden', after: '2026-09-10', limit: 3 })
    expect(read.results.map(({ user }) => user)).toEqual([
      'Step 5 of the garden plan.',
      'Step 6 of the garden plan.',
      'Step 7 of the garden plan.',
    ])
    const own = await ask({ query: 'step 33', session: 'now', limit: 2 })
    expect(own.results[0]).toMatchObject({ session: 'now', date: '2026-10-08 09:00', user: 'Step 33 of the garden plan.' })
    const all = await ask({ query: 'garden plan', limit: 20 })
    expect(JSON.stringify(all).length).toBeLessThanOrEqual(8_000)
    await home.shutdown?.(call)
  })

  it('says what is wrong with a date, and that nothing was found', async () => {
    const { home, ask } = await open()
    expect(await ask({ query: 'x', after: 'tomorrow' })).toMatchObject({ success: false, error: expect.stringContaining('2026-03-01') })
    expect(await ask({ query: 'unicorn' })).toMatchObject({ success: true, results: [], note: expect.stringContaining('other words') })
    expect(await ask({ session: 'none' })).toMatchObject({ success: true, results: [] })
    await home.shutdown?.(call)
  })
})

it('is made from config.yaml, which takes four options', async () => {
  const home = temporaryFolder()
  const provider = recallFromConfig({ home, options: { retain_days: 'forever', half_life_days: 30, embed: 'local' } })
  const recall = await provider.openRecall({ folder: '', clock: () => NOW, report: () => {} })
  expect((await recall.index.stats()).location).toBe(`${home}/recall/recall.db`)
  await recall.index.close()
  expect(() => recallFromConfig({ home, options: { retian_days: 3 } })).toThrow("has 'retian_days', which recall does not know")
  expect(() => recallFromConfig({ home, options: { embed: 'openai' } })).toThrow("but got 'openai'")
  expect(() => recallFromConfig({ home, options: { folder: 7 } })).toThrow('sqliteRecallIndex takes { folder }')
})
