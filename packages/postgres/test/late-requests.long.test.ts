/** A write whose answer is lost, and that nobody can be asked about. */
import { readDocument, updateDocument } from '@hermes/core/storage'
import { neon, neonConfig } from '@neondatabase/serverless'
import pg from 'pg'
import { afterAll, expect, inject, it } from 'vitest'
import { postgresBackend } from '../src/index.ts'
import { appending, bytes, entriesAt, unwrap } from './support/entries.ts'
import { createNeonEndpoint } from './support/neon-endpoint.ts'
import { newSchema } from './support/new-schema.ts'

const url = inject('postgresUrl')
const direct = new pg.Pool({ connectionString: url, max: 2 })
afterAll(() => direct.end())

it('says that the outcome is unknown if the server stays away after a connection was lost', async () => {
  const schema = newSchema()
  unwrap(await updateDocument(postgresBackend(direct, { schema }), 'log', () => bytes('first')))
  const ending = await createNeonEndpoint()
  neonConfig.fetchEndpoint = () => ending.url
  const tested = postgresBackend(neon(url), { schema, timeoutMs: 3_000 })
  await readDocument(tested, 'log')
  ending.loseNextAnswer(new Promise(() => undefined))
  const written = updateDocument(tested, 'log', appending('second'))
  await expect.poll(() => entriesAt(postgresBackend(direct, { schema }), 'log')).toContain('second')
  await ending.close()
  expect(await written).toMatchObject({
    ok: false,
    error: { code: 'io', message: expect.stringContaining('unknown whether the change is in it') },
  })
  await direct.query(`drop schema ${schema} cascade`)
})
