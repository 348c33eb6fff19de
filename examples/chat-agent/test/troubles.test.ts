import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runChat, temporaryFolder } from './run-chat.ts'

describe('a wrong command line', () => {
  const cases: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['names an option that does not exist', ['--colour'], /There is no option --colour\. The options are --home/],
    ['gives no value', ['--home'], /--home needs a value/],
    ['gives another option as the value', ['--session', '--nudge', '3'], /--session needs a value/],
    ['gives a nudge that is no number', ['--nudge', 'ten'], /--nudge is 'ten'; give a whole number/],
    ['gives a negative nudge', ['--nudge=-1'], /--nudge is '-1'; give a whole number/],
    ['gives a skill nudge that is no number', ['--skill-nudge', '1.5'], /--skill-nudge is '1\.5'; give a whole number of tool steps/],
    ['gives no skill nudge', ['--skill-nudge'], /--skill-nudge needs a value: --skill-nudge 10/],
    ['gives a session id that is a path', ['--session', '../etc'], /--session is '\.\.\/etc'; give up to 80 letters/],
    ['gives a message', ['hello'], /'hello' is not understood/],
    ['names a model without a provider', ['--model', 'gpt-6'], /--model gpt-6 needs a provider/],
  ]
  it.each(cases)('%s: says what is right and exits with 2', async (_what, args, message) => {
    const run = await runChat({ args, lines: ['hello'] })
    expect(run.code).toBe(2)
    expect(run.stderr).toMatch(message)
    expect(run.stderr).not.toMatch(/^\s+at /m)
    expect(run.stdout).toBe('')
  })

  it('does not start with an OPENAI_BASE_URL that names no model', async () => {
    const run = await runChat({ env: { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' } })
    expect(run).toMatchObject({ code: 2, stdout: '' })
    expect(run.stderr).toContain('OPENAI_MODEL')
  })
})

describe('a right command line', () => {
  it('prints the help', async () => {
    const run = await runChat({ args: ['--help'] })
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.stdout).toContain('--record FILE')
    expect(Math.max(...run.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  })

  it('prints the version', async () => {
    expect((await runChat({ args: ['--version'] })).stdout).toMatch(/^hermes chat agent \d+\.\d+\.\d+\n$/)
  })

  it('takes the leading -- that a package runner passes on', async () => {
    expect((await runChat({ args: ['--', '--version'] })).code).toBe(0)
  })

  it('reads the home from HERMES_HOME, and answers that the command /nonsense does not exist', async () => {
    const home = temporaryFolder()
    const run = await runChat({ env: { HERMES_HOME: home }, lines: ['/nonsense', '/journal much', '/quit'] })
    expect(run.code).toBe(0)
    expect(run.stdout).toContain(home)
    expect(run.stdout).toContain('There is no command /nonsense. /help lists the commands.')
    expect(run.stdout).toContain('/journal takes a number')
  })
})

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
