/** The app on PostgreSQL: two processes without a shared disk, as two machines behind a load balancer. */
import { createHmac, randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { NO_SERVER, serverOrNone } from '../../../packages/postgres/test/support/postgres-server.ts'
import { type App, startApp } from './start-app.ts'

const SESSION_SECRET = 'the same on every machine'
const MARKER = 'surprise party'
const LEARNED = `User is planning a ${MARKER} for Carol`
const SAID = [`I am planning a ${MARKER} for Carol.`, 'I prefer window seats.', 'Thank you.']
const QUESTION = 'What do you know about me?'
const NOTHING = 'Nothing yet. Tell me something about you.'

const server = await serverOrNone()
let pool: pg.Pool
let apps: readonly [App, App]

beforeAll(async () => {
  pool = new pg.Pool({ connectionString: server.url, max: 1 })
  pool.on('error', () => undefined)
})

afterAll(async () => {
  await pool.end()
  await server.remove()
})

beforeEach(async () => {
  await pool.query('drop schema if exists hermes cascade')
  const env = { DATABASE_URL: server.url, SESSION_SECRET }
  apps = await Promise.all([startApp(env), startApp(env)])
})

afterEach(async () => {
  await Promise.all(apps.map((app) => app.stop()))
})

/** A chat of a signed-in person; each turn may go to another process. */
const startChat = (user: 'alice' | 'bob') => {
  const id = randomUUID()
  const signature = createHmac('sha256', SESSION_SECRET).update(`${user}.${id}`).digest('base64url')
  const headers = { cookie: `next-chat=${user}.${id}.${signature}`, 'content-type': 'application/json' }
  const messages: { id: string; role: string; parts: { type: 'text'; text: string }[] }[] = []
  const add = (role: string, text: string) => messages.push({ id: randomUUID(), role, parts: [{ type: 'text', text }] })

  const ask = async (app: App, text: string): Promise<string> => {
    add('user', text)
    const response = await fetch(`${app.url}/api/chat`, { method: 'POST', headers, body: JSON.stringify({ id, messages }) })
    expect(response.status).toBe(200)
    const deltas = [...(await response.text()).matchAll(/^data: (\{"type":"text-delta".*)$/gm)]
    const answer = deltas.map(([, data = '']) => String(JSON.parse(data).delta)).join('')
    add('assistant', answer)
    return answer
  }
  /** The same, until what runs behind the turn is done. */
  const say = async (app: App, text: string): Promise<string> => {
    const answer = await ask(app, text)
    await fetch(`${app.url}/api/settled`, { headers })
    return answer
  }
  const page = async (app: App): Promise<string> => (await fetch(app.url, { headers })).text()
  return { ask, say, page }
}

const documentsWith = async (text: string): Promise<readonly string[]> => {
  const { rows } = await pool.query('select path from hermes.hermes_documents where position($1::bytea in bytes) > 0', [Buffer.from(text)])
  return rows.map(({ path }) => path)
}

it.skipIf(server === NO_SERVER)('learns in one process what the other knows, and writes no file', async () => {
  const [first, second] = apps
  const chat = startChat('alice')
  for (const [index, text] of SAID.entries()) await chat.say(index % 2 === 0 ? first : second, text)
  expect(await chat.page(second)).toContain(LEARNED)
  expect(await startChat('alice').say(second, QUESTION)).toContain(LEARNED)
  expect(await startChat('bob').say(second, QUESTION)).toContain(NOTHING)
  expect(await startChat('bob').page(first)).not.toContain(MARKER)

  const holding = await documentsWith(MARKER)
  expect(holding).toContainEqual(expect.stringMatching(/\/alice\/memories\/USER\.md$/))
  expect(holding.filter((path) => !path.includes('/alice/'))).toEqual([])
  expect(apps.flatMap((app) => app.files())).toEqual([])
  expect(apps.map((app) => app.errors())).toEqual(['', ''])
})

it.skipIf(server === NO_SERVER)('answers without memory while the database is away, and with it afterwards', async () => {
  const [first] = apps
  const chat = startChat('alice')
  for (const text of SAID) await chat.say(first, text)
  await server.stop('clean')
  const away = startChat('alice')
  for (let turn = 0; turn < 2; turn++) expect(await away.ask(first, QUESTION)).toContain(NOTHING)
  expect(first.errors()).toContain('storage-failed: The storage did not answer within 5000 ms')
  expect(first.errors()).not.toContain(new URL(server.url).password)
  await server.start()
  expect(await startChat('alice').say(first, QUESTION)).toContain(LEARNED)
})
