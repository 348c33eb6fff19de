/** Runs a program in a pseudo terminal and reads its screen, as a person would see it. */
import { type IPty, spawn } from '@lydell/node-pty'
import headless, { type IBufferCell, type IBufferLine } from '@xterm/headless'

export interface PtyOptions {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly columns?: number
  readonly rows?: number
  /** Called with each change of the screen, before `waitFor` looks at it. */
  readonly onScreen?: (pty: Pty) => void
}

/** A run of characters of one style. */
export interface Span {
  readonly text: string
  readonly style: 'plain' | 'dim' | 'bold' | 'red' | 'green' | 'yellow'
}

export interface Pty {
  /** Keys as a terminal sends them. */
  type(keys: string): void
  resize(columns: number, rows: number): void
  /** Everything shown since the start, one string a row, without blanks at the end. */
  lines(): readonly string[]
  /** The same with styles. */
  styledLines(): readonly (readonly Span[])[]
  /** Resolves when the screen shows `pattern`; rejects with the screen after `limitMs`, or if the program ends first. `from`: first row to look at. */
  waitFor(pattern: RegExp, options?: { readonly limitMs?: number; readonly from?: number }): Promise<void>
  /** Resolves to the exit code. */
  readonly exited: Promise<number>
  /** Ends the program, if it still runs. */
  kill(): void
}

/** Of the environment, without those that are not set. */
const kept = (names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))

/** The node of this process runs the program, whatever the PATH says. */
const start = ({ args, env, cwd, columns = 80, rows = 24 }: PtyOptions): IPty =>
  spawn(process.execPath, [...args], {
    name: 'xterm-256color',
    cols: columns,
    rows,
    cwd: cwd ?? process.cwd(),
    env: { ...kept(['PATH', 'NODE_COMPILE_CACHE']), ...env },
  })

/** As terminals number them. */
const COLOURS: Readonly<Record<number, Span['style']>> = { 1: 'red', 2: 'green', 3: 'yellow' }

const styleOf = (cell: IBufferCell): Span['style'] => {
  if (cell.isBold()) return 'bold'
  if (cell.isDim()) return 'dim'
  return cell.isFgDefault() ? 'plain' : (COLOURS[cell.getFgColor()] ?? 'red')
}

/** Without blanks at the end. */
const spansOf = (line: IBufferLine | undefined): readonly Span[] => {
  const spans: { text: string; style: Span['style'] }[] = []
  for (let x = 0; x < (line?.length ?? 0); x++) {
    const cell = line?.getCell(x)
    // The second half of a wide character.
    if (cell === undefined || cell.getWidth() === 0) continue
    const text = cell.getChars() || ' '
    const last = spans.at(-1)
    if (last?.style === styleOf(cell)) last.text += text
    else spans.push({ text, style: styleOf(cell) })
  }
  while (spans.at(-1)?.text.trimEnd() === '') spans.pop()
  return spans.map((span, index) => (index === spans.length - 1 ? { ...span, text: span.text.trimEnd() } : span))
}

/** Waits for what a screen shows: `look` is called after each change of it. */
export const watchScreen = (
  lines: () => readonly string[],
  exitCode: () => number | undefined,
): Pick<Pty, 'waitFor'> & { readonly look: () => void } => {
  const checks = new Set<() => void>()
  return {
    look: () => {
      for (const check of [...checks]) check()
    },
    waitFor: (pattern, { limitMs = 20_000, from = 0 } = {}) =>
      new Promise((resolve, reject) => {
        const stop = (problem?: string): void => {
          clearTimeout(timer)
          checks.delete(check)
          if (problem === undefined) resolve()
          else reject(new Error(`${problem}\nThe screen does not show ${pattern}:\n${lines().join('\n')}`))
        }
        const check = (): void => {
          if (pattern.test(lines().slice(from).join('\n'))) stop()
          else if (exitCode() !== undefined) stop(`The program has ended with ${exitCode()}.`)
        }
        const timer = setTimeout(() => stop(`${limitMs} ms have passed.`), limitMs)
        checks.add(check)
        check()
      }),
  }
}

export const openPty = (options: PtyOptions): Pty => {
  const { columns = 80, rows = 24, onScreen } = options
  const screen = new headless.Terminal({ cols: columns, rows, scrollback: 5_000, reflowCursorLine: true, allowProposedApi: true })
  const program = start(options)
  let code: number | undefined

  const styledLines = (): readonly (readonly Span[])[] => {
    const { active } = screen.buffer
    const rows = Array.from({ length: active.baseY + screen.rows }, (_, y) => spansOf(active.getLine(y)))
    return rows.slice(0, rows.findLastIndex((spans) => spans.length > 0) + 1)
  }
  const lines = (): readonly string[] => styledLines().map((spans) => spans.map(({ text }) => text).join(''))
  const seen = watchScreen(lines, () => code)

  const pty: Pty = {
    type: (keys) => program.write(keys),
    resize: (newColumns, newRows) => {
      program.resize(newColumns, newRows)
      screen.resize(newColumns, newRows)
    },
    lines,
    styledLines,
    waitFor: (pattern, options) => seen.waitFor(pattern, options),
    exited: new Promise((resolve) => {
      program.onExit(({ exitCode }) => {
        // What it wrote last is still on its way through the emulator.
        screen.write('', () => {
          code = exitCode
          seen.look()
          resolve(exitCode)
        })
      })
    }),
    kill: () => {
      if (code === undefined) program.kill('SIGKILL')
    },
  }
  program.onData((data) =>
    screen.write(data, () => {
      onScreen?.(pty)
      seen.look()
    }),
  )
  return pty
}
