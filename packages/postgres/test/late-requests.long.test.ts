/** A write whose answer is lost, and that nobody can be asked about. */
import { neon, neonConfig } from '@neondatabase/serverless'
import pg from 'pg'
import { afterAll, expect, inject, it } from 'vitest'
import { postgresBackend } from '../src/postgres-backend.ts'
import { addEntry, entriesAt, put, unwrap } from './support/entries.ts'
import { createNeonEndpoint } from './support/neon-endpoint.ts'
import { newSchema } from './support/new-schema.ts'

const url = inject('postgresUrl')
const direct = new pg.Pool({ connectionString: url, max: 2 })
afterAll(() => direct.end())

it('says that the outcome is unknown if the server stays away after a connection was lost', async () => {
  const schema = newSchema()
  unwrap(await put(postgresBackend(direct, { schema }), 'log', 'first'))
  const ending = await createNeonEndpoint()
  neonConfig.fetchEndpoint = () => ending.url
  const tested = postgresBackend(neon(url), { schema, timeoutMs: 3_000 })
  await tested.read(['log'])
  ending.loseAnswer(1, new Promise(() => undefined))
  const written = addEntry(tested, 'log', 'second')
  await expect.poll(() => entriesAt(postgresBackend(direct, { schema }), 'log')).toContain('second')
  await ending.close()
  expect(await written).toMatchObject({
    ok: false,
    error: { code: 'io', message: expect.stringContaining('unknown whether it was done') },
  })
  await direct.query(`drop schema ${schema} cascade`)
})
