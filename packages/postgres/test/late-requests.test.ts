/** A write whose answer is lost, and that the server gets late or that nobody can be asked about. */
import { neon, neonConfig } from '@neondatabase/serverless'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { postgresBackend } from '../src/index.ts'
import { appending, bytes, entriesAt, unwrap } from './support/entries.ts'
import { createNeonEndpoint, type NeonEndpoint } from './support/neon-endpoint.ts'
import { newSchema } from './support/new-schema.ts'

const url = inject('postgresUrl')
const direct = new pg.Pool({ connectionString: url, max: 2 })
let endpoint: NeonEndpoint
beforeAll(async () => {
  endpoint = await createNeonEndpoint()
  neonConfig.fetchEndpoint = () => endpoint.url
})
afterAll(async () => {
  await direct.end()
  await endpoint.close()
})

it('says that the outcome is unknown if the server stays away after a connection was lost', async () => {
  const schema = newSchema()
  unwrap(await postgresBackend(direct, { schema }).update('log', () => bytes('first')))
  const ending = await createNeonEndpoint()
  neonConfig.fetchEndpoint = () => ending.url
  const tested = postgresBackend(neon(url), { schema, timeoutMs: 3_000 })
  await tested.read('log')
  ending.loseNextAnswer(new Promise(() => undefined))
  const written = tested.update('log', appending('second'))
  await expect.poll(() => entriesAt(postgresBackend(direct, { schema }), 'log')).toContain('second')
  await ending.close()
  expect(await written).toMatchObject({
    ok: false,
    error: { code: 'io', message: expect.stringContaining('unknown whether the change is in it') },
  })
  neonConfig.fetchEndpoint = () => endpoint.url
  await direct.query(`drop schema ${schema} cascade`)
})

it.each([
  ['an update', 'log', ['first', 'second']],
  ['a creation', 'new', ['second']],
])('applies %s once if the server gets it after the client has looked', async (_, path, entries) => {
  const schema = newSchema()
  const other = postgresBackend(direct, { schema })
  unwrap(await other.update('log', () => bytes('first')))
  const tested = postgresBackend(neon(url), { schema })
  await tested.read(path)
  endpoint.delayNextRequest()
  const written = unwrap(await tested.update(path, appending('second')))
  expect(new TextDecoder().decode(written?.bytes)).toBe(entries.join('\n'))
  expect(await entriesAt(other, path)).toEqual(entries)
  await direct.query(`drop schema ${schema} cascade`)
})
