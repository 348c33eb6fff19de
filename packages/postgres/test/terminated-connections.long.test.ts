/** Connections that the server ends at random: no acknowledged change is lost, and none is applied twice. */
import pg from 'pg'
import { afterAll, expect, inject, it } from 'vitest'
import { postgresBackend } from '../src/postgres-backend.ts'
import { addEntry, entriesAt, put, unwrap } from './support/entries.ts'
import { newSchema } from './support/new-schema.ts'

const url = inject('postgresUrl')
const direct = new pg.Pool({ connectionString: url, max: 4 })
afterAll(() => direct.end())

it('keeps every acknowledged entry once while connections are terminated at random', async () => {
  const schema = newSchema()
  const client = new pg.Pool({ connectionString: url, max: 6, application_name: schema })
  client.on('error', () => undefined)
  const storages = Array.from({ length: 4 }, () => postgresBackend(client, { schema, timeoutMs: 30_000 }))
  const check = postgresBackend(direct, { schema })
  unwrap(await put(check, 'log', 'start'))
  let writing = true
  let calls = 0
  const terminating = (async () => {
    let killed = 0
    while (writing) {
      const { rowCount } = await direct.query(
        'select pg_terminate_backend(pid) from (select pid from pg_stat_activity where application_name = $1 order by random() limit 1) as chosen',
        [schema],
      )
      killed += rowCount ?? 0
      // As many for each call on a slow machine as on a fast one.
      for (const before = calls; writing && calls < before + 6; ) await new Promise((resolve) => setTimeout(resolve, 2))
    }
    return killed
  })()
  const outcomes = await Promise.all(
    storages.map(async (storage, writer) => {
      const acknowledged: string[] = []
      for (let time = 0; time < 40; time++) {
        const entry = `${writer}-${time}`
        const outcome = await addEntry(storage, 'log', entry)
        calls++
        if (outcome.ok) acknowledged.push(entry)
        else expect(outcome.error.message).toContain('unknown whether')
      }
      return acknowledged
    }),
  )
  writing = false
  expect(await terminating).toBeGreaterThan(5)
  const kept = await entriesAt(check, 'log')
  expect(new Set(kept).size).toBe(kept.length)
  expect(outcomes.flat().filter((entry) => !kept.includes(entry))).toEqual([])
  // An outcome that stays unknown is an error; it is rare.
  expect(outcomes.flat().length).toBeGreaterThan(150)
  await client.end()
  await direct.query(`drop schema ${schema} cascade`)
})
