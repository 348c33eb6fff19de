/** Each app of `npm create @hermes`, from the packed packages in an empty folder: it installs, its types and its test pass, and its second run knows what the first was told. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { TEMPLATE_NAMES } from '../../packages/create/src/templates.ts'
import { freePort } from '../support/free-port.ts'
import { createReader, type Reader, userEnvironment } from './reader.ts'

const mock = new LLMock({ port: 0, strict: true })

beforeAll(async () => {
  mock.on({ userMessage: /Hello/ }, { content: 'Hello from a real model.' })
  await mock.start()
})

afterAll(() => mock.stop())

const NO_KEYS = { OPENAI_API_KEY: '', ANTHROPIC_API_KEY: '', NEXT_TELEMETRY_DISABLED: '1' }

const withKeys = () => ({
  ...{ OPENAI_API_KEY: 'local', OPENAI_BASE_URL: `${mock.url}/v1` },
  ...{ ANTHROPIC_API_KEY: 'local', ANTHROPIC_BASE_URL: mock.url, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
})

/** A reader with the app in the folder `my-app`. */
const created = async (template: string): Promise<Reader> => {
  const reader = await createReader()
  await reader.install(['@hermes/create'])
  await writeFile(
    join(reader.home, '.npmrc'),
    `@hermes:registry=${inject('packed').registry}\nprefer-offline=true\naudit=false\nfund=false\n`,
  )
  const printed = await reader.execute('npm', ['create', '@hermes', 'my-app', '--', '--template', template, '--install'], NO_KEYS)
  expect(printed).toContain('cd my-app')
  await reader.execute('npm', ['--prefix', 'my-app', 'run', 'typecheck'], NO_KEYS)
  expect(await reader.execute('npm', ['--prefix', 'my-app', 'test'], NO_KEYS)).toMatch(/^(?:#|ℹ) pass 1$/m)
  return reader
}

it.each(TEMPLATE_NAMES.filter((name) => name !== 'nextjs'))(
  'the app %s installs, compiles, passes its test and remembers',
  async (template) => {
    const reader = await created(template)
    const say = (prompt: string, env: Readonly<Record<string, string>> = NO_KEYS): Promise<string> =>
      reader.execute('npm', ['--prefix', 'my-app', '--silent', 'start', prompt], env)
    expect(await say('What do we deploy with?')).toBe('From my memory: nothing yet\n')
    expect(await say('Remember that we deploy with Kamal.')).toBe('I will remember that.\n')
    expect(await say('What do we deploy with?')).toMatch(/^From my memory: .*we deploy with Kamal\.\n$/)
    expect(await say('Hello', withKeys())).toBe('Hello from a real model.\n')
    expect(JSON.stringify(mock.getRequests().at(-1)?.body)).toContain('we deploy with Kamal.')
  },
  600_000,
)

/** Starts the server, sends one message of a new chat, and ends it. */
const chatOnce = async (reader: Reader, id: string, text: string, keys: Readonly<Record<string, string>> = {}): Promise<string> => {
  const port = await freePort()
  const server = spawn('npm', ['run', 'dev', '--', '--port', `${port}`], {
    cwd: join(reader.folder, 'my-app'),
    env: { ...userEnvironment(reader.home), ...NO_KEYS, ...keys },
    stdio: 'ignore',
    // A group of its own: npm starts Next.js as a process of its own.
    detached: true,
  })
  const ended = once(server, 'exit')
  try {
    const body = JSON.stringify({ id, messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text }] }] })
    for (let attempt = 0; ; attempt++) {
      try {
        expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toContain('Send')
        return await (await fetch(`http://127.0.0.1:${port}/api/chat`, { method: 'POST', body })).text()
      } catch (cause) {
        if (attempt === 150) throw cause
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
    }
  } finally {
    process.kill(-(server.pid ?? 0), 'SIGKILL')
    await ended
  }
}

it('the app nextjs installs, compiles, passes its test and remembers', async () => {
  const reader = await created('nextjs')
  expect(await chatOnce(reader, 'first', 'Remember that we deploy with Kamal.')).toContain('I will remember that.')
  expect(await chatOnce(reader, 'second', 'What do we deploy with?')).toMatch(/From my memory: .*we deploy with Kamal\./)
  expect(await chatOnce(reader, 'third', 'Hello', withKeys())).toContain('real')
  expect(JSON.stringify(mock.getRequests().at(-1)?.body)).toContain('we deploy with Kamal.')
}, 600_000)
