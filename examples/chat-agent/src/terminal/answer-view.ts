/** Shows one turn as it comes in: spinner, streamed words, tool calls as dim lines. */
import type { TurnPart } from '../agent/conversation.ts'
import { cleanText } from './clean-text.ts'
import { startSpinner } from './spinner.ts'
import type { Terminal } from './terminal.ts'
import { toolLine } from './tool-line.ts'
import { createWordWrap } from './word-wrap.ts'

export interface AnswerView {
  show(part: TurnPart): void
  /** Ends the line that is open, if one is. */
  finish(): void
}

export const createAnswerView = (terminal: Terminal): AnswerView => {
  let stopSpinner = startSpinner(terminal, 'thinking')
  let wrap = createWordWrap(terminal.columns)
  let lineOpen = false
  let started = false

  const write = (text: string): void => {
    if (text === '') return
    stopSpinner()
    terminal.write(text)
    lineOpen = !text.endsWith('\n')
  }
  const closeLine = (): void => {
    write(wrap.end())
    if (lineOpen) terminal.write('\n')
    lineOpen = false
  }

  return {
    show: (part) => {
      if (part.type === 'text') {
        // Models like to begin with blank lines.
        const text = started ? part.text : part.text.trimStart()
        if (text === '') return
        started = true
        write(wrap.push(cleanText(text)))
        return
      }
      stopSpinner()
      closeLine()
      terminal.print(toolLine(part, terminal.columns, terminal.paint))
      wrap = createWordWrap(terminal.columns)
      started = false
      stopSpinner = startSpinner(terminal, 'thinking')
    },
    finish: () => {
      stopSpinner()
      closeLine()
    },
  }
}
