import { expect, it } from 'vitest'
import { providerFault } from '../../src/provider/check-provider.ts'
import type { ProviderTurn } from '../../src/provider/memory-provider.ts'
import { openConnection, START } from './open-connection.ts'

it('stores a finished turn, delivers it, and removes it', async () => {
  const turns: ProviderTurn[] = []
  const { connection, finish, stored, crashes, troubles } = openConnection({ syncTurn: async (turn) => void turns.push(turn) })
  await finish('I like tea.')
  expect((await stored())?.items).toMatchObject([{ kind: 'turn', user: 'I like tea.', assistant: 'I see.' }])
  await finish('My password is hunter22secret.')
  await connection.settled()
  expect(turns.map(({ user }) => user)).toEqual(['I like tea.', '[redacted: looks like a secret]'])
  expect(turns[0]).toEqual({
    id: expect.any(String),
    at: START,
    sessionId: 'chat',
    user: 'I like tea.',
    assistant: 'I see.',
    automated: false,
  })
  expect(await stored()).toBeUndefined()
  expect(connection.canClose).toBe(true)
  expect([...crashes, ...troubles()]).toEqual([])
})

it('delivers again after a failure, in order, waiting longer each time', async () => {
  const attempts: (readonly [number, string])[] = []
  let works = false
  const { connection, finish, time, troubles, stored } = openConnection({
    syncTurn: async ({ user }) => {
      attempts.push([time.clock() - START, user])
      if (!works) throw new Error('down')
    },
  })
  await finish('one')
  await finish('two')
  await time.move(3_000)
  expect(attempts).toEqual([
    [0, 'one'],
    [1_000, 'one'],
    [3_000, 'one'],
  ])
  expect(troubles()).toEqual([...Array(3).fill('provider-failed syncTurn provider'), 'provider-paused'])
  works = true
  await time.move(30_000)
  expect(attempts.slice(3)).toEqual([
    [33_000, 'one'],
    [33_000, 'two'],
  ])
  expect(troubles().slice(4)).toEqual(['provider-resumed'])
  await connection.close(1_000)
  expect(await stored()).toBeUndefined()
})

it('hands over the beginning of a huge message, and is quick about it', async () => {
  const turns: ProviderTurn[] = []
  const { connection, finish } = openConnection({ syncTurn: async (turn) => void turns.push(turn) })
  const huge = `My cat is called Tom. ${'\u{1f600}'.repeat(5_000_000)}`
  await finish(huge, huge)
  await connection.settled()
  const [turn] = turns
  expect(turn?.user).toMatch(/^My cat is called Tom\. /)
  expect(Array.from(turn?.user ?? '')).toHaveLength(32_000)
  expect(turn?.assistant).toBe(turn?.user)
})

it('hands over the words of the user without what was recalled and without secrets', async () => {
  const asked: string[] = []
  const { connection, recall } = openConnection({
    onTurnStart: ({ text }) => void asked.push(text),
    prefetch: async ({ text }) => asked.push(text).toString(),
    onPreCompress: async ({ messages }) => asked.push(...messages.map(({ text }) => text)).toString(),
  })
  const words = '<memory-context>\nlikes tea\n</memory-context>what now?\nMy password is hunter22secret.'
  connection.turnStarted({ sessionId: 'chat', text: words })
  await recall(words)
  await connection.beforeCompress('chat', [{ role: 'user', text: words }])
  expect(asked).toEqual(Array(3).fill('what now?\n[redacted: looks like a secret]'))
})

it.each([
  [[], /at most one external provider/],
  [{ name: 'My Provider', initialize: () => ({}) }, /its name is not/],
  [{ name: 'notes' }, /no function initialize/],
  [{ name: 'notes', initialize: () => ({}), tools: [{ name: 'x' }] }, /the description of tool 'x'/],
  [{ name: 'notes', initialize: () => ({}), systemPromptBlock: 'x'.repeat(2_001) }, /longer than 2000/],
  [{ name: 'notes', initialize: () => ({}), systemPromptBlock: 'a <memory-context> b' }, /fence of recalled text/],
])('refuses %j', (provider, message) => {
  expect(providerFault(provider)).toMatch(message)
})

it('holds up a compaction for one time limit only, although the provider is being opened for a delivery', async () => {
  const opened = openConnection({}, { provider: { initialize: () => new Promise(() => {}) } })
  await opened.finish('hello')
  await opened.time.pass()
  let answer: string | undefined
  void opened.connection.beforeCompress('chat', []).then((text) => {
    answer = text
  })
  await opened.time.move(1_000)
  expect(answer).toBe('')
})
