/** Everything that a home does, on PostgreSQL: sessions and reviews, skills, the curator, the journal, archives, erasure. */
import { createHermes, createHermesHomes, type HermesEvent, inMemoryBackend, type StorageBackend } from '@hermes/core'
import pg from 'pg'
import { afterAll, expect, inject, it } from 'vitest'
import { postgresBackend } from '../src/postgres-backend.ts'
import { pathsIn, textAt, unwrap } from './support/entries.ts'
import { newSchema } from './support/new-schema.ts'

const pool = new pg.Pool({ connectionString: inject('postgresUrl'), max: 5 })
afterAll(() => pool.end())

const DAY = 24 * 60 * 60 * 1000
const skillText = (name: string) => `---\nname: ${name}\ndescription: Does ${name}.\n---\n\nDo it.\n`

const model = async () =>
  JSON.stringify({
    proposals: [
      { target: 'user', op: { action: 'add', content: 'The user lives in Lisbon' }, rationale: 'said so', score: 0.9, evidence: [] },
    ],
  })

const contentsOf = async (storage: StorageBackend): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(await Promise.all((await pathsIn(storage)).map(async (path) => [path, (await textAt(storage, path)) ?? ''] as const)))

it('runs whole homes, and an erased one leaves no row', async () => {
  const schema = newSchema()
  const storage = postgresBackend(pool, { schema })
  const events: HermesEvent[] = []
  let now = Date.UTC(2026, 0, 1)
  const options = { storage, clock: () => (now += 10), onEvent: (event: HermesEvent) => events.push(event), nudge: { memoryInterval: 1 } }
  const homes = createHermesHomes(options)
  const owner = { tenant: 'acme', user: 'alice' }
  const alice = homes.for(owner)

  // A conversation, from which a review learns.
  const session = alice.session('monday')
  await session.systemBlock()
  session.recordTurn({
    messages: [
      { role: 'user', text: 'I live in Lisbon' },
      { role: 'assistant', text: 'Lovely!' },
    ],
    model,
  })
  await alice.settled()
  expect(await alice.session('tuesday').systemBlock()).toContain('Lisbon')
  const records = unwrap(await alice.journal.list())
  expect(records.length).toBeGreaterThan(0)

  // Skills, and a curator that archives what is old, with a backup that a rollback restores.
  const home = homes.storage(owner)
  for (const name of ['deploy', 'format']) unwrap(await alice.skillStore().create({ name, content: skillText(name) }))
  unwrap(await alice.curator.archive('deploy'))
  unwrap(await alice.curator.restore('deploy'))
  const before = Object.entries(await contentsOf(home)).filter(([path]) => /^skills\/[a-z]/.test(path))
  expect(before.length).toBeGreaterThanOrEqual(2)
  const backup = unwrap(await alice.curator.backup('before'))
  unwrap(await alice.skillStore().edit('format', skillText('format').replace('Do it.', 'Do it badly.')))
  now += 200 * DAY
  unwrap(await alice.curator.run())
  unwrap(await alice.curator.rollback(backup.id))
  expect(Object.entries(await contentsOf(home)).filter(([path]) => /^skills\/[a-z]/.test(path))).toEqual(before)

  // An archive of the home, merged into another storage and back.
  const archive = unwrap(await alice.export())
  const copy = createHermes({ storage: inMemoryBackend() })
  unwrap(await copy.import(archive))
  expect(await copy.session('copied').systemBlock()).toContain('Lisbon')
  const bob = homes.for('bob')
  unwrap(await bob.import(archive))
  expect(await bob.session('first').systemBlock()).toContain('Lisbon')
  expect(unwrap(await bob.skillReader().list()).skills.map(({ name }) => name)).toEqual(['deploy', 'format'])
  expect(unwrap(await homes.list())).toHaveLength(2)
  expect(unwrap(await homes.upkeep())).toBeDefined()

  // Erasure of one owner: nothing of it is left, and everything of the other is.
  const bobs = await contentsOf(homes.storage('bob'))
  await homes.settled()
  const receipt = unwrap(await homes.erase(owner))
  expect(receipt.documents).toBeGreaterThan(5)
  expect(receipt.folders).toMatchObject({ memories: expect.any(Number), skills: expect.any(Number), journal: expect.any(Number) })
  const { rows } = await pool.query(`select path from ${schema}.hermes_documents where path like '%alice%' or path like '%acme%'`)
  expect(rows).toEqual([])
  expect(await contentsOf(homes.storage('bob'))).toEqual(bobs)
  unwrap(await homes.erase('bob'))
  await homes.settled()
  // The upkeep of all homes notes where it stopped; that is nobody's.
  expect((await pool.query(`select path from ${schema}.hermes_documents`)).rows).toEqual([{ path: 'homes/.upkeep.json' }])
  expect(events.filter(({ type }) => /failed/.test(type))).toEqual([])
  await homes.close()
  await pool.query(`drop schema ${schema} cascade`)
})

it('is one home for processes that take turns, each with a back end of its own', async () => {
  const schema = newSchema()
  for (let turn = 0; turn < 3; turn++) {
    const homes = createHermesHomes({ storage: postgresBackend(pool, { schema }) })
    const memory = homes.for('alice').memoryStore()
    unwrap(await memory.load())
    unwrap(await memory.apply('memory', { action: 'add', content: `Fact ${turn}` }))
    const block = await homes.for('alice').session(`chat ${turn}`).systemBlock()
    for (let earlier = 0; earlier <= turn; earlier++) expect(block).toContain(`Fact ${earlier}`)
    await homes.close()
  }
  await pool.query(`drop schema ${schema} cascade`)
})
