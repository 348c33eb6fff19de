/** Tests that run the programs of an adapter's README unchanged, against a local server in place of OpenAI. */
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { freePort } from './free-port.ts'
import { IS_LONG_RUN } from './rounds.ts'
import { endProgram, programOf, type RunningProgram, startProgram } from './run-program.ts'

/** An example that remembers something, and a server of many people. */
export const testReadmePrograms = (packageFolder: string): void => {
  const mock = new LLMock({ port: 0, strict: true })
  let home = ''

  const remembers = (about: RegExp, content: string): void => {
    const toolCall = { name: 'memory', arguments: JSON.stringify({ target: 'user', action: 'add', content }) }
    mock.on({ userMessage: about, hasToolResult: false }, { toolCalls: [toolCall] })
    mock.on({ userMessage: about, hasToolResult: true }, { content: 'I will remember that.' })
  }

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'hermes-readme-'))
    remembers(/tabs/, 'Prefers tabs over spaces.')
    remembers(/salary/, 'My salary is 93000 euros.')
    mock.on({ userMessage: /Hello/ }, { content: 'Hello to you.' })
    await mock.start()
  })

  afterAll(async () => {
    await mock.stop()
    await rm(home, { recursive: true, force: true })
  })

  const start = async (name: string, more: NodeJS.ProcessEnv = {}): Promise<RunningProgram> => {
    const local = { OPENAI_API_KEY: 'local', OPENAI_BASE_URL: `${mock.url}/v1`, OPENAI_AGENTS_DISABLE_TRACING: '1' }
    const env = { HOME: home, USERPROFILE: home, ...local, ...more }
    return startProgram(await programOf(join(packageFolder, 'README.md'), name), packageFolder, env)
  }

  it('remembers what the README’s example asks it to', async () => {
    const { child, output } = await start('example')
    const [code] = await once(child, 'close')
    expect({ code, output: output() }).toEqual({ code: 0, output: 'I will remember that.\n' })
    expect(await readFile(join(home, '.hermes/memories/USER.md'), 'utf8')).toBe('Prefers tabs over spaces.')
  })

  if (IS_LONG_RUN)
    it('serves everybody with their own memory, as the README’s server', async () => {
      const port = await freePort()
      const server = await start('server', { PORT: String(port) })
      try {
        const ask = async (token: string, chat: string, prompt: string): Promise<string> => {
          const url = `http://127.0.0.1:${port}/${chat}?prompt=${encodeURIComponent(prompt)}`
          const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
          return response.status === 200 ? response.text() : String(response.status)
        }
        await vi.waitFor(async () => expect(await ask('nobody', 'chat', 'Hello')).toBe('401'), { timeout: 50_000, interval: 100 })
        expect(await ask('a', 'first', 'Please remember: my salary is 93000 euros.')).toBe('I will remember that.')
        const answers = await Promise.all([ask('a', 'chat', 'Hello, Alice here'), ask('b', 'chat', 'Hello, Bob here')])
        expect(answers).toEqual(['Hello to you.', 'Hello to you.'])
        const bodyWith = (words: string) =>
          mock
            .getRequests()
            .map(({ body }) => JSON.stringify(body))
            .find((body) => body.includes(words))
        expect(bodyWith('Alice here')).toContain('93000')
        expect(bodyWith('Bob here')).not.toContain('93000')
        expect(server.output()).toBe('')
      } finally {
        await endProgram(server)
      }
    })
}
