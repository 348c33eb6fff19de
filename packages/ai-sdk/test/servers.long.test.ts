/** Runs the AI SDK servers of docs/servers.md unchanged, against a local server in place of OpenAI. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import { createHermesHomes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { freePort } from '../../../scripts/support/free-port.ts'
import { endProgram, programOf, type RunningProgram, startProgram } from '../../../scripts/support/run-program.ts'

const packageFolder = join(import.meta.dirname, '..')
const PAGE = join(packageFolder, '../../docs/servers.md')

const SECRET = 'My salary is 93000 euros.'

let mock: LLMock
let home = ''

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'hermes-servers-'))
  mock = new LLMock({ port: 0, strict: true })
  const toolCall = { name: 'memory', arguments: JSON.stringify({ target: 'user', action: 'add', content: SECRET }) }
  mock.on({ userMessage: /salary/, hasToolResult: false }, { toolCalls: [toolCall] })
  mock.on({ userMessage: /salary/, hasToolResult: true }, { content: 'I will remember that.' })
  mock.on({ userMessage: /Hello/ }, { content: 'Hello to you.' })
  await mock.start()
})

afterEach(async () => {
  await mock.stop()
  await rm(home, { recursive: true, force: true })
})

const start = async (name: string, env: NodeJS.ProcessEnv = {}): Promise<RunningProgram> =>
  startProgram(await programOf(PAGE, name), packageFolder, {
    HOME: home,
    USERPROFILE: home,
    OPENAI_API_KEY: 'local',
    OPENAI_BASE_URL: `${mock.url}/v1`,
    ...env,
  })

const bodyWith = (words: string): string | undefined =>
  mock
    .getRequests()
    .map(({ body }) => JSON.stringify(body))
    .find((body) => body.includes(words))

const openHomes = () => createHermesHomes({ storage: fileSystemBackend(join(home, '.hermes-server')) })

describe.each(['express', 'hono'])('the %s server', (name) => {
  it('shows each user their own memory alone', async () => {
    const port = await freePort()
    const server = await start(name, { PORT: String(port) })
    try {
      const call = (token: string, path: string, init: RequestInit) =>
        fetch(`http://127.0.0.1:${port}${path}`, {
          ...init,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        })
      const ask = async (token: string, chat: string, content: string) => {
        const response = await call(token, `/chats/${chat}`, {
          method: 'POST',
          body: JSON.stringify({ messages: [{ role: 'user', content }] }),
        })
        return response.ok ? response.text() : response.status
      }
      await vi.waitFor(async () => expect(await ask('nobody', 'chat', 'Hello')).toBe(401), { timeout: 50_000, interval: 100 })
      expect(await ask('a', 'first', SECRET)).toBe('I will remember that.')
      expect(await Promise.all([ask('a', 'chat', 'Hello, Alice here'), ask('b', 'chat', 'Hello, Bob here')])).toEqual([
        'Hello to you.',
        'Hello to you.',
      ])
      expect(bodyWith('Alice here')).toContain('93000')
      expect(bodyWith('Bob here')).not.toContain('93000')
      if (name === 'hono') {
        expect(await (await call('a', '/me', { method: 'DELETE' })).json()).toMatchObject({ owner: { user: 'alice' } })
        await ask('a', 'after', 'Hello, Alice once more')
        expect(bodyWith('Alice once more')).not.toContain('93000')
      }
      expect(server.output()).toBe('')
    } finally {
      await endProgram(server)
    }
  })
})

it('looks after everybody with the program for upkeep', async () => {
  const homes = openHomes()
  for (const user of ['alice', 'bob'])
    await homes
      .for(user)
      .memoryStore()
      .apply('user', { action: 'add', content: `Is ${user}` })
  await homes.close()
  const { child, output } = await start('upkeep')
  const [code] = await once(child, 'close')
  expect({ code, output: output() }).toEqual({ code: 0, output: 'looked after 2 homes\n' })
}, 60_000)
