import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openServer } from './openai-server.ts'
import { readRecording, runChat, startChat, temporaryFolder } from './run-chat.ts'

/** At the end of the header. */
const READY = '/help'

it('ends cleanly when its input ends without /quit', async () => {
  const { stdin, waitFor, ended } = startChat({ args: ['--home', temporaryFolder()] })
  await waitFor(READY)
  stdin.end('hello\n')
  expect(await ended).toMatchObject({ code: 0, stderr: '' })
})

/** A chat whose model answers turns and hangs in reviews. `onReview` is called where a review has begun. */
const startHanging = async (args: readonly string[], onReview: (interrupt: () => void) => void) => {
  const { url } = await openServer(({ stream }) => {
    if (stream === true) return { text: 'Fine.' }
    onReview(chat.interrupt)
    return new Promise(() => {})
  })
  const home = temporaryFolder()
  const env = { OPENAI_BASE_URL: url, OPENAI_MODEL: 'small' }
  const chat = startChat({ args: ['--home', home, '--session', 'chat', ...args], env })
  const ended = chat.ended.then(({ code, stdout }) => {
    const record: unknown = JSON.parse(readFileSync(join(home, 'sessions/chat.json'), 'utf8'))
    return { code, stdout, record }
  })
  return { stdin: chat.stdin, ended }
}

const UNREAD = { unread: [{ messages: [{ text: 'I live in Lisbon' }, { text: 'Fine.' }] }] }

it('does not wait for a review when it is interrupted: the next review has it', async () => {
  const { stdin, ended } = await startHanging(['--nudge', '1'], (interrupt) => interrupt())
  stdin.write('I live in Lisbon\n')
  const { code, stdout, record } = await ended
  expect(code).toBe(130)
  expect(stdout).toContain('left before the review was finished')
  expect(record).toMatchObject(UNREAD)
})

it('skips at Ctrl-C what it would learn at the end, and leaves at once: its turns stay unread', async () => {
  let interruptedAt = 0
  const { stdin, ended } = await startHanging([], (interrupt) => {
    interruptedAt = performance.now()
    interrupt()
  })
  stdin.end('I live in Lisbon\n/quit\n')
  const { code, stdout, record } = await ended
  expect(performance.now() - interruptedAt).toBeLessThan(5_000)
  expect(code).toBe(0)
  expect(stdout).toContain('· Learning from 1 turn … Ctrl-C skips.\n· review after 1 turn stopped: the next review reads the same turns\n')
  expect(record).toMatchObject(UNREAD)
})

it('learns a name from one short session and knows it in the next, started again', async () => {
  const folder = temporaryFolder()
  const home = join(folder, 'home')
  const record = join(folder, 'requests.jsonl')
  const first = await runChat({ args: ['--home', home], lines: ['my name is Ada', '/quit'] })
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(first.stdout).toContain('· Learning from 1 turn … Ctrl-C skips.\n· review after 1 turn: 1 learned\n')
  expect(first.stdout).toContain("  learned: User's name is Ada\n    you said: “my name is Ada”\n")

  const second = await runChat({ args: ['--home', home, '--record', record], lines: ['what is my name?'] })
  expect(second).toMatchObject({ code: 0, stderr: '' })
  expect(second.stdout).toContain("I remember: User's name is Ada.")
  const [turn] = readRecording(record)
  expect(turn?.messages).toHaveLength(1)
  expect(turn?.system).toContain("User's name is Ada")
})

it('learns when its input just ends, and with /new', async () => {
  const home = temporaryFolder()
  await runChat({ args: ['--home', home], lines: ['my name is Ada'] })
  const run = await runChat({ args: ['--home', home], lines: ['what is my name?', 'I live in Oslo', '/new', 'where do I live?', '/quit'] })
  expect(run.stdout).toContain("I remember: User's name is Ada.")
  expect(run.stdout).toContain('· Learning from 2 turns … Ctrl-C skips.')
  expect(run.stdout).toContain('I remember: User lives in Oslo.')
})

it('says nothing if there is nothing to learn from, or reviews are switched off', async () => {
  const nothing = await runChat({ args: ['--home', temporaryFolder()], lines: ['/new', '/quit'] })
  expect(nothing).toMatchObject({ code: 0, stderr: '' })
  expect(nothing.stdout).not.toMatch(/Learning|· review/)
  const off = await runChat({
    args: ['--home', temporaryFolder(), '--nudge', '0', '--skill-nudge', '0'],
    lines: ['my name is Ada', '/quit'],
  })
  expect(off.stdout).not.toMatch(/Learning|· review/)
})
