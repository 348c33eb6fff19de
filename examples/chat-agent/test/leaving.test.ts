import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { openServer } from './openai-server.ts'
import { temporaryFolder } from './run-chat.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** Starts the chat, waits for its header, does something to it, and tells how it ended. */
const leaveBy = (act: (child: ReturnType<typeof spawn>) => void): Promise<{ code: number | null; signal: string | null; stderr: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, '--home', temporaryFolder()], {
      env: { PATH: process.env['PATH'], HOME: '/no/such/home' },
    })
    let stderr = ''
    let stdout = ''
    let acted = false
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      if (acted || !stdout.includes('/help')) return
      acted = true
      act(child)
    })
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, stderr }))
  })

it('ends cleanly when its input ends without /quit', async () => {
  expect(await leaveBy((child) => child.stdin?.end('hello\n'))).toEqual({ code: 0, signal: null, stderr: '' })
})

it('ends with 130 when a script is interrupted, and with 143 when it is told to stop', async () => {
  expect(await leaveBy((child) => child.kill('SIGINT'))).toEqual({ code: 130, signal: null, stderr: '' })
  expect(await leaveBy((child) => child.kill('SIGTERM'))).toEqual({ code: 143, signal: null, stderr: '' })
})

it('ends quietly when nobody reads its output any more', async () => {
  const ended = await leaveBy((child) => {
    child.stdout?.destroy()
    child.stdin?.write('hello\n')
  })
  expect(ended).toMatchObject({ code: 0, stderr: '' })
})

/** A chat whose model answers turns and hangs in reviews. `onReview` is called where a review has begun. */
const startHanging = async (args: readonly string[], onReview: (child: ReturnType<typeof spawn>) => void) => {
  const { url } = await openServer(({ stream }) => {
    if (stream === true) return { text: 'Fine.' }
    onReview(child)
    return new Promise(() => {})
  })
  const home = temporaryFolder()
  const child = spawn(process.execPath, [MAIN, '--home', home, '--session', 'chat', ...args], {
    env: { PATH: process.env['PATH'], HOME: '/no/such/home', OPENAI_BASE_URL: url, OPENAI_MODEL: 'small' },
  })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve)).then((code) => {
    const record: unknown = JSON.parse(readFileSync(join(home, 'sessions/chat.json'), 'utf8'))
    return { code, stdout, record }
  })
  return { child, ended }
}

const UNREAD = { read: { words: 0 }, unread: [{ messages: [{ text: 'I live in Lisbon' }, { text: 'Fine.' }] }] }

it('does not wait for a review when it is interrupted: the next review has it', async () => {
  const { child, ended } = await startHanging(['--nudge', '1'], (chat) => chat.kill('SIGINT'))
  child.stdin.write('I live in Lisbon\n')
  const { code, stdout, record } = await ended
  expect(code).toBe(130)
  expect(stdout).toContain('left before the review was finished')
  expect(record).toMatchObject(UNREAD)
})

it('skips at Ctrl-C what it would learn at the end, and leaves at once: its turns stay unread', async () => {
  let interruptedAt = 0
  const { child, ended } = await startHanging([], (chat) => {
    interruptedAt = performance.now()
    chat.kill('SIGINT')
  })
  child.stdin.end('I live in Lisbon\n/quit\n')
  const { code, stdout, record } = await ended
  expect(performance.now() - interruptedAt).toBeLessThan(5_000)
  expect(code).toBe(0)
  expect(stdout).toContain('· Learning from 1 turn … Ctrl-C skips.\n· review after 1 turn stopped: the next review reads the same turns\n')
  expect(record).toMatchObject(UNREAD)
})
