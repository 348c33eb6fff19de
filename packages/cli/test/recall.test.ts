import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHermesHomes, systemClock } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { providerFolder } from '@hermes/core/provider'
import { type RecallItem, recallProvider, sqliteRecallIndex } from '@hermes/recall'
import { describe, expect, it } from 'vitest'
import { runHermes, runJson, temporaryHome, writeHome } from './run-hermes.ts'

const NOW = Date.UTC(2026, 9, 20, 12)
const DAY_MS = 86_400_000

const turn = (session: string, daysAgo: number, user: string, answer: string): RecallItem => ({
  id: `${session}-${daysAgo}`,
  kind: 'turn',
  source: session,
  at: NOW - daysAgo * DAY_MS,
  automated: false,
  user,
  answer,
})

const TURNS = [
  turn('chat-1', 30, 'The blue kayak is in the boathouse of Lars.', 'Noted.'),
  turn('chat-1', 29, 'The paddle is broken.', 'Then it needs a new one.'),
  turn('chat-2', 5, 'Which invoice is open?', 'Invoice 4711 of the carpenter.'),
]

const report = (problem: Error) => {
  throw problem
}

/** Stores turns as the provider does, for the home or one of its owners. */
const store = async (home: string, turns: readonly RecallItem[], user?: string): Promise<void> => {
  const provider = recallProvider({ index: sqliteRecallIndex({ folder: join(home, 'recall') }) })
  const owner = user === undefined ? {} : { owner: { user } }
  const recall = await provider.openRecall({ ...owner, folder: await providerFolder(user), clock: systemClock, report })
  await recall.index.add(turns)
  await recall.index.close()
}

const filledHome = async (): Promise<string> => {
  const home = temporaryHome()
  await store(home, TURNS)
  return home
}

describe('hermes search, in past sessions', () => {
  it('finds what was said, the best match first, with its session and date', async () => {
    const home = await filledHome()
    const found = await runHermes(['search', '--in', 'sessions', 'where', 'is', 'the', 'kayak', '--home', home], { now: NOW })
    expect(found).toMatchObject({ code: 0, stderr: '' })
    expect(found.stdout).toMatch(
      /^2026-09-20 12:00 UTC {2}session chat-1\n {2}user +The blue kayak is in the boathouse of Lars\.\n {2}agent +Noted\.\n/,
    )
    const { told } = await runJson(['search', '--in', 'sessions', 'kayak', '--home', home], { now: NOW })
    expect(told.value).toMatchObject({
      places: [
        { place: 'sessions', hits: [{ kind: 'turn', session: 'chat-1', at: NOW - 30 * DAY_MS, user: TURNS[0]?.user, agent: 'Noted.' }] },
      ],
    })
  })

  it('finds those of every project and names it, or those that a session of one project finds', async () => {
    const home = temporaryHome()
    const ofWeb = { ...turn('chat-3', 2, 'The kayak is sold in the webshop.', 'Noted.'), project: 'webshop' }
    const ofBlog = { ...turn('chat-4', 1, 'The kayak has a post in the blog.', 'Noted.'), project: 'blog' }
    await store(home, [...TURNS, ofWeb, ofBlog])
    const all = await runHermes(['search', 'kayak', '--in', 'sessions', '--home', home], { now: NOW })
    expect(all.stdout).toContain('session chat-4 of project blog')
    expect((await runHermes(['search', 'kayak', '--home', home], { now: NOW })).stdout).toContain('session of project blog')
    const { told } = await runJson(['search', 'kayak', '--project', 'webshop', '--home', home], { now: NOW })
    const { hits } = Object(told.value).places[0]
    const found = hits.map((hit: { session: string; project?: string }) => [hit.session, hit.project])
    expect(found.sort()).toEqual([
      ['chat-1', undefined],
      ['chat-3', 'webshop'],
    ])
  })

  it('is narrowed by session, time and number', async () => {
    const home = await filledHome()
    const hitsOf = async (...args: readonly string[]) => {
      const { told } = await runJson(['search', '--in', 'sessions', 'kayak paddle invoice', '--home', home, ...args], { now: NOW })
      return Object(told.value)
        .places[0].hits.map(({ id }: { readonly id: string }) => id)
        .sort()
    }
    expect(await hitsOf()).toEqual(['chat-1-29', 'chat-1-30', 'chat-2-5'])
    expect(await hitsOf('--session', 'chat-1')).toEqual(['chat-1-29', 'chat-1-30'])
    expect(await hitsOf('--after', '2w')).toEqual(['chat-2-5'])
    expect(await hitsOf('--before', '2026-09-21')).toEqual(['chat-1-30'])
    expect(await hitsOf('--limit', '1')).toHaveLength(1)
  })

  it('says so if nothing matches, and what to do if nothing was ever stored', async () => {
    const home = await filledHome()
    expect((await runHermes(['search', '--in', 'sessions', 'zeppelin', '--home', home])).stdout).toContain('Nothing matches.')
    const empty = temporaryHome()
    const searched = await runHermes(['search', '--in', 'sessions', 'kayak', '--home', empty])
    expect(searched).toMatchObject({ code: 0, stdout: expect.stringContaining("'memory.provider: recall' in config.yaml") })
    expect(readdirSync(empty)).toEqual([])
    expect(await runHermes(['search', '--in', 'sessions', '--home', home])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Missing what'),
    })
  })

  it('finds what one of many people said, and nothing of the others', async () => {
    const home = temporaryHome()
    const homes = createHermesHomes({ storage: fileSystemBackend(home) })
    for (const user of ['ada', 'bob']) await homes.for(user).memoryStore().apply('user', { action: 'add', content: 'Likes tea' })
    await homes.close()
    await store(home, TURNS, 'ada')
    expect((await runHermes(['search', '--in', 'sessions', 'kayak', '--home', home, '--user', 'ada'])).stdout).toContain('boathouse')
    expect((await runHermes(['search', '--in', 'sessions', 'kayak', '--home', home, '--user', 'bob'])).stdout).toContain(
      'Nothing is stored yet',
    )
  })

  it('says what to do if another provider is named, or it cannot be used', async () => {
    const home = await filledHome()
    writeHome(home, {
      'config.yaml': 'memory: { provider: ./own.mjs }\n',
      'own.mjs': "export default { name: 'own', initialize: () => ({}) }",
    })
    expect(await runHermes(['search', '--in', 'sessions', 'kayak', '--home', home])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("'own' of config.yaml is not @hermes/recall"),
    })
    const { told } = await runJson(['reindex', '--home', home])
    // The commands that it names are there.
    const named = [...String(Object(told.error).message).matchAll(/'hermes ([^']+)'/g)].map(([, words = '']) => words.split(' '))
    expect(named).toHaveLength(3)
    for (const words of named) expect(await runHermes([...words, '--help'])).toMatchObject({ code: 0 })
    writeHome(home, { 'config.yaml': 'memory: { provider: recall, provider_options: { folder: 5 } }\n' })
    expect(await runHermes(['stats', '--index', '--home', home])).toMatchObject({ code: 1, stderr: expect.stringContaining('folder') })
  })
})

describe('hermes stats --index', () => {
  it.each([
    ['--days', '14', '--index'],
    ['--index', '--check', '--days', '14'],
  ])('does not take days, which it would ignore: %s %s %s', async (...args) => {
    const { code, stdout, stderr } = await runHermes(['stats', ...args, '--home', await filledHome()])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/days and (index|check)/)
  })

  it('shows what is stored and what waits', async () => {
    const home = await filledHome()
    writeHome(home, { 'config.yaml': 'memory: { provider: recall }\n' })
    const item = { id: '1', by: 'p', at: NOW - DAY_MS, kind: 'end', sessionId: 'chat-9' }
    writeHome(home, { 'provider/recall.json': JSON.stringify({ version: 1, processes: {}, items: [item] }) })
    const shown = await runHermes(['stats', '--index', '--check', '--home', home], { now: NOW })
    expect(shown).toMatchObject({ code: 0, stderr: '' })
    expect(shown.stdout).toMatch(/turns +3 in 2 sessions/)
    expect(shown.stdout).toMatch(/waiting +1 item for 'recall', since 1d ago/)
    expect(shown.stdout).toMatch(/check +no damage found/)
    const { told } = await runJson(['stats', '--index', '--home', home], { now: NOW })
    expect(told.value).toMatchObject({
      turns: 3,
      sessions: 2,
      archived: 0,
      newestAt: NOW - 5 * DAY_MS,
      waiting: [{ provider: 'recall', items: 1 }],
    })
  })
})

describe('hermes reindex', () => {
  it('rebuilds the index and keeps every turn', async () => {
    const home = await filledHome()
    expect(await runHermes(['reindex', '--home', home])).toMatchObject({
      code: 0,
      stdout: 'The index was rebuilt from 3 turns.\n',
    })
    expect((await runHermes(['search', '--in', 'sessions', 'kayak', '--home', home])).stdout).toContain('boathouse')
  })

  it('stops at Ctrl-C', async () => {
    const home = await filledHome()
    const stopped = await runHermes(['reindex', '--home', home], { interrupt: true })
    expect(stopped).toMatchObject({ code: 130, stderr: expect.stringContaining('Stopped by Ctrl-C') })
    expect((await runHermes(['search', '--in', 'sessions', 'kayak', '--home', home])).stdout).toContain('boathouse')
  })

  it('saves what can be read of a damaged file', async () => {
    const home = await filledHome()
    const file = join(home, 'recall/recall.db')
    expect(existsSync(file)).toBe(true)
    writeFileSync(file, 'not a database at all')
    const shown = await runHermes(['stats', '--index', '--home', home])
    expect(shown).toMatchObject({ code: 0, stderr: expect.stringMatching(/warning: The recall index was damaged .* It was moved to/) })
  })
})
