/** How the chat ends as a process of its own. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { endOf, readRecording, runChat, runProcess, startProcess, temporaryFolder } from './run-chat.ts'

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
