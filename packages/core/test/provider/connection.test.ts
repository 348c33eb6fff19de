import { expect, it } from 'vitest'
import type { ProviderTurn } from '../../src/provider/memory-provider.ts'
import { openConnection, START } from './open-connection.ts'

it('asks the provider for the words of the user, and says what it recalled', async () => {
  const asked: unknown[] = []
  const { recall, events } = openConnection({
    prefetch: async (query) => {
      asked.push(query)
      return ['likes tea', 'lives in Rome']
    },
  })
  expect(await recall('what do I drink?')).toEqual(['likes tea', 'lives in Rome'])
  expect(asked).toEqual([{ sessionId: 'chat', text: 'what do I drink?', at: START, maxChars: 200 }])
  expect(events).toEqual([{ type: 'recalled', sessionId: 'chat', texts: 2, chars: 22, ms: 0, at: START, provider: 'testing' }])
})

it('stores a finished turn, delivers it, and removes it with the next one', async () => {
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
  expect(connection.idle).toBe(true)
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
