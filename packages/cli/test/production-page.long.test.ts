/** docs/production.md: its modules, commands and queries run as printed on a real server, and what it says of an outage holds. */

import { execFile } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createHermesHomes, type HermesEvent, type Session } from '@hermes/core'
import { readDocument, updateDocument } from '@hermes/core/storage'
import { postgresBackend, postgresReviewQueue } from '@hermes/postgres'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { NO_SERVER, serverOrNone } from '../../postgres/test/support/postgres-server.ts'
import { spawnHermes, temporaryHome } from './run-hermes.ts'

const PACKAGE = fileURLToPath(new URL('..', import.meta.url))
const page = readFileSync(join(PACKAGE, '../../docs/production.md'), 'utf8')

const PROPOSAL = {
  target: 'user',
  op: { action: 'add', content: 'User lives in Lisbon', oldText: null },
  rationale: 'The person said so.',
  score: 0.9,
  evidence: [{ messageId: null, quote: 'I live in Lisbon' }],
}

const server = await serverOrNone()
let pool: pg.Pool

beforeAll(async () => {
  // One connection is enough, as the page says.
  pool = new pg.Pool({ connectionString: server.url, max: 1 })
  pool.on('error', () => undefined)
})

afterAll(async () => {
  await pool.end()
  await server.remove()
})

beforeEach(() => pool.query('drop schema if exists hermes cascade'))

/** The modules of the page, in a folder with the packages of this one. */
const modulesOfPage = (): string => {
  const folder = temporaryHome()
  symlinkSync(join(PACKAGE, 'node_modules'), join(folder, 'node_modules'))
  const modules = [...page.matchAll(/^```js\n\/\/ (\S+)\n([\s\S]*?)^```/gm)]
  expect(modules.map(([, name]) => name)).toEqual(['homes.mjs', 'stats.mjs'])
  for (const [, name = '', code = ''] of modules) writeFileSync(join(folder, name), code)
  return folder
}

const queriesOfPage = (): readonly string[] => {
  const [, sql = ''] = /^```sql\n([\s\S]*?)^```/m.exec(page) ?? []
  return sql.split(';').filter((statement) => statement.trim() !== '')
}

/** Answers every call of OpenAI's Responses API with this text. */
const openModel = async (text: string): Promise<string> => {
  const content = [{ type: 'output_text', text, annotations: [] }]
  const output = [{ type: 'message', role: 'assistant', id: 'm', content }]
  const body = JSON.stringify({ id: 'r', created_at: 0, model: 'm', output, usage: { input_tokens: 10, output_tokens: 10 } })
  const model = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(body))
  })
  onTestFinished(() => void model.close())
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve))
  const address = model.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/v1`
}

const openHomes = ({ events = [], timeoutMs }: { readonly events?: HermesEvent[]; readonly timeoutMs?: number } = {}) => {
  const options = timeoutMs === undefined ? {} : { timeoutMs }
  const storage = postgresBackend(pool, options)
  const queue = postgresReviewQueue(pool, options)
  const homes = createHermesHomes({ storage, review: { queue }, onEvent: (event) => events.push(event) })
  onTestFinished(() => homes.close())
  return { homes, queue }
}

const sayTo = async (session: Session, text: string): Promise<void> => {
  session.recordTurn({ messages: [{ role: 'user', text }] })
  await session.settled()
}

it.skipIf(server === NO_SERVER)('runs what is printed: tables, a worker, numbers, queries, erasure', async () => {
  const folder = modulesOfPage()
  const url = await openModel(JSON.stringify({ proposals: [PROPOSAL] }))
  const env = { DATABASE_URL: server.url, OPENAI_API_KEY: 'local', OPENAI_BASE_URL: url, COLUMNS: '200' }
  expect(page).toContain('\nhermes migrate  ')
  expect(await spawnHermes(['migrate'], { env })).toMatchObject({ code: 0 })

  const { homes, queue } = openHomes()
  const session = homes.for('ada').session('monday')
  for (const text of ['I live in Lisbon', 'It is sunny', 'Good night']) await sayTo(session, text)
  expect(await session.end()).toEqual({ ok: true, value: { kind: 'queued' } })
  const stats = await promisify(execFile)(process.execPath, [join(folder, 'stats.mjs')], { env: { ...process.env, ...env } })
  expect(stats.stdout).toMatch(/waiting: [12],[\s\S]*connections: \d, waiting: 0/)

  expect(page).toContain('\nhermes worker --module ./homes.mjs  ')
  const worked = await spawnHermes(['worker', '--once', '--module', join(folder, 'homes.mjs')], { env })
  expect([worked.code, worked.stderr]).toEqual([0, ''])
  expect(worked.stdout).toContain('ada · end · read 3 turns: 1 written')
  expect(await homes.for('ada').session('tuesday').systemBlock()).toContain('User lives in Lisbon')

  const [largest = '', changed = ''] = queriesOfPage()
  expect((await pool.query(largest)).rows).toMatchObject([{ tenant: '~none', person: 'ada' }])
  expect((await pool.query(changed)).rows).toEqual([{ count: '1' }])

  expect(await homes.erase('ada')).toMatchObject({ ok: true })
  expect((await pool.query("select path from hermes.hermes_documents where path like '%ada%'")).rows).toEqual([])
  expect((await pool.query('select from hermes.hermes_reviews')).rowCount).toBe(0)
  expect(await queue.stats()).toMatchObject({ ok: true, value: { waiting: 0 } })
})

it.skipIf(server === NO_SERVER)(
  'keeps the text and the turns of a session through an outage, and saves them with its next turn',
  async () => {
    const events: HermesEvent[] = []
    const { homes } = openHomes({ events, timeoutMs: 3_000 })
    const home = homes.for('ada')
    await home.memoryStore().apply('user', { action: 'add', content: 'Prefers tabs.' })
    const session = home.session('monday')
    const block = await session.systemBlock()
    expect(block).toContain('Prefers tabs.')
    await sayTo(session, 'said before')

    await server.stop('kill')
    await sayTo(session, 'said meanwhile')
    expect(await session.systemBlock()).toBe(block)
    expect(events.map(({ type }) => type)).toContain('storage-failed')
    expect(JSON.stringify(events)).not.toContain(new URL(server.url).password)
    await server.start()
    await sayTo(session, 'said afterwards')

    const { rows } = await pool.query(
      "select convert_from(bytes, 'UTF8') as text from hermes.hermes_documents where path like '%sessions/monday%'",
    )
    const record = rows.map(({ text }) => text).join('\n')
    for (const text of ['said before', 'said meanwhile', 'said afterwards']) expect(record).toContain(text)
  },
  90_000,
)

it.skipIf(server === NO_SERVER)('lets a call wait for a free connection, at most timeoutMs', async () => {
  const patient = postgresBackend(pool)
  expect(await updateDocument(patient, 'doc', () => new Uint8Array(1))).toMatchObject({ ok: true })
  const storage = postgresBackend(pool, { timeoutMs: 500 })
  const taken = await pool.connect()
  const calls = [readDocument(storage, 'doc'), updateDocument(storage, 'doc', () => new Uint8Array(2)), storage.list('')]
  for (const call of calls)
    expect(await call).toMatchObject({ ok: false, error: { code: 'io', message: expect.stringContaining('500 ms') } })
  taken.release()
  expect(await updateDocument(patient, 'doc', () => new Uint8Array(3))).toMatchObject({ ok: true, value: { bytes: new Uint8Array(3) } })
})
