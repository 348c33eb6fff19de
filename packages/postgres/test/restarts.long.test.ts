/** The server is killed and started again while several processes' worth of handles write. */
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rounds } from '../../../scripts/support/rounds.ts'
import { postgresBackend } from '../src/postgres-backend.ts'
import { addEntry, entriesAt, move, put, unwrap } from './support/entries.ts'
import { createPostgresServer, type PostgresServer } from './support/postgres-server.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await createPostgresServer()
})
afterAll(() => server.remove())

const openPool = () => {
  const pool = new pg.Pool({ connectionString: server.url, max: 4 })
  pool.on('error', () => undefined)
  return pool
}

it('keeps every acknowledged entry once through kills and restarts, and no call fails if the server is back in time', async () => {
  const pools = [openPool(), openPool()]
  const storages = pools.map((pool) => postgresBackend(pool, { timeoutMs: 60_000 }))
  const check = storages[0]!
  unwrap(await put(check, 'log', 'start'))
  let writing = true
  let written = 0
  /** Until eight more entries were written. */
  const workOn = async () => {
    const before = written
    await expect.poll(() => written, { timeout: 50_000 }).toBeGreaterThanOrEqual(before + 8)
  }
  const writers = storages.flatMap((storage, pool) =>
    [0, 1].map(async (writer) => {
      const acknowledged: string[] = []
      for (let time = 0; writing; time++) {
        const entry = `${pool}-${writer}-${time}`
        unwrap(await addEntry(storage, writer === 0 ? 'log' : `own/${pool}`, entry))
        acknowledged.push(entry)
        written++
      }
      return acknowledged
    }),
  )
  for (let round = 0; round < rounds(3); round++) {
    await workOn()
    await server.stop('kill')
    await server.start()
  }
  await workOn()
  writing = false
  const acknowledged = (await Promise.all(writers)).flat()
  const kept = (await Promise.all(['log', 'own/0', 'own/1'].map((path) => entriesAt(check, path)))).flat()
  expect(acknowledged.length).toBeGreaterThan(rounds(20))
  expect(new Set(kept).size).toBe(kept.length)
  expect([...kept].filter((entry) => entry !== 'start').sort()).toEqual([...acknowledged].sort())
  for (const pool of pools) await pool.end()
}, 240_000)

it('answers io in time while the server is away, closes, and never shows the password', async () => {
  const pool = openPool()
  unwrap(await put(postgresBackend(pool, { schema: 'away' }), 'doc', 'text'))
  const storage = postgresBackend(pool, { schema: 'away', timeoutMs: 1_000 })
  await server.stop('kill')
  // The server's process of an open connection may outlive it for a moment.
  await expect.poll(async () => (await storage.read(['doc'])).ok).toBe(false)
  const began = performance.now()
  const outcomes = [
    await storage.read(['doc']),
    await addEntry(storage, 'doc', 'more'),
    await storage.list(''),
    await move(storage, 'a', 'b'),
  ]
  await storage.close()
  expect(performance.now() - began).toBeLessThan(30_000)
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ ok: false, error: { code: 'io', message: expect.stringContaining('Check that it is running') } })
    expect(JSON.stringify(outcome)).not.toContain('hermes-secret')
  }
  await server.start()
  const again = postgresBackend(pool, { schema: 'away' })
  expect(await entriesAt(again, 'doc')).toEqual(['text'])
  await pool.end()
})
