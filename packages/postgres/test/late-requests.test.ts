/** An update whose answer is lost, and that the server gets late. */
import { neon, neonConfig } from '@neondatabase/serverless'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { IS_LONG_RUN } from '../../../scripts/support/rounds.ts'
import { postgresBackend } from '../src/postgres-backend.ts'
import { addEntry, appendEntry, entriesAt, put, unwrap } from './support/entries.ts'
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
  ['an update', 'log', addEntry, ['first', 'second', 'third']],
  ['an append', 'log', appendEntry, ['first', 'second', 'third']],
  ['a creation', 'new', addEntry, ['second', 'third']],
])('does %s once if the server gets it again', async (_, path, write, entries) => {
  const schema = newSchema()
  const other = postgresBackend(direct, { schema })
  unwrap(await put(other, 'log', 'first'))
  const tested = postgresBackend(neon(url), { schema })
  await tested.read([path])
  // The second statement gets no answer, and is carried out late: just before the second request after it.
  endpoint.delayRequest(1)
  unwrap(await write(tested, path, 'second'))
  unwrap(await write(tested, path, 'third'))
  unwrap(await tested.list(''))
  expect(await entriesAt(other, path)).toEqual(entries)
  await direct.query(`drop schema ${schema} cascade`)
})

it('does not do what its caller was told it had not', async () => {
  const schema = newSchema()
  const other = postgresBackend(direct, { schema })
  unwrap(await put(other, 'ready', 'ready'))
  const tested = postgresBackend(neon(url), { schema })
  await tested.list('')
  const holder = await direct.connect()
  await holder.query('begin')
  await holder.query(`select pg_advisory_xact_lock(hashtextextended('', '${schema}.hermes_documents'::regclass::oid::bigint))`)
  endpoint.delayRequest(1, 4)
  let runs = 0
  const created = tested.update(['doc'], (cut) => {
    runs++
    if (cut.document('doc')) throw new RangeError('there already')
    return { put: { doc: new Uint8Array(1) }, value: runs }
  })
  created.catch(() => undefined)
  await expect.poll(() => runs).toBe(1)
  // The repetition of the statement finds the document.
  await holder.query(`insert into ${schema}.hermes_documents (path, bytes, version) values ('doc', '', gen_random_uuid())`)
  await holder.query('commit')
  holder.release()
  await expect(created).rejects.toThrow('there already')
  unwrap(await put(other, 'doc', null))
  // It comes now, and finds what its plan was made of.
  for (let time = 0; time < 3; time++) unwrap(await tested.list(''))
  expect(await entriesAt(other, 'doc')).toEqual([])
  await direct.query(`drop schema ${schema} cascade`)
})

if (IS_LONG_RUN) {
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
}
