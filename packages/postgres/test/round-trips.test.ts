/** How many statements a call costs, and which calls wait for each other. */
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest'
import { postgresBackend } from '../src/postgres-backend.ts'
import { appendEntry, bytes, codeOf, entriesAt, pathsIn, put, textAt, unwrap } from './support/entries.ts'
import { newSchema } from './support/new-schema.ts'

const schema = newSchema()
const pool = new pg.Pool({ connectionString: inject('postgresUrl'), max: 10 })
let statements = 0
/** Characters of the answers, as JSON. */
let received = 0
const send = pool.query.bind(pool)
Object.assign(pool, {
  query: async (statement: pg.QueryConfig) => {
    statements++
    const answer = await send(statement)
    received += JSON.stringify(answer.rows ?? []).length
    return answer
  },
})
const storage = postgresBackend(pool, { schema })
const other = postgresBackend(pool, { schema })

beforeAll(async () => {
  for (const each of [storage, other]) unwrap(await put(each, 'ready', 'ready'))
})
afterAll(async () => {
  await pool.query({ text: `drop schema ${schema} cascade` })
  await pool.end()
})

const countedIn = async (work: () => Promise<unknown>): Promise<number> => {
  const before = statements
  await work()
  return statements - before
}

it.each([1, 20])('an update of %d documents is two round trips, a read and a listing are one', async (count) => {
  const paths = Array.from({ length: count }, (_, index) => `many/${count}/${index}`)
  const update = (text: string) =>
    storage.update([...paths, `log/${count}/`], (cut) => ({
      put: Object.fromEntries(paths.map((path) => [path, bytes(`${text} ${cut.document(path)?.bytes.length ?? 0}`)])),
      append: { [`log/${count}/day`]: bytes('.') },
      value: cut.list(`log/${count}/`).length,
    }))
  expect(await countedIn(async () => unwrap(await update('new')))).toBe(2)
  expect(await countedIn(async () => expect(unwrap(await update('changed'))).toBe(1))).toBe(2)
  expect(await countedIn(async () => unwrap(await storage.read([...paths, 'log/'])))).toBe(1)
  expect(await countedIn(async () => unwrap(await storage.list('many')))).toBe(1)
  expect(await textAt(storage, paths[0] ?? '')).toBe('changed 5')
})

it('a large document is not read to append to it, and costs one more round trip if the plan asks for it', async () => {
  const size = 1_000_000
  unwrap(await put(storage, 'large/log', 'x'.repeat(size)))
  received = 0
  const append = { 'large/log': bytes('.') }
  expect(await countedIn(async () => unwrap(await storage.update(['large/log', 'small'], () => ({ append, value: 0 }))))).toBe(2)
  expect(received).toBeLessThan(10_000)
  const length = () =>
    storage.update(['large/log', 'small'], (cut) => ({
      append,
      put: { small: bytes('s') },
      value: cut.document('large/log')?.bytes.length,
    }))
  expect(await countedIn(async () => expect(unwrap(await length())).toBe(size + 1))).toBe(3)
  // Also for a plan that takes the error for its own.
  const careless = () =>
    storage.update(['large/log'], (cut) => {
      try {
        return { value: cut.document('large/log')?.bytes.length }
      } catch {
        return { value: -1 }
      }
    })
  expect(unwrap(await careless())).toBe(size + 2)
  expect(unwrap(await storage.read(['large/log'])).document('large/log')?.bytes.length).toBe(size + 2)
})

it('an update that writes nothing is one, one that was overtaken costs one more', async () => {
  expect(await countedIn(async () => unwrap(await storage.update(['a'], (cut) => ({ value: cut.document('a') }))))).toBe(1)
  let runs = 0
  let overtaking: Promise<unknown> | undefined
  const overtaken = () =>
    storage.update(['a', 'folder/'], (cut) => {
      // Sent before this update is.
      if (runs++ === 0)
        overtaking = send(`insert into ${schema}.hermes_documents (path, bytes, version) values ('folder/new', '', gen_random_uuid())`)
      return { put: { a: bytes('a') }, value: cut.list('folder/').length }
    })
  const holder = await pool.connect()
  // Makes the second statement wait until the row is there.
  await holder.query('begin')
  await holder.query(`select pg_advisory_xact_lock(hashtextextended('', '${schema}.hermes_documents'::regclass::oid::bigint))`)
  const result = overtaken()
  await expect.poll(() => runs).toBe(1)
  await overtaking
  const before = statements
  await holder.query('commit')
  holder.release()
  expect(unwrap(await result)).toBe(1)
  expect([runs, statements - before]).toEqual([2, 1])
})

it('an append to a document that the plan has not read is never overtaken', async () => {
  let runs = 0
  const append = (name: string) =>
    storage.update(['blind'], () => {
      runs++
      return { append: { blind: bytes(`${name}\n`) }, value: 0 }
    })
  await Promise.all(Array.from({ length: 20 }, async (_, index) => unwrap(await append(`${index}`))))
  expect(runs).toBe(20)
  expect((await textAt(other, 'blind'))?.trimEnd().split('\n')).toHaveLength(20)
})

it('updates of a home wait for each other, not for those of another home, and those of all homes for everybody', async () => {
  const holder = await pool.connect()
  onTestFinished(() => holder.release(true))
  const lock = async (home: string) => {
    await holder.query('begin')
    const key = (name: string) => `hashtextextended('${name}', '${schema}.hermes_documents'::regclass::oid::bigint)`
    if (home !== '') await holder.query(`select pg_advisory_xact_lock_shared(${key('')})`)
    await holder.query(`select pg_advisory_xact_lock(${key(home)})`)
  }
  const finished: string[] = []
  const write = async (path: string) => {
    unwrap(await put(storage, path, 'text'))
    finished.push(path)
  }
  await lock('homes/~none/ada')
  const waiting = write('homes/~none/ada/a')
  await write('homes/~none/bob/a')
  // Others queue behind it, so that it does not wait for ever.
  const ofAll = write('homes/.upkeep.json')
  await expect
    .poll(async () => (await send(`select from pg_locks where locktype = 'advisory' and not granted`)).rowCount)
    .toBeGreaterThan(1)
  expect(finished).toEqual(['homes/~none/bob/a'])
  await holder.query('commit')
  await Promise.all([waiting, ofAll])
  await lock('')
  const second = write('homes/~none/bob/b')
  expect(unwrap(await storage.list('homes/~none/bob')).map(({ path }) => path)).toEqual(['homes/~none/bob/a'])
  expect(finished).toHaveLength(3)
  await holder.query('commit')
  await second
})

it('never makes a document and a folder of the same name, whoever is first', async () => {
  for (let round = 0; round < 15; round++) {
    const paths = [`r${round}`, `r${round}/a`, `r${round}/a/b`, `r${round}`]
    const codes = await Promise.all(paths.map(async (path, index) => codeOf(await put(index % 2 ? storage : other, path, path))))
    for (const code of codes) expect(['ok', 'invalid_path']).toContain(code)
    const listed = (await pathsIn(storage)).filter((path) => path === `r${round}` || path.startsWith(`r${round}/`))
    expect(listed).toHaveLength(1)
  }
})

it('keeps every entry of writers in a folder that moves back and forth, and makes no path too long', async () => {
  unwrap(await put(other, 'live/seed', 'seed'))
  let writing = true
  const between = ['live/', 'away/', 'live', 'away']
  const moves = (async () => {
    let moved = 0
    for (; writing; moved++) {
      const [from, to] = moved % 2 === 0 ? ['live', 'away'] : ['away', 'live']
      unwrap(
        await other.update(between, (cut) => ({
          // What a writer has made anew at the target joins it.
          move: cut
            .list(from)
            .map(({ path }) => [path, `${to}${path.slice(from.length)}${cut.list(to).length > 0 ? `-${moved}` : ''}`] as const),
          value: 0,
        })),
      )
    }
    return moved
  })()
  const entries = Array.from({ length: 60 }, (_, time) => `entry-${time}`)
  for (const entry of entries) unwrap(await appendEntry(storage, 'live/shared', entry))
  writing = false
  expect(await moves).toBeGreaterThan(3)
  const paths = [...(await pathsIn(other, 'live')), ...(await pathsIn(other, 'away'))]
  const kept = (await Promise.all(paths.map((path) => entriesAt(other, path)))).flat()
  expect(kept.filter((entry) => entry.startsWith('entry')).toSorted()).toEqual(entries.toSorted())

  const deep = Array.from({ length: 10 }, () => 'f'.repeat(90)).join('/')
  unwrap(await put(storage, `deep/${deep}`, 'text'))
  const target = 't'.repeat(200)
  const moved = await storage.update(['deep/', `${target}/`], () => ({ move: [['deep', target]], value: 0 }))
  expect(moved).toMatchObject({ ok: false, error: { code: 'invalid_path', message: expect.stringContaining('longer than') } })
  expect(await pathsIn(storage, 'deep')).toEqual([`deep/${deep}`])
})

it('does not wait for the disk where an update need not be durable', async () => {
  await send(`
    create table ${schema}.seen (path text, setting text);
    create function ${schema}.note() returns trigger language plpgsql as $$ begin
      insert into ${schema}.seen values (new.path, current_setting('synchronous_commit'));
      return null;
    end $$;
    create trigger note after insert on ${schema}.hermes_documents for each row execute function ${schema}.note()`)
  unwrap(await storage.update(['quick'], () => ({ put: { quick: bytes('1') }, value: 0 }), { durable: false }))
  unwrap(await storage.update(['lasting'], () => ({ put: { lasting: bytes('1') }, value: 0 })))
  expect((await send(`select path, setting from ${schema}.seen order by path`)).rows).toEqual([
    { path: 'lasting', setting: 'on' },
    { path: 'quick', setting: 'off' },
  ])
  await send(`drop trigger note on ${schema}.hermes_documents`)
})

it('keeps no id of an update for longer than about an hour', async () => {
  await send(
    `insert into ${schema}.hermes_updates (id, attempt, at) select gen_random_uuid(), 0, now() - interval '2 hours' from generate_series(1, 50)`,
  )
  for (let time = 0; time < 200; time++) {
    unwrap(await appendEntry(storage, 'often', '.'))
    if ((await send(`select from ${schema}.hermes_updates where at < now() - interval '1 hour'`)).rowCount === 0) break
  }
  expect((await send(`select from ${schema}.hermes_updates where at < now() - interval '1 hour'`)).rowCount).toBe(0)
})
