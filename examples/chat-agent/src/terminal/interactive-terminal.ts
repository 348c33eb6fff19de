/** A person at a terminal: a line editor, type-ahead while an answer streams, notices above the prompt, a clean Ctrl-C. */
import { clearScreenDown, createInterface, cursorTo, moveCursor } from 'node:readline'
import type { Readable } from 'node:stream'
import { GatedOutput, type Screen } from './gated-output.ts'
import { createPaint } from './paint.ts'
import { stoppableWork } from './stoppable-work.ts'
import type { Entered, Terminal } from './terminal.ts'

const PROMPT = '> '

export const interactiveTerminal = (input: Readable, output: Screen): Terminal => {
  const paint = createPaint(output)
  const echo = new GatedOutput(output)
  const editor = createInterface({ input, output: echo, terminal: true, prompt: PROMPT, historySize: 500, removeHistoryDuplicates: true })
  const typedAhead: string[] = []
  let waiting: ((entered: Entered) => void) | undefined
  const work = stoppableWork()
  let warned = false
  let closed = false

  const answer = (entered: Entered): void => {
    const resolve = waiting
    waiting = undefined
    echo.open = false
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
    readLine: () => {
      const text = typedAhead.shift()
      if (text !== undefined) {
        output.write(`${PROMPT}${text}\n`)
        return Promise.resolve({ kind: 'line', text })
      }
      if (closed) return Promise.resolve({ kind: 'end' })
      return new Promise((resolve) => {
        waiting = resolve
        output.write('\n'.repeat(editor.getCursorPos().rows))
        echo.open = true
        editor.prompt(true)
      })
    },
    write: (text) => {
      output.write(text)
    },
    print,
    whileBusy: work.run,
    close: () => {
      process.off('SIGINT', interrupt)
      editor.close()
      echo.destroy()
    },
  }
}
