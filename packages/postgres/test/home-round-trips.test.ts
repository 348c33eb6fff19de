/** How often a home asks the database while somebody waits for the answer, and behind a turn. */
import { createHermes, createHermesHomes } from '@hermes/core'
import pg from 'pg'
import { afterAll, expect, inject, it } from 'vitest'
import { postgresBackend } from '../src/postgres-backend.ts'
import { unwrap } from './support/entries.ts'
import { newSchema } from './support/new-schema.ts'

const pool = new pg.Pool({ connectionString: inject('postgresUrl'), max: 5 })
afterAll(() => pool.end())

/** Text and values of every statement, as JSON. */
let statements: string[] = []
const send = pool.query.bind(pool)
Object.assign(pool, {
  query: (statement: pg.QueryConfig) => {
    statements.push(JSON.stringify([statement.text, statement.values]))
    return send(statement)
  },
})

const sentIn = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
  statements = []
  await work()
  return statements
}

it('a new session is two round trips, one more for skills that this process has not read, and one alone if it resumes', async () => {
  const storage = postgresBackend(pool, { schema: newSchema() })
  const before = createHermes({ storage })
  unwrap(await before.memory.add('user', 'Prefers tabs.'))

  const plain = createHermes({ storage })
  const blockOf = async (hermes: typeof plain, id: string) => {
    const session = hermes.session(id)
    session.offerTools()
    const block = await session.systemBlock()
    expect(block).toContain('Prefers tabs.')
    return block
  }
  expect(await sentIn(() => blockOf(plain, 'first'))).toHaveLength(2)
  await plain.settled()
  expect(await sentIn(() => blockOf(plain, 'second'))).toHaveLength(2)
  await plain.settled()

  unwrap(await before.skillStore().create({ name: 'deploy', content: '---\nname: deploy\ndescription: Deploys.\n---\n\nDo it.\n' }))
  const skilled = createHermes({ storage })
  expect(await sentIn(async () => expect(await blockOf(skilled, 'third')).toContain('deploy'))).toHaveLength(3)
  await skilled.settled()
  expect(await sentIn(async () => expect(await blockOf(skilled, 'fourth')).toContain('deploy'))).toHaveLength(2)
  await skilled.settled()

  const resumed = createHermes({ storage })
  expect(await sentIn(() => blockOf(resumed, 'first'))).toHaveLength(1)
  await resumed.settled()
})

it('a new session in a home of many is three, since its update also looks whether the owner is registered', async () => {
  const storage = postgresBackend(pool, { schema: newSchema() })
  const homes = createHermesHomes({ storage })
  const ada = homes.for('ada')
  unwrap(await ada.memory.add('user', 'Prefers tabs.'))
  for (const id of ['first', 'second']) {
    const sent = await sentIn(async () => expect(await ada.session(id).systemBlock()).toContain('Prefers tabs.'))
    expect(sent).toHaveLength(3)
    await ada.settled()
  }
  const other = createHermesHomes({ storage })
  expect(await sentIn(async () => expect(await other.for('ada').session('first').systemBlock()).toContain('Prefers tabs.'))).toHaveLength(1)
  await other.settled()
})

it('of two processes that begin a session, the second takes the text of the first', async () => {
  const storage = postgresBackend(pool, { schema: newSchema() })
  const [here, there] = [createHermes({ storage }), createHermes({ storage })]
  unwrap(await here.memory.add('user', 'Prefers tabs.'))
  const [one, other] = await Promise.all([here, there].map((hermes) => hermes.session('both').systemBlock()))
  expect(one).toContain('Prefers tabs.')
  expect(other).toBe(one)
  await Promise.all([here.settled(), there.settled()])
})

it("a turn's save is two round trips", async () => {
  const hermes = createHermes({ storage: postgresBackend(pool, { schema: newSchema() }), curator: { enabled: false } })
  const session = hermes.session('talk')
  await session.systemBlock()
  await hermes.settled()
  for (const text of ['Hello', 'Hello again']) {
    const sent = await sentIn(() => {
      session.recordTurn({
        messages: [
          { role: 'user', text },
          { role: 'assistant', text: 'Hi' },
        ],
      })
      return hermes.settled()
    })
    expect(sent).toHaveLength(2)
    for (const statement of sent) expect(statement).toContain('sessions/talk.json')
  }
})
