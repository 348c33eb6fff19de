/** A write whose answer is lost, and that the server gets late. */
import { readDocument, updateDocument } from '@hermes/core/storage'
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

it.each([
  ['an update', 'log', ['first', 'second']],
  ['a creation', 'new', ['second']],
])('applies %s once if the server gets it after the client has looked', async (_, path, entries) => {
  const schema = newSchema()
  const other = postgresBackend(direct, { schema })
  unwrap(await updateDocument(other, 'log', () => bytes('first')))
  const tested = postgresBackend(neon(url), { schema })
  await readDocument(tested, path)
  endpoint.delayNextRequest()
  const written = unwrap(await updateDocument(tested, path, appending('second')))
  expect(new TextDecoder().decode(written?.bytes)).toBe(entries.join('\n'))
  expect(await entriesAt(other, path)).toEqual(entries)
  await direct.query(`drop schema ${schema} cascade`)
})
