/** Shows one turn as it comes in: a spinner, streamed words, tool calls as dim lines. */
import { startSpinner } from '@hermes/example-chat-parts/spinner'
import type { Terminal } from '@hermes/example-chat-parts/terminal'
import { cleanText, createWordWrap } from '@hermes/example-chat-parts/text'
import type { TurnPart } from './conversation.ts'
import { toolLine } from './tool-line.ts'

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
  const show = (part: TurnPart): void => {
    if (part.type === 'text') {
      // Models like to begin with blank lines.
      const text = started ? part.text : part.text.trimStart()
      started ||= text !== ''
      write(wrap.push(cleanText(text)))
      return
    }
    finish()
    terminal.print(toolLine(part, terminal.columns, terminal.paint))
    wrap = createWordWrap(terminal.columns)
    started = false
    stopSpinner = startSpinner(terminal)
  }
  return { show, finish }
}
