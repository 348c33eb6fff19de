/** `hermes serve` for a program in another language, and when it is told to stop. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { openServer } from './openai-server.ts'
import { envOf, LISBON } from './queued-homes.ts'
import { MAIN, temporaryHome } from './run-hermes.ts'

const TOKEN = 'a-token-of-the-tests'

const start = async (env: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, [MAIN, 'serve', '--home', temporaryHome()], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], HERMES_TOKEN: TOKEN, ...env },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const origin = await new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? []
      if (found !== undefined) resolve(found)
    })
  })
  return { child, origin }
}

it('runs the Python of docs/http.md', async () => {
  const page = readFileSync(new URL('../../../docs/http.md', import.meta.url), 'utf8')
  const [, program = ''] = /```python\n([\s\S]*?)```/.exec(page) ?? []
  const { url } = await openServer(() => LISBON)
  const { origin } = await start(envOf(url))
  const env = { PATH: process.env['PATH'], HERMES_ADDRESS: origin, HERMES_TOKEN: TOKEN }
  const { stdout } = await promisify(execFile)('python3', ['-c', program], { env })
  expect(stdout).toMatch(/^written: (.*Lisbon.*)\nuser user \1\n[\s\S]*USER PROFILE[\s\S]*Lisbon/)
})

it('answers the request under way when it is told to stop, and takes no other', async () => {
  let stop = () => {}
  const { url } = await openServer(() => {
    stop()
    return LISBON
  })
  const { child, origin } = await start(envOf(url))
  stop = () => child.kill('SIGTERM')
  const response = await fetch(`${origin}/v1/remember`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify({ messages: 'I live in Lisbon.' }),
  })
  expect(await response.json()).toMatchObject({ value: { written: [{ content: expect.stringContaining('Lisbon') }] } })
  if (child.exitCode === null) await once(child, 'exit')
  expect(child.exitCode).toBe(0)
  await expect(fetch(origin)).rejects.toThrow()
})

it('ends when it is told to stop, though a model does not answer', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => silent.closeAllConnections())
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const { child, origin } = await start(envOf(`http://127.0.0.1:${port}/v1`))
  silent.once('request', () => child.kill('SIGTERM'))
  const asked = fetch(`${origin}/v1/remember`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify({ messages: 'I live in Lisbon.' }),
  })
  await expect(asked).rejects.toThrow()
  const from = performance.now()
  if (child.exitCode === null) await once(child, 'exit')
  expect(child.exitCode).toBe(0)
  expect(performance.now() - from).toBeLessThan(10_000)
})
