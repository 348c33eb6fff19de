import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHermesHomes } from '@hermes/core'
import { expect, it } from 'vitest'
import { sqliteBackend } from '../src/sqlite-backend.ts'
import { sqliteReviewQueue } from '../src/sqlite-review-queue.ts'
import { newFolder } from './support/temporary-folder.ts'

it('lets a worker run what another process of the machine has found due, in the file of the homes', async () => {
  const file = join(newFolder(), 'hermes.db')
  const openHomes = () =>
    createHermesHomes({
      storage: sqliteBackend(file),
      review: { queue: sqliteReviewQueue(file), model: async () => '{"proposals": []}' },
    })
  const [server, worker] = [openHomes(), openHomes()]
  const session = server.for('ann').session('chat')
  for (let turn = 0; turn < 3; turn++) session.recordTurn({ messages: [{ role: 'user', text: `Turn ${turn}` }] })
  expect(await session.end()).toEqual({ ok: true, value: { kind: 'queued' } })
  expect(await worker.work({ once: true })).toMatchObject({ ok: true, value: { reviewed: 1, failed: 0 } })
  await Promise.all([server.close(), worker.close()])
})

it('leaves nothing of an owner who was removed in any file', async () => {
  const folder = newFolder()
  const queue = sqliteReviewQueue(join(folder, 'hermes.db'))
  await queue.add({ owner: { tenant: 'acme', user: 'ann-of-acme' }, kind: 'end', dueAt: 0 })
  await queue.add({ owner: { user: 'bob' }, kind: 'end', dueAt: 0 })
  expect(await queue.remove({ tenant: 'acme', user: 'ann-of-acme' })).toEqual({ ok: true, value: undefined })
  for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name)).includes('ann-of-acme')).toBe(false)
  expect(await queue.stats()).toEqual({ ok: true, value: { waiting: 1, claimed: 0, oldestDueAt: 0 } })
  await queue.close()
})

it('refuses what is no path, and names itself', () => {
  expect(() => sqliteReviewQueue(':memory:')).toThrow(/^sqliteReviewQueue takes the path of a file/)
  expect(() => sqliteReviewQueue('hermes.db', { timeoutMs: 0 })).toThrow(/^timeoutMs must be a whole number/)
})
