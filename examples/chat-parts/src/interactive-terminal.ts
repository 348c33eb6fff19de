/** A person at a terminal: a line editor, type-ahead while an answer streams, notices above the prompt, a clean Ctrl-C. */
import { clearScreenDown, createInterface, cursorTo, moveCursor } from 'node:readline'
import { PassThrough, Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { createKeyReader, fromEditorLine, PASTE_OFF, PASTE_ON, singleKeys, toEditorLine } from './read-keys.ts'
import { createPaint, type Entered, stoppableWork, type Terminal } from './terminal.ts'
import type { Keyboard, Screen, TerminalWorld } from './world.ts'

const PROMPT = '> '
/** While a message goes on after a line that ends with a backslash. */
const MORE_PROMPT = '… '

/** Of a terminal that does not tell its width. */
const USUAL_COLUMNS = 80

interface Gate {
  readonly isOpen: () => boolean
  /** Of the window, as far as the editor knows it. */
  readonly columns: () => number
  /** Called before the editor redraws. */
  readonly onResize: () => void
}

/** The screen as readline's echo sees it: silent unless the gate is open, for no prompt is shown while an answer streams. */
const gatedOutput = (screen: Screen, { isOpen, columns, onResize }: Gate): Writable => {
  const output = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      if (isOpen()) screen.write(chunk)
      done()
    },
  })
  // readline follows the size of the window through its output.
  const resized = (): void => {
    onResize()
    output.emit('resize')
  }
  screen.on('resize', resized)
  output.on('close', () => screen.off('resize', resized))
  return Object.defineProperties(output, { columns: { get: columns }, rows: { get: () => screen.rows } })
}

/** The keyboard as readline sees it, until it is destroyed. One character at a time: what comes at once, readline writes without counting its rows. */
const keysOf = (input: Keyboard, insert: (text: string) => void): PassThrough => {
  const keys = new PassThrough()
  const decoder = new StringDecoder()
  const read = createKeyReader()
  const take = (chunk: Buffer): void => {
    for (const { kind, text } of read(decoder.write(chunk))) {
      if (kind === 'text') insert(text)
      else for (const key of singleKeys(text)) keys.write(key)
    }
  }
  const end = (): void => void keys.end()
  input.on('data', take).on('end', end)
  keys.on('close', () => input.off('data', take).off('end', end))
  return Object.assign(keys, { setRawMode: (mode: boolean) => input.setRawMode?.(mode) })
}

export const interactiveTerminal = (world: TerminalWorld): Terminal => {
  const { stdin: input, stdout: output } = world
  const paint = createPaint(world)
  const typedAhead: string[] = []
  const work = stoppableWork()
  let waiting: ((entered: Entered) => void) | undefined
  /** Lines of the message so far, each of which ended with a backslash. */
  let begun: string[] = []
  let prompt = PROMPT
  const columnsNow = (): number => output.columns ?? USUAL_COLUMNS
  let columns = columnsNow()
  let warned = false
  let closed = false
  let asksForPastes = false

  /** The terminal has wrapped the line anew; readline would redraw from the rows it had. */
  const followResize = (): void => {
    const rowsBefore = editor.getCursorPos().rows
    columns = columnsNow()
    const difference = rowsBefore - editor.getCursorPos().rows
    if (waiting === undefined) return
    if (difference > 0) output.write('\n'.repeat(difference))
    else moveCursor(output, 0, difference)
  }

  const echo = gatedOutput(output, { isOpen: () => waiting !== undefined, columns: () => columns, onResize: followResize })
  const keys = keysOf(input, (text) => editor.write(toEditorLine(text)))
  const editor = createInterface({ input: keys, output: echo, terminal: true, prompt, historySize: 500, removeHistoryDuplicates: true })

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
    output.write(`${text}\n\n${'\n'.repeat(rows)}`)
    editor.prompt(true)
  }

  const startMessage = (): void => {
    begun = []
    editor.setPrompt(prompt)
  }

  const interrupt = (): void => {
    if (work.stop()) return
    if (waiting !== undefined && (editor.line !== '' || begun.length > 0)) {
      startMessage()
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

  const readLine = (lead = ''): Promise<Entered> => {
    prompt = `${lead === '' ? '' : paint.dim(`${lead} `)}${PROMPT}`
    const text = typedAhead.shift()
    if (text !== undefined) output.write(`${prompt}${toEditorLine(text)}\n`)
    if (text !== undefined || closed) return Promise.resolve(text === undefined ? { kind: 'end' } : { kind: 'line', text })
    return new Promise((resolve) => {
      output.write(`${asksForPastes ? '' : PASTE_ON}${'\n'.repeat(editor.getCursorPos().rows)}`)
      asksForPastes = true
      waiting = resolve
      if (begun.length === 0) editor.setPrompt(prompt)
      editor.prompt(true)
    })
  }

  const enter = (line: string): void => {
    warned = false
    if (line.endsWith('\\')) {
      begun.push(line.slice(0, -1))
      editor.setPrompt(MORE_PROMPT)
      editor.prompt()
      return
    }
    const text = [...begun, line].map(fromEditorLine).join('\n')
    startMessage()
    if (waiting === undefined) typedAhead.push(text)
    else answer({ kind: 'line', text })
  }

  editor.on('SIGINT', interrupt)
  const stopListening = world.onInterrupt(interrupt)
  editor.on('line', enter)
  editor.on('close', () => {
    closed = true
    if (waiting !== undefined) output.write('\n')
    answer({ kind: 'end' })
  })

  return {
    interactive: true,
    get columns() {
      return Math.max(20, columnsNow())
    },
    get ahead() {
      return typedAhead.length
    },
    paint,
    readLine,
    write: (text) => void output.write(text),
    print,
    whileBusy: work.run,
    close: () => {
      stopListening()
      if (asksForPastes) output.write(PASTE_OFF)
      asksForPastes = false
      editor.close()
      input.pause()
      keys.destroy()
      echo.destroy()
    },
  }
}
