import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FACTS, greedyReviewer, INSTRUCTIONS, writeConversations } from './old-conversations.ts'
import { openServer } from './openai-server.ts'
import { runHermes, runJson, startHermes, temporaryHome, writeHome } from './run-hermes.ts'

const NOW = Date.UTC(2026, 0, 5, 12)

const environment = (url: string) => ({ OPENAI_BASE_URL: url, OPENAI_MODEL: 'm', COLUMNS: '120' })

const memoryOf = (home: string): readonly string[] =>
  ['MEMORY.md', 'USER.md'].map((name) =>
    existsSync(join(home, 'memories', name)) ? readFileSync(join(home, 'memories', name), 'utf8') : '',
  )

const entriesOf = (home: string): readonly string[] =>
  memoryOf(home)
    .flatMap((text) => text.split('\n§\n'))
    .toSorted()

interface Learned {
  readonly learnId: string
  readonly learned: number
  readonly held: number
  readonly rejected: number
  readonly failed: number
  readonly left: number
  readonly batches: readonly unknown[]
  readonly skipped: readonly { readonly name: string; readonly why: string }[]
  readonly estimate: { readonly inputTokens: number; readonly outputTokens: number; readonly batches: number }
  readonly used: { readonly inputTokens: number; readonly outputTokens: number }
}

describe('hermes learn --sessions, of 200 old conversations with 60 facts, 20 of them changed later', () => {
  const before = { 'memories/USER.md': 'Likes rain\n§\nWrites by hand', 'memories/MEMORY.md': 'The house is old' }

  it('knows the last state, raises no instruction from outside, keeps to its estimate, and is undone as one', async () => {
    const { url, requests } = await openServer(greedyReviewer, { countsTokens: true })
    const [home, folder] = [temporaryHome(), temporaryHome()]
    writeHome(home, before)
    writeConversations(folder, 200)
    const { code, told, stderr } = await runJson(['learn', '--sessions', folder, '--yes', '--home', home], {
      env: environment(url),
      now: NOW,
    })
    expect([code, stderr, told.error]).toEqual([0, '', undefined])
    const value = told.value as Learned
    const entries = new Set(entriesOf(home))
    const last = FACTS.filter(({ key, last }) => entries.has(`User's ${key}: ${last}`))
    const stale = FACTS.filter(({ key, first, last }) => first !== last && entries.has(`User's ${key}: ${first}`))
    expect(last.length).toBeGreaterThanOrEqual(57)
    expect(stale.length).toBeLessThanOrEqual(2)
    expect(INSTRUCTIONS.filter((instruction) => memoryOf(home).some((text) => text.includes(instruction)))).toEqual([])
    expect(entries.has("User's secret plan: a side chain")).toBe(false)
    const [estimated, used] = [value.estimate, value.used].map(({ inputTokens, outputTokens }) => inputTokens + outputTokens)
    expect(used).toBeGreaterThan((estimated ?? 0) * 0.8)
    expect(used).toBeLessThan((estimated ?? 0) * 1.2)
    expect(value).toMatchObject({ left: 0, failed: 0, skipped: [] })
    expect(value.batches).toHaveLength(value.estimate.batches)

    const asked = requests.length
    const again = await runHermes(['learn', '--sessions', folder, '--yes', '--home', home], { env: environment(url), now: NOW })
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('all of it was read before') })
    expect(requests).toHaveLength(asked)

    expect(await runHermes(['undo', '--yes', '--home', home], { now: NOW + 1 })).toMatchObject({ code: 0 })
    expect(memoryOf(home)).toEqual([before['memories/MEMORY.md'], before['memories/USER.md']])
  })
})

/** Stops the command during each of its first requests to the model. */
const learnInParts = async (home: string, folder: string) => {
  let stop = () => {}
  const { url, requests } = await openServer((request) => {
    stop()
    return greedyReviewer(request)
  })
  const codes: (number | null)[] = []
  for (let calls = 0; calls < 50 && codes.at(-1) !== 0; calls++) {
    const running = startHermes(['learn', '--sessions', folder, '--yes', '--json', '--home', home], {
      env: environment(url),
      now: NOW + calls,
    })
    stop = () => void running.stop()
    codes.push((await running.ended).code)
  }
  return { codes, requests }
}

it('goes on at every batch where Ctrl-C stopped it: nothing is read twice or left out, and one undo takes back all', async () => {
  const { url, requests } = await openServer(greedyReviewer)
  const [whole, parts, folder] = [temporaryHome(), temporaryHome(), temporaryHome()]
  writeConversations(folder, 60)
  const { told } = await runJson(['learn', '--sessions', folder, '--yes', '--home', whole], { env: environment(url), now: NOW })
  const { batches } = told.value as Learned
  const inParts = await learnInParts(parts, folder)
  expect(inParts.codes).toEqual([...Array.from({ length: batches.length - 1 }, () => 130), 0])
  expect(inParts.requests).toHaveLength(requests.length)
  expect(entriesOf(parts)).toEqual(entriesOf(whole))
  expect(entriesOf(parts).length).toBeGreaterThan(25)
  expect(await runHermes(['undo', '--yes', '--home', parts], { now: NOW + 100 })).toMatchObject({ code: 0 })
  expect(memoryOf(parts)).toEqual(['', ''])
  // What was taken back can be learned again.
  await runJson(['learn', '--sessions', folder, '--yes', '--home', parts], { env: environment(url), now: NOW + 200 })
  expect(entriesOf(parts)).toEqual(entriesOf(whole))
})

it('tells the reviewer on which day something was said in an old conversation', async () => {
  const { url, requests } = await openServer(greedyReviewer)
  const [home, folder] = [temporaryHome(), temporaryHome()]
  writeHome(folder, {
    'session.jsonl': `${JSON.stringify({ type: 'user', timestamp: '2025-11-19T08:00:00Z', message: { role: 'user', content: 'I am away until Friday.' } })}\n`,
  })
  await runJson(['learn', '--sessions', folder, '--yes', '--home', home], { env: environment(url), now: NOW })
  expect(JSON.stringify(requests)).toContain('on Wednesday, 2025-11-19')
})

it('learns from a conversation with a time that cannot be', async () => {
  const { url, requests } = await openServer(greedyReviewer)
  const [home, folder] = [temporaryHome(), temporaryHome()]
  const said = { role: 'user', content: 'I am away until Friday.', at: 1_767_571_200_000_000_000 }
  writeHome(folder, { 'chat.jsonl': `${JSON.stringify(said)}\n` })
  expect(await runHermes(['learn', '--sessions', folder, '--yes', '--home', home], { env: environment(url), now: NOW })).toMatchObject({
    code: 0,
  })
  expect(JSON.stringify(requests)).toContain('I am away until Friday.')
})

it('pays once where two commands learn from the same at the same time, and says so to the other', async () => {
  const { url, requests } = await openServer(greedyReviewer)
  const [whole, shared, folder] = [temporaryHome(), temporaryHome(), temporaryHome()]
  writeConversations(folder, 60)
  await runJson(['learn', '--sessions', folder, '--yes', '--home', whole], { env: environment(url), now: NOW })
  const alone = requests.length
  const learn = () => runHermes(['learn', '--sessions', folder, '--yes', '--home', shared], { env: environment(url), now: NOW })
  const both = await Promise.all([learn(), learn()])
  expect(requests).toHaveLength(2 * alone)
  expect(entriesOf(shared)).toEqual(entriesOf(whole))
  expect(both.map(({ code }) => code).toSorted()).toEqual([0, 1])
  expect(both.map(({ stderr }) => stderr).join('')).toContain('Another act of learning has read from the same sources')
  expect(await runHermes(['undo', '--yes', '--home', shared], { now: NOW + 1 })).toMatchObject({ code: 0 })
  expect(memoryOf(shared)).toEqual(['', ''])
})

describe('the price of learning', () => {
  const setUp = async (config = '') => {
    const { url, requests } = await openServer(greedyReviewer, { countsTokens: true })
    const [home, folder] = [temporaryHome(), temporaryHome()]
    writeHome(home, { 'config.yaml': config })
    writeConversations(folder, 10)
    const env = { ...environment(url), COLUMNS: '1000' }
    const learn = (...more: readonly string[]) => runHermes(['learn', '--sessions', folder, '--home', home, ...more], { env, now: NOW })
    return { env, home, folder, learn, requests }
  }

  it.each<[string, string, readonly string[], RegExp]>([
    [
      'as --price says',
      'curator:\n  review_price: 1/1\n',
      ['--price', '3000/15000.5'],
      /out, about \$\d+\.\d\d at 3000\/15000\.5 per million\./,
    ],
    ['as config.yaml says', 'curator:\n  review_price: 0.25/2\n', [], /out, less than \$0\.01 at 0\.25\/2 per million\./],
    [
      'not of another model',
      'curator:\n  review_price: 0.25/2\n',
      ['--model', 'm'],
      /tokens in and [\d,]+ out\. With --price <input>\/<output>/,
    ],
    [
      'and how to say it',
      '',
      [],
      /tokens in and [\d,]+ out\. With --price <input>\/<output>, in dollars per million tokens, such as 3\/15/,
    ],
  ])('is shown before the question: %s', async (_, config, more, shown) => {
    const { learn, requests } = await setUp(config)
    const { code, stderr } = await learn(...more)
    expect(code).not.toBe(0)
    expect(stderr).toMatch(shown)
    expect(requests).toEqual([])
  })

  it('is that of the tokens, before and after', async () => {
    const { env, home, folder } = await setUp()
    const { told } = await runJson(['learn', '--sessions', folder, '--yes', '--price', '3/15', '--home', home], { env, now: NOW })
    const { estimate, used } = told.value as Readonly<
      Record<'estimate' | 'used', Record<'inputTokens' | 'outputTokens' | 'dollars', number>>
    >
    for (const { inputTokens, outputTokens, dollars } of [estimate, used])
      expect(dollars).toBeCloseTo((inputTokens * 3 + outputTokens * 15) / 1_000_000, 9)
  })

  it.each(['3', '3/', '-3/15', '3/15/20', 'three/15', '$3/$15'])('cannot be %s', async (price) => {
    const { learn } = await setUp()
    expect(await learn(`--price=${price}`)).toMatchObject({ code: 2, stderr: expect.stringContaining('such as 3/15') })
  })
})
