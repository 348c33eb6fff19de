/** `@hermes/recall` over the index, as every memory provider is tested; and it finds what it finds over SQLite. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ok, systemClock } from '@hermes/core'
import { type RecallIndex, recallProvider, sqliteRecallIndex } from '@hermes/recall'
import { providerConformance } from '@hermes/testing'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest'
import { firstOf } from '../../../scripts/support/rounds.ts'
import { postgresRecallIndex } from '../src/postgres-recall-index.ts'
import { migrate } from '../src/schema/migrate.ts'
import { emptyTables, newSchema } from './support/new-schema.ts'

const pool = new pg.Pool({ connectionString: inject('postgresUrl'), max: 10 })
afterAll(() => pool.end())

const schema = newSchema()
beforeAll(() => migrate(pool, { schema, recall: true }))

providerConformance('recall over PostgreSQL', () => {
  return {
    provider: recallProvider({ index: postgresRecallIndex(pool, { schema }) }),
    dispose: () => emptyTables((text) => pool.query(text), schema, 'recall'),
  }
})

const PEOPLE = ['Ingrid', 'Petra', 'Tomas', 'Ayo', 'Noor', 'Luca', 'Mirek', 'Sana']
const THINGS = firstOf(['piano', 'bicycle', 'garden', 'boiler', 'passport', 'camera', 'tent', 'violin', 'kiln', 'scooter', 'telescope'], 4)
const VERBS = ['sold', 'repaired', 'borrowed', 'painted', 'lost', 'lent me']

const openWith = async (index: RecallIndex) => {
  const call = { signal: new AbortController().signal }
  const home = await recallProvider({ index }).initialize(
    { folder: '', clock: systemClock, archived: async () => ok([]), report: (problem) => expect.unreachable(problem.message) },
    call,
  )
  let turns = 0
  for (const person of PEOPLE)
    for (const thing of THINGS)
      for (const verb of VERBS) {
        turns += 1
        const user = `Yesterday ${person} ${verb} the ${thing}, near house ${turns}.`
        const at = Date.UTC(2026, 0, 1) + turns * 3_600_000
        await home.syncTurn?.({ id: `${turns}`, sessionId: `chat-${turns}`, at, user, assistant: 'I see.', automated: false }, call)
      }
  return async (text: string) => {
    const answer = await home.callTool?.({ name: 'session_search', input: { query: text, limit: 5 }, sessionId: 'asking' }, call)
    return ((answer?.['results'] ?? []) as readonly { session: string }[]).map(({ session }) => session)
  }
}

it('finds the sessions that it finds over SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-recall-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const overPostgres = await openWith(postgresRecallIndex(pool, { schema: newSchema() }))
  const overSqlite = await openWith(sqliteRecallIndex({ folder }))
  for (const person of firstOf(PEOPLE, 3)) {
    for (const thing of THINGS.slice(0, 4)) {
      const found = await overPostgres(`Who sold the ${thing}, was it ${person}?`)
      expect(found[0]).toBeDefined()
      expect(found[0]).toBe((await overSqlite(`Who sold the ${thing}, was it ${person}?`))[0])
    }
  }
})
