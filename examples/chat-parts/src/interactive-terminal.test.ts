import { EventEmitter } from 'node:events'
import { PassThrough, Writable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { interactiveTerminal } from './interactive-terminal.ts'
import type { Terminal } from './terminal.ts'

class FakeScreen extends Writable {
  readonly columns = 40
  readonly rows = 10
  shown = ''
  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.shown += chunk.toString()
    done()
  }
}

const CTRL_C = '\u0003'
const CTRL_D = '\u0004'
let terminal: Terminal | undefined

const open = (): { terminal: Terminal; screen: FakeScreen; type: (keys: string) => Promise<void> } => {
  const input = new PassThrough()
  const screen = new FakeScreen()
  const opened = interactiveTerminal({ stdin: input, stdout: screen, env: {}, onInterrupt: () => () => {} })
  terminal = opened
  const type = async (keys: string): Promise<void> => {
    input.write(keys)
    await turn()
    await turn()
  }
  return { terminal: opened, screen, type }
}

afterEach(() => terminal?.close())

it('hands over the line that was typed', async () => {
  const { terminal, type } = open()
  const entered = terminal.readLine()
  await type('hello\r')
  expect(await entered).toEqual({ kind: 'line', text: 'hello' })
})

it('prints a notice above the prompt and draws the half-typed line again', async () => {
  const { terminal, screen, type } = open()
  const entered = terminal.readLine()
  await type('half a li')
  screen.shown = ''
  terminal.print('· review after 10 turns')
  expect(screen.shown).toMatch(/^.*· review after 10 turns\n\n.*> half a li/s)
  await type('ne\r')
  expect(await entered).toEqual({ kind: 'line', text: 'half a line' })
})

it('keeps what is typed while an answer streams off the screen, and gives it back at the next prompt', async () => {
  const { terminal, screen, type } = open()
  await terminal.whileBusy(async () => {
    terminal.write('The answer ')
    await type('next question\rand mo')
    terminal.write('goes on.\n')
  })
  expect(screen.shown).toBe('The answer goes on.\n')
  expect(terminal.ahead).toBe(1)
  expect(await terminal.readLine()).toEqual({ kind: 'line', text: 'next question' })
  expect(screen.shown).toBe('The answer goes on.\n> next question\n')
  const entered = terminal.readLine()
  expect(screen.shown).toContain('> and mo')
  await type('re\r')
  expect(await entered).toEqual({ kind: 'line', text: 'and more' })
})

it('aborts the answer on Ctrl-C and stays in the chat', async () => {
  const { terminal, type } = open()
  const aborted = await terminal.whileBusy(async (signal) => {
    await type(CTRL_C)
    return signal.aborted
  })
  expect(aborted).toBe(true)
  const entered = terminal.readLine()
  await type('still here\r')
  expect(await entered).toEqual({ kind: 'line', text: 'still here' })
})

it('clears a half-typed line on Ctrl-C, then asks for a second one before it leaves', async () => {
  const { terminal, screen, type } = open()
  const entered = terminal.readLine()
  await type(`oops${CTRL_C}`)
  expect(screen.shown).not.toContain('again to leave')
  await type(CTRL_C)
  expect(screen.shown).toContain('Press Ctrl-C again to leave, or type /quit.')
  await type(CTRL_C)
  expect(await entered).toEqual({ kind: 'leave' })
})

it('ends on Ctrl-D', async () => {
  const { terminal, type } = open()
  const entered = terminal.readLine()
  await type(CTRL_D)
  expect(await entered).toEqual({ kind: 'end' })
})

it('takes a paste of several lines as one message, also in the middle of a line', async () => {
  const { terminal, screen, type } = open()
  const entered = terminal.readLine()
  await type('see ')
  await type('\u001b[200~line 1\nline 2\n\u001b[201~')
  await type('!\r')
  expect(await entered).toEqual({ kind: 'line', text: 'see line 1\nline 2!' })
  expect(screen.shown).toContain('line 1␤line 2!')
})

it('goes on in the next line after a backslash, and forgets all of it on Ctrl-C', async () => {
  const { terminal, screen, type } = open()
  const first = terminal.readLine()
  await type('one\\\r')
  expect(screen.shown).toContain('… ')
  await type('two\r')
  expect(await first).toEqual({ kind: 'line', text: 'one\ntwo' })
  const second = terminal.readLine()
  await type(`three\\\r${CTRL_C}`)
  await type('four\r')
  expect(await second).toEqual({ kind: 'line', text: 'four' })
})

it('asks for pastes to be marked, and takes that back when it closes', async () => {
  const { terminal, screen } = open()
  void terminal.readLine()
  expect(screen.shown).toContain('\u001b[?2004h')
  terminal.close()
  expect(screen.shown).toContain('\u001b[?2004l')
})

it('leaves no listener behind when it closes', async () => {
  const [input, screen, interrupts] = [new PassThrough(), new FakeScreen(), new EventEmitter()]
  const listeners = (): readonly (readonly unknown[])[] =>
    [input, screen, interrupts].map((emitter) => emitter.eventNames().map((event) => [event, emitter.listenerCount(event)]))
  const before = listeners()
  const onInterrupt = (listener: () => void) => {
    interrupts.on('interrupt', listener)
    return () => void interrupts.off('interrupt', listener)
  }
  const terminal = interactiveTerminal({ stdin: input, stdout: screen, env: {}, onInterrupt })
  const entered = terminal.readLine()
  input.write('hello\r')
  await entered
  expect(listeners()).not.toEqual(before)
  terminal.close()
  // What is destroyed says so at the next turn.
  await turn()
  expect(listeners()).toEqual(before)
})

it('shows a quiet word before the prompt', async () => {
  const { terminal, screen, type } = open()
  const entered = terminal.readLine('review in 3')
  await type('hello\r')
  expect(await entered).toEqual({ kind: 'line', text: 'hello' })
  expect(screen.shown).toContain('review in 3 ')
})
