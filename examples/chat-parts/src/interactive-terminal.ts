/** A person at a terminal: a line editor, type-ahead while an answer streams, notices above the prompt, a clean Ctrl-C. */
import { clearScreenDown, createInterface, cursorTo, moveCursor } from 'node:readline'
import { type Readable, Writable } from 'node:stream'
import { createPaint, type Entered, stoppableWork, type Terminal } from './terminal.ts'

const PROMPT = '> '

/** What is used of a `tty.WriteStream`. */
type Screen = Writable & { readonly columns: number; readonly rows: number }

/** The screen as readline's echo sees it: silent unless `isOpen`, for no prompt is shown while an answer streams. */
const gatedOutput = (screen: Screen, isOpen: () => boolean): Writable => {
  const output = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      if (isOpen()) screen.write(chunk)
      done()
    },
  })
  // readline follows the size of the window through its output.
  const resized = (): unknown => output.emit('resize')
  screen.on('resize', resized)
  output.on('close', () => screen.off('resize', resized))
  return Object.defineProperties(output, { columns: { get: () => screen.columns }, rows: { get: () => screen.rows } })
}

export const interactiveTerminal = (input: Readable, output: Screen): Terminal => {
  const paint = createPaint(output)
  const typedAhead: string[] = []
  const work = stoppableWork()
  let waiting: ((entered: Entered) => void) | undefined
  let warned = false
  let closed = false
  const echo = gatedOutput(output, () => waiting !== undefined)
  const editor = createInterface({ input, output: echo, terminal: true, prompt: PROMPT, historySize: 500, removeHistoryDuplicates: true })

  const answer = (entered: Entered): void => {
    const resolve = waiting
    waiting = undefined
    resolve?.(entered)
  }

  const print = (text: string): void => {
    if (waiting === undefined) {
      output.write(`${text}\n`)
      return
    }
    const { rows } = editor.getCursorPos()
    moveCursor(output, 0, -rows)
    cursorTo(output, 0)
    clearScreenDown(output)
    // The editor redraws from as many rows up as it believes to be down; give it those rows.
    output.write(`${text}\n${'\n'.repeat(rows)}`)
    editor.prompt(true)
  }

  const interrupt = (): void => {
    if (work.stop()) return
    if (waiting !== undefined && editor.line !== '') {
      editor.write(null, { ctrl: true, name: 'e' })
      editor.write(null, { ctrl: true, name: 'u' })
    } else if (waiting !== undefined && !warned) {
      warned = true
      print(paint.dim('Press Ctrl-C again to leave, or type /quit.'))
    } else {
      output.write('\n')
      answer({ kind: 'leave' })
    }
  }

  const readLine = (): Promise<Entered> => {
    const text = typedAhead.shift()
    if (text !== undefined) output.write(`${PROMPT}${text}\n`)
    if (text !== undefined || closed) return Promise.resolve(text === undefined ? { kind: 'end' } : { kind: 'line', text })
    return new Promise((resolve) => {
      output.write('\n'.repeat(editor.getCursorPos().rows))
      waiting = resolve
      editor.prompt(true)
    })
  }

  editor.on('SIGINT', interrupt)
  process.on('SIGINT', interrupt)
  editor.on('line', (text) => {
    warned = false
    if (waiting === undefined) typedAhead.push(text)
    else answer({ kind: 'line', text })
  })
  editor.on('close', () => {
    closed = true
    if (waiting !== undefined) output.write('\n')
    answer({ kind: 'end' })
  })

  return {
    interactive: true,
    get columns() {
      return Math.max(20, output.columns)
    },
    paint,
    readLine,
    write: (text) => void output.write(text),
    print,
    whileBusy: work.run,
    close: () => {
      process.off('SIGINT', interrupt)
      editor.close()
      echo.destroy()
    },
  }
}
