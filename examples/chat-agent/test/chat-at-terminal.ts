/** The chat at a terminal in this process: keys go in, and an emulator shows the screen as a person sees it. */
import { PassThrough, Writable } from 'node:stream'
// biome-ignore lint/correctness/noUndeclaredDependencies: a tool of the whole repository, as in scripts/support/pty.ts
import headless from '@xterm/headless'
import { onTestFinished, vi } from 'vitest'
import { type Pty, watchScreen } from '../../../scripts/support/pty.ts'
import { type StartOptions, startAt } from './run-chat.ts'

const TERM = 'xterm-256color'

export interface TerminalOptions extends StartOptions {
  readonly columns?: number
  readonly rows?: number
}

export type ChatAtTerminal = Pick<Pty, 'type' | 'resize' | 'lines' | 'waitFor' | 'exited'>

/** It is interrupted if it still runs when the test ends. */
export const openChat = ({ columns = 80, rows = 24, ...options }: TerminalOptions): ChatAtTerminal => {
  // readline asks the process for it.
  vi.stubEnv('TERM', TERM)
  onTestFinished(() => void vi.unstubAllEnvs())
  // What a terminal's driver does, the emulator does: a line feed goes to the start of the line.
  const screen = new headless.Terminal({
    cols: columns,
    rows,
    scrollback: 5_000,
    reflowCursorLine: true,
    allowProposedApi: true,
    convertEol: true,
  })
  const show = (text: string): void => screen.write(text, () => seen.look())
  const output = (): Writable =>
    new Writable({
      write: (chunk, _encoding, done) => {
        show(String(chunk))
        done()
      },
    })
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} })
  const stdout = Object.assign(output(), { isTTY: true, columns, rows })
  let ended: number | undefined
  const { exited } = startAt({ stdin, stdout, stderr: output() }, { ...options, env: { TERM, ...options.env } })

  const lines = (): readonly string[] => {
    const { active } = screen.buffer
    const shown = Array.from({ length: active.baseY + screen.rows }, (_, y) => active.getLine(y)?.translateToString(true).trimEnd() ?? '')
    return shown.slice(0, shown.findLastIndex((line) => line !== '') + 1)
  }
  const seen = watchScreen(lines, () => ended)

  return {
    type: (keys) => void stdin.write(keys),
    // After what is on its way to the screen, as the driver of a terminal would.
    resize: (newColumns, newRows) =>
      screen.write('', () => {
        screen.resize(newColumns, newRows)
        Object.assign(stdout, { columns: newColumns, rows: newRows }).emit('resize')
      }),
    lines,
    waitFor: (pattern, waiting) => seen.waitFor(pattern, waiting),
    // What it wrote last is still on its way through the emulator.
    exited: exited.then(
      (code) =>
        new Promise((resolve) => {
          screen.write('', () => {
            ended = code
            seen.look()
            resolve(code)
          })
        }),
    ),
  }
}
