import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runChat, temporaryFolder } from './run-chat.ts'

const noStack = /^\s+at .+:\d+:\d+/m

it('says that the home cannot be written, and chats on without memory', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'file'), '')
  const run = await runChat({
    args: ['--home', join(folder, 'file', 'home'), '--nudge', '2'],
    lines: ['hello', 'remember that I live in Oslo', 'I prefer tea', '/memory', '/journal', '/new', 'hello', '/quit'],
  })
  expect(run).toMatchObject({ code: 0, stderr: '' })
  expect(run.stdout).toContain('· memory problem')
  expect(run.stdout).toMatch(/· memory problem \([a-z ]+\): the same cause/)
  expect(new Set(run.stdout.match(/· memory problem.*/g)).size).toBe(run.stdout.match(/· memory problem.*/g)?.length)
  expect(run.stdout).toContain('Hello! Nice to meet you.')
  expect(run.stdout).toMatch(/I could not do that: /)
  expect(run.stdout).not.toMatch(noStack)
})

it('says once that the recording cannot be written, and chats on', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'requests.jsonl'))
  const run = await runChat({
    args: ['--home', join(folder, 'home'), '--record', join(folder, 'requests.jsonl')],
    lines: ['hello', 'hello again', '/quit'],
  })
  expect(run.code).toBe(0)
  expect(run.stdout.match(/Requests are not recorded/g)).toHaveLength(1)
  expect(run.stdout.match(/^Hello!/gm)).toHaveLength(2)
})

it('tells a provider that refuses the key in one line with what to check, and takes the next line', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"no such key"}}')
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const run = await runChat({
    args: ['--home', temporaryFolder()],
    env: { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_MODEL: 'any' },
    lines: ['hello', '/memory', '/quit'],
  })
  expect(run).toMatchObject({ code: 0, stderr: '' })
  expect(run.stdout).toMatch(/^The provider refused the key \(401: .*Check OPENAI_BASE_URL/m)
  expect(run.stdout).toContain('> /quit')
  expect(run.stdout).not.toMatch(noStack)
})
