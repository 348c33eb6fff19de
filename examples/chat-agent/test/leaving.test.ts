import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openServer } from './openai-server.ts'
import { startChat, temporaryFolder } from './run-chat.ts'

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
