import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { temporaryFolder } from './run-chat.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** Starts the chat, waits for its header, does something to it, and tells how it ended. */
const leaveBy = (act: (child: ReturnType<typeof spawn>) => void): Promise<{ code: number | null; signal: string | null; stderr: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, '--home', temporaryFolder()], {
      env: { PATH: process.env['PATH'], HOME: '/no/such/home' },
    })
    let stderr = ''
    let acted = false
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (acted || !text.includes('/help')) return
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
