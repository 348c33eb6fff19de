/** How the chat ends as a process of its own. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { expect, it } from 'vitest'
import { endOf, startProcess, temporaryFolder } from './run-chat.ts'

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
