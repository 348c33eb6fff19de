/** Runs the LangChain server of docs/servers.md unchanged, against a local server in place of OpenAI. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { freePort } from '../../../scripts/support/free-port.ts'
import { endProgram, programOf, startProgram } from '../../../scripts/support/run-program.ts'

const packageFolder = join(import.meta.dirname, '..')
const PAGE = join(packageFolder, '../../docs/servers.md')

const mock = new LLMock({ port: 0, strict: true })
let home = ''

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'hermes-servers-'))
  const toolCall = { name: 'memory', arguments: JSON.stringify({ target: 'user', action: 'add', content: 'My salary is 93000 euros.' }) }
  mock.on({ userMessage: /salary/, hasToolResult: false }, { toolCalls: [toolCall] })
  mock.on({ userMessage: /salary/, hasToolResult: true }, { content: 'I will remember that.' })
  mock.on({ userMessage: /Hello/ }, { content: 'Hello to you.' })
  await mock.start()
})

afterAll(async () => {
  await mock.stop()
  await rm(home, { recursive: true, force: true })
})

it('shows each user their own memory alone', async () => {
  const port = await freePort()
  const env = { HOME: home, USERPROFILE: home, OPENAI_API_KEY: 'local', OPENAI_BASE_URL: `${mock.url}/v1`, PORT: String(port) }
  const server = startProgram(await programOf(PAGE, 'langchain'), packageFolder, env)
  try {
    const ask = async (token: string, chat: string, prompt: string) => {
      const url = `http://127.0.0.1:${port}/${chat}?prompt=${encodeURIComponent(prompt)}`
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
      return response.ok ? response.text() : response.status
    }
    await vi.waitFor(async () => expect(await ask('nobody', 'chat', 'Hello')).toBe(401), { timeout: 50_000, interval: 100 })
    expect(await ask('a', 'first', 'Please remember: my salary is 93000 euros.')).toBe('I will remember that.')
    expect(await Promise.all([ask('a', 'chat', 'Hello, Alice here'), ask('b', 'chat', 'Hello, Bob here')])).toEqual([
      'Hello to you.',
      'Hello to you.',
    ])
    const bodies = mock.getRequests().map(({ body }) => JSON.stringify(body))
    expect(bodies.find((body) => body.includes('Alice here'))).toContain('93000')
    expect(bodies.find((body) => body.includes('Bob here'))).not.toContain('93000')
    expect(server.output()).toBe('')
  } finally {
    await endProgram(server)
  }
})
