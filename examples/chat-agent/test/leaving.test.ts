import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { IS_LONG_RUN } from '../../../scripts/support/rounds.ts'
import { openServer } from './openai-server.ts'
import { endOf, readRecording, runChat, runProcess, startChat, startProcess, temporaryFolder } from './run-chat.ts'

/** At the end of the header. */
const READY = '/help'

/** Starts the chat as a process of its own, waits for its header, does something to it, and tells how it ended. */
const leaveBy = async (act: (child: ChildProcessWithoutNullStreams) => void) => {
  const child = startProcess({ args: ['--home', temporaryFolder()] })
  let acted = false
  const { code, signal, stderr } = await endOf(child, (stdout) => {
    if (acted || !stdout.includes(READY)) return
    acted = true
    act(child)
  })
  return { code, signal, stderr }
}

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

if (IS_LONG_RUN) {
  it('ends with 130 when a script is interrupted, and with 143 when it is told to stop', async () => {
    expect(await leaveBy((child) => child.kill('SIGINT'))).toEqual({ code: 130, signal: null, stderr: '' })
    expect(await leaveBy((child) => child.kill('SIGTERM'))).toEqual({ code: 143, signal: null, stderr: '' })
  })

  it('ends quietly when nobody reads its output any more', async () => {
    const ended = await leaveBy((child) => {
      child.stdout.destroy()
      child.stdin.write('hello\n')
    })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
  })

  it('resumes a session in a new process with the same system prompt, and each end of it learns from what is new', async () => {
    const folder = temporaryFolder()
    const record = join(folder, 'requests.jsonl')
    const args = ['--home', join(folder, 'home'), '--record', record, '--session', 'notes']

    await runChat({ args: ['--home', join(folder, 'home')], lines: ['remember that I live in Oslo', '/quit'] })
    const first = await runChat({ args, lines: ['one', 'remember that I play the cello', 'three', 'four', 'five', 'six', '/quit'] })
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout.match(/· review after \d+ turns/g)).toEqual(['· review after 6 turns'])
    // Nothing of the first is in its memory.
    const second = await runProcess({ args, lines: ['seven', 'eight', 'I prefer tea over coffee', 'ten', 'eleven', '/quit'] })
    expect(second).toMatchObject({ code: 0, signal: null, stderr: '' })

    expect(first.stdout).not.toContain('· resumed')
    expect(second.stdout).toMatch(/· resumed: this session keeps the memory it started with \(\d+ characters\)/)
    expect(second.stdout.match(/· review after \d+ turns/g)).toEqual(['· review after 5 turns'])

    const turns = readRecording(record).filter((request) => request.purpose === 'turn')
    expect(new Set(turns.map((request) => request.system)).size).toBe(1)
    expect(turns[0]?.system).toContain('Oslo')
    expect(turns.at(-1)?.system).not.toContain('cello')
  })
}
