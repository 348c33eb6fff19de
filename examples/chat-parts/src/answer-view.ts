/** Shows one turn as it comes in: a spinner, streamed words, and lines between them. */
import { startSpinner } from './spinner.ts'
import type { Terminal } from './terminal.ts'
import { cleanText, createWordWrap } from './text.ts'

/** A stream that pauses for so long gets a sign of life. */
const PAUSE_MS = 2_000

/** `finish` ends the line that is open, if one is. */
export const createAnswerView = (terminal: Terminal) => {
  let stopSpinner = startSpinner(terminal)
  let wrap = createWordWrap(terminal.columns)
  let lineOpen = false
  let started = false

  const write = (text: string): void => {
    if (text === '') return
    stopSpinner()
    terminal.write(text)
    lineOpen = !text.endsWith('\n')
    stopSpinner = startSpinner(terminal, { column: lineOpen ? wrap.column() : 0, delayMs: PAUSE_MS, label: 'waiting' })
  }
  const finish = (): void => {
    stopSpinner()
    write(wrap.end())
    stopSpinner()
    if (lineOpen) terminal.write('\n')
    lineOpen = false
  }
  /** A piece of the answer, as it streams in. */
  const showText = (piece: string): void => {
    // Models like to begin with blank lines.
    const text = started ? piece : piece.trimStart()
    started ||= text !== ''
    write(wrap.push(cleanText(text)))
  }
  /** Whole lines between two pieces, such as a tool call; they fit the screen. */
  const showLine = (line: string): void => {
    finish()
    terminal.print(line)
    wrap = createWordWrap(terminal.columns)
    started = false
    stopSpinner = startSpinner(terminal)
  }
  return { showText, showLine, finish }
}
