/** The README's example runs as it stands: the very bytes of it, against a local server in the place of OpenAI. */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, expect, it } from 'vitest'

const packageFolder = join(import.meta.dirname, '..')
const mock = new LLMock({ port: 0, strict: true })
let home = ''

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'hermes-readme-'))
  const toolCall = { name: 'memory', arguments: JSON.stringify({ target: 'user', action: 'add', content: 'Prefers tabs over spaces.' }) }
  mock.on({ hasToolResult: false }, { toolCalls: [toolCall] })
  mock.on({ hasToolResult: true }, { content: 'I will remember that.' })
  await mock.start()
})

afterAll(async () => {
  await mock.stop()
  await rm(home, { recursive: true, force: true })
})

const runModule = (code: string): Promise<{ readonly code: number | null; readonly output: string }> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, HOME: home, USERPROFILE: home, OPENAI_API_KEY: 'local', OPENAI_BASE_URL: `${mock.url}/v1` }
    const child = spawn(process.execPath, ['--input-type=module', '-'], { cwd: packageFolder, env })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    child.on('error', reject)
    child.on('close', (exit) => resolve({ code: exit, output }))
    child.stdin.end(code)
  })

it('remembers what the README’s example asks it to', async () => {
  const readme = await readFile(join(packageFolder, 'README.md'), 'utf8')
  const example = /```ts\n\/\/ example\n([\s\S]*?)```/.exec(readme)?.[1]
  expect(example).toBeDefined()
  expect(await runModule(example ?? '')).toEqual({ code: 0, output: 'I will remember that.\n' })
  expect(await readFile(join(home, '.hermes/memories/USER.md'), 'utf8')).toBe('Prefers tabs over spaces.')
})

it('stays within 80 lines', async () => {
  const readme = await readFile(join(packageFolder, 'README.md'), 'utf8')
  expect(readme.split('\n').length).toBeLessThanOrEqual(81)
})
