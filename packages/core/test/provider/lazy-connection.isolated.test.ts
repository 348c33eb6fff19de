/** The code of a provider connection is loaded late and is not there any more: every call answers, and each failure is an event. */
import { expect, it, vi } from 'vitest'
import { openConnection } from './open-connection.ts'

vi.mock('../../src/provider/connection-work.ts', () => {
  throw new Error('The file is gone.')
})

it('answers without the provider', async () => {
  const { connection, recall, finish, troubles, events } = openConnection({ prefetch: async () => 'tea' })
  expect(await recall()).toEqual([])
  await finish('hello')
  connection.turnStarted({ sessionId: 'chat', text: 'hello' })
  expect(await connection.callTool('look_up', {}, 'chat')).toMatchObject({ success: false })
  expect(await connection.forget({ kind: 'all', dryRun: false })).toMatchObject({ ok: false, error: { code: 'io' } })
  await connection.settled()
  await connection.close(100)
  expect(connection.canClose).toBe(true)
  expect(troubles()).toContain('provider-failed prefetch io')
  expect(events[0]).toMatchObject({ error: { message: expect.stringContaining('The code of memory providers could not be loaded') } })
})
