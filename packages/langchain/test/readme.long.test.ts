/** Runs every snippet of the README unchanged, as one module from top to bottom, against a local server. */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import { createHermesHomes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { afterAll, beforeAll, expect, it } from 'vitest'

const packageFolder = join(import.meta.dirname, '..')
const mock = new LLMock({ port: 0, strict: true })
let home = ''

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'hermes-readme-'))
  const toolCall = { name: 'memory', arguments: JSON.stringify({ target: 'memory', action: 'add', content: 'We deploy with Kamal.' }) }
  mock.on({ userMessage: /Kamal/, hasToolResult: false }, { toolCalls: [toolCall] })
  mock.on({ hasToolResult: true }, { content: 'I will remember that.' })
  mock.on({ userMessage: /tabs/ }, { content: 'Tabs it is.' })
  mock.on({ userMessage: /Hello/ }, { content: 'Hello to you.' })
  await mock.start()
})

afterAll(async () => {
  await mock.stop()
  await rm(home, { recursive: true, force: true })
})

const readReadme = () => readFile(join(packageFolder, 'README.md'), 'utf8')

const runModule = (code: string): Promise<{ readonly code: number | null; readonly output: string }> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, HOME: home, USERPROFILE: home, OPENAI_API_KEY: 'local', OPENAI_BASE_URL: `${mock.url}/v1` }
    const child = spawn(process.execPath, ['--input-type=module', '-'], { cwd: packageFolder, env })
    let output = ''
    const collect = (chunk: string): void => {
      output += chunk
    }
    child.stdout.setEncoding('utf8').on('data', collect)
    child.stderr.setEncoding('utf8').on('data', collect)
    child.on('error', reject)
    child.on('close', (exit) => resolve({ code: exit, output }))
    child.stdin.end(code)
  })

it('does what its snippets say', async () => {
  const snippets = [...(await readReadme()).matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1])
  expect(snippets).toHaveLength(3)
  expect(await runModule(snippets.join('\n'))).toEqual({ code: 0, output: 'Tabs it is.\nHello to you.I will remember that.\n' })
  const homes = createHermesHomes({ storage: fileSystemBackend(join(home, '.hermes-server')) })
  const notes = ['alice', 'bob'].map(async (owner) => {
    const store = homes.for(owner).memoryStore()
    await store.load()
    return store.entries('memory')
  })
  expect(await Promise.all(notes)).toEqual([['We deploy with Kamal.'], []])
  expect(await homes.list()).toMatchObject({ ok: true, value: [{ user: 'alice' }, { user: 'bob' }] })
  await homes.close()
})
