/** `hermes serve`: what a program in another language gets, and what is refused. */
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { createHermes, createHermesHomes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { runHermes, startHermes, temporaryHome, writeHome } from './run-hermes.ts'

const TOKEN = 'a-token-of-the-tests'

const start = async (home: string, ...args: readonly string[]) => {
  const { printed, stop } = startHermes(['serve', '--home', home, ...args], { env: { HERMES_TOKEN: TOKEN } })
  onTestFinished(() => void stop())
  const origin = await vi.waitFor(
    () => /http:\/\/127\.0\.0\.1:\d+/.exec(printed().stdout)?.[0] ?? expect.fail(`It printed no address: ${printed().stderr}`),
    20_000,
  )
  const ask = async (path: string, body: unknown = {}, headers: Readonly<Record<string, string>> = {}, method = 'POST') => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
      ...(method === 'POST' ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
    })
    return { status: response.status, body: JSON.parse(await response.text()), headers: response.headers }
  }
  return { origin, ask, stop, printed }
}

const add = { target: 'user', content: 'Lives in Porto', by: 'user' }

describe('hermes serve', () => {
  it('lists, adds, finds, explains and takes away entries, and shows the next session’s text', async () => {
    const { ask, stop, printed } = await start(join(temporaryHome(), 'new'))
    expect(printed().stdout).not.toContain('Token:')
    expect(await ask('/v1/memory/add', add)).toMatchObject({ status: 200, body: { value: { target: 'user' } } })
    expect((await ask('/v1/memory/list', { target: 'user' })).body.value).toMatchObject([{ content: 'Lives in Porto', by: 'user' }])
    expect((await ask('/v1/memory/search', { query: 'porto' })).body.value).toMatchObject([{ target: 'user' }])
    expect((await ask('/v1/block')).body.value).toContain('Lives in Porto')
    await ask('/v1/memory/replace', { target: 'user', oldText: 'Porto', content: 'Lives in Faro' })
    expect((await ask('/v1/memory/why', { target: 'user', text: 'Faro' })).body.value.records.at(-1)).toMatchObject({ actor: 'host' })
    await ask('/v1/memory/add', { target: 'memory', content: 'Ada is away', until: '2999-12-31' })
    expect((await ask('/v1/memory/list', { target: 'memory' })).body.value).toMatchObject([{ content: 'Ada is away', until: '2999-12-31' }])
    expect(await ask('/v1/memory/add', { target: 'memory', content: 'Bob is away', until: '2027-02-31' })).toMatchObject({ status: 400 })
    await ask('/v1/memory/pin', { target: 'user', text: 'Faro' })
    await ask('/v1/memory/unpin', { target: 'user', text: 'Faro' })
    await ask('/v1/memory/remove', { target: 'user', oldText: 'Faro' })
    expect((await ask('/v1/memory/list', { target: 'user' })).body.value).toEqual([])
    expect(await ask('/v1/remember', { messages: 'I live in Porto.' })).toMatchObject({ status: 502, body: { error: { code: 'model' } } })
    expect(await ask('/v1/recall', { query: 'Porto' })).toMatchObject({ status: 422, body: { error: { code: 'disabled' } } })
    expect(await ask('/v1/profile/read')).toMatchObject({ status: 422, body: { error: { code: 'disabled' } } })
    expect(await stop()).toMatchObject({ code: 0, stdout: expect.stringContaining('has stopped'), stderr: '' })
  })

  it('describes itself in OpenAPI 3.1, from the schemas that check the bodies', async () => {
    const { ask } = await start(temporaryHome())
    const { status, body } = await ask('/openapi.json', undefined, {}, 'GET')
    expect([status, body.openapi, Object.keys(body.paths).length]).toEqual([200, '3.1.0', 13])
    const { schema } = body.paths['/v1/memory/add'].post.requestBody.content['application/json']
    expect(schema).toMatchObject({ required: ['target', 'content'], properties: { by: { default: 'host' } }, additionalProperties: false })
  })

  it('serves the homes of a module, each to the user that is named, with their model and profile', async () => {
    const home = temporaryHome()
    const core = import.meta.resolve('@hermes/core')
    writeHome(home, {
      'homes.mjs': `import { createHermesHomes, inMemoryBackend } from '${core}'
const validate = (value) => (typeof (value.city ?? '') === 'string' ? { value } : { issues: [{ message: 'no text', path: ['city'] }] })
const model = async () => JSON.stringify({ proposals: [{ target: 'user', op: { action: 'add', content: 'Lives in Porto' }, rationale: '', score: 0.9, evidence: [{ quote: 'I live in Porto' }] }] })
export const homes = createHermesHomes({ storage: inMemoryBackend(), review: { model }, profile: { '~standard': { version: 1, vendor: 'test', validate } } })`,
    })
    const { ask, stop } = await start(join(home, 'none'), '--module', join(home, 'homes.mjs'))
    const ann = { 'x-hermes-user': encodeURIComponent('änn') }
    expect(await ask('/v1/remember', { messages: [{ role: 'user', text: 'I live in Porto.' }] }, ann)).toMatchObject({
      status: 200,
      body: { value: { written: [{ content: 'Lives in Porto' }], held: [], refused: [] } },
    })
    expect((await ask('/v1/profile/write', { changes: { city: 'Porto' } }, ann)).body).toEqual({ value: { city: 'Porto' } })
    expect((await ask('/v1/profile/write', { changes: { city: 3 } }, ann)).body.error.message).toContain("'city' does not fit")
    expect((await ask('/v1/profile/write', { clear: ['city'] }, ann)).body).toEqual({ value: {} })
    expect((await ask('/v1/memory/list', { target: 'user' }, { 'x-hermes-user': 'bob' })).body).toEqual({ value: [] })
    expect(await ask('/v1/memory/list', { target: 'user' })).toMatchObject({
      status: 403,
      body: { error: { message: expect.stringContaining('x-hermes-user') } },
    })
    // The home of the command is none of theirs.
    expect(await stop()).toMatchObject({ code: 0, stderr: '' })
  })

  it('shows nobody the home of another person than the one it was started for', async () => {
    const home = temporaryHome()
    const homes = createHermesHomes({ storage: fileSystemBackend(home) })
    for (const user of ['ann', 'bob']) await homes.for(user).memory.add('user', `Is ${user}`)
    await homes.close()
    const { ask } = await start(home, '--user', 'ann')
    expect((await ask('/v1/memory/list', { target: 'user' })).body.value).toMatchObject([{ content: 'Is ann' }])
    for (const user of ['bob', 'ann', '../bob'])
      expect(await ask('/v1/memory/list', { target: 'user' }, { 'x-hermes-user': user })).toMatchObject({
        status: 403,
        body: { error: { code: 'invalid' } },
      })
  })

  it('answers for nobody where a header does not say whose memory is meant', async () => {
    const home = temporaryHome()
    const homes = createHermesHomes({ storage: fileSystemBackend(home) })
    for (const owner of ['ann', { tenant: 'acme', user: 'ann' }]) await homes.for(owner).memory.add('user', `Is ${JSON.stringify(owner)}`)
    await homes.close()
    const { ask } = await start(home)
    const list = { target: 'user' }
    for (const [name, value] of [
      ['x-hermes-tenant', 'acme%'],
      ['x-hermes-user', '%zz'],
    ] as const)
      expect(await ask('/v1/memory/list', list, { 'x-hermes-user': 'ann', [name]: value })).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid', message: `The header ${name} is not percent-encoded UTF-8.` } },
      })
    const { ask: askOne } = await start(temporaryHome())
    expect((await askOne('/v1/memory/list', list, { 'x-hermes-tenant': 'acme' })).status).toBe(403)
    expect((await askOne('/v1/memory/list', list, { 'x-hermes-user': '%zz' })).status).toBe(400)
  })

  it('says what a body lacks, and parses none that would hold up others', async () => {
    const { ask } = await start(temporaryHome())
    const refusalOf = async (path: string, body: unknown) => {
      const { status, body: answered } = await ask(path, body)
      return `${status} ${answered.error.code} ${answered.error.message}`
    }
    expect(await refusalOf('/v1/remember', { messages: [{ role: 'system', text: 'x' }] })).toMatch(/^400 invalid .*messages\[0\]\.role/s)
    expect(await refusalOf('/v1/memory/list', '{')).toBe('400 invalid The body is not JSON in UTF-8.')
    expect(await refusalOf('/v1/memory/list', '['.repeat(400_000))).toBe('400 invalid The body is nested deeper than 64 levels.')
    const keys = JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, 1])))
    expect(await refusalOf('/v1/memory/list', keys)).toBe('400 invalid The body holds more than 10000 values.')
    expect(await refusalOf('/v1/memory/why', { target: 'user', text: 'a '.repeat(200_000) })).toMatch(/^400 invalid .*text/s)
    expect(await refusalOf('/v1/block', { project: '\ud800' })).toMatch(/^400 invalid The project must be a name/)
  })

  it('refuses to serve one person of a module that has one home', async () => {
    const home = temporaryHome()
    writeHome(home, {
      'hermes.mjs': `import { createHermes, inMemoryBackend } from '${import.meta.resolve('@hermes/core')}'
export const hermes = createHermes({ storage: inMemoryBackend() })`,
    })
    expect(await runHermes(['serve', '--module', join(home, 'hermes.mjs'), '--user', 'ann'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('leave out --user'),
    })
  })

  it('refuses what is not its own program’s', async () => {
    const home = temporaryHome()
    await createHermes({ storage: fileSystemBackend(home) }).memory.add('user', 'A private note')
    const { ask, origin } = await start(home)
    const list = { target: 'user' }
    for (const authorization of ['', 'Bearer', 'Bearer wrong', `Basic ${TOKEN}`, `Bearer ${TOKEN}x`])
      expect(await ask('/v1/memory/list', list, { authorization })).toMatchObject({
        status: 401,
        body: { error: { code: 'unauthorised' } },
      })
    expect(await ask('/openapi.json', undefined, { authorization: '' }, 'GET')).toMatchObject({ status: 401 })
    for (const from of ['https://evil.example', origin, 'null']) {
      const refused = await ask('/v1/memory/list', list, { origin: from })
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null])
    }
    // A name that points here, which fetch does not let a caller choose.
    const rebound = await new Promise<number | undefined>((resolve) => {
      const { port } = new URL(origin)
      const asked = httpRequest({
        port,
        path: '/v1/memory/list',
        method: 'POST',
        headers: { host: 'evil.example', authorization: `Bearer ${TOKEN}` },
      })
      asked.on('response', ({ statusCode }) => resolve(statusCode)).end('{}')
    })
    expect(rebound).toBe(403)
    expect((await ask('/v1/memory/list', undefined, {}, 'GET')).status).toBe(405)
    expect((await ask('/v1/nothing')).status).toBe(404)
    expect((await ask('/v1/__proto__')).status).toBe(404)
    for (const body of ['', '{', 'null', '[]', { target: 'x' }, { target: 'user', as: 1 }, '\u0000'])
      expect(await ask('/v1/memory/list', body)).toMatchObject({ status: 400, body: { error: { code: 'invalid' } } })
    expect((await ask('/v1/memory/remove', { target: 'user', oldText: 'nothing such' })).status).toBe(404)
  })

  it('reads no more of a body than it takes, and goes on after one that is cut off', async () => {
    const { ask, origin } = await start(temporaryHome())
    const { port } = new URL(origin)
    const send = (headers: Readonly<Record<string, string | number>>, chunk: Buffer, endless: boolean) =>
      new Promise<{ status: number | undefined; sent: number }>((resolve) => {
        let sent = 0
        const asked = httpRequest({
          port,
          path: '/v1/memory/add',
          method: 'POST',
          headers: { authorization: `Bearer ${TOKEN}`, ...headers },
        })
        const more = () => {
          while (endless && sent < 1_073_741_824 && asked.write(chunk)) sent += chunk.length
        }
        asked.on('response', ({ statusCode }) => {
          resolve({ status: statusCode, sent })
          asked.destroy()
        })
        asked.on('error', () => resolve({ status: undefined, sent }))
        asked.on('drain', more)
        asked.write(chunk)
        more()
      })
    expect((await send({ 'content-length': 1_073_741_824 }, Buffer.alloc(1_000), false)).status).toBe(413)
    const endless = await send({ 'transfer-encoding': 'chunked' }, Buffer.alloc(65_536, 32), true)
    expect(endless.sent).toBeLessThan(200_000_000)
    const cut = httpRequest({
      port,
      path: '/v1/memory/add',
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-length': 100 },
    })
    cut.on('error', () => {})
    cut.write('{"target":')
    await new Promise((resolve) => setTimeout(resolve, 50))
    cut.destroy()
    expect(await ask('/v1/memory/add', add)).toMatchObject({ status: 200 })
  })

  it('needs a token that cannot be guessed, and that a header can have', async () => {
    const other = await runHermes(['serve', '--home', temporaryHome()], { env: { HERMES_TOKEN: 'ä'.repeat(20) } })
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('printable ASCII') })
    expect(await runHermes(['serve', '--home', temporaryHome()], { env: { HERMES_TOKEN: 'short' } })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('at least 16 characters'),
    })
  })
})
