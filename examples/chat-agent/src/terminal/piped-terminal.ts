/** Plain streams: each line of the input is one turn, in order; the lines are echoed, so that the output reads as a transcript. */
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { createPaint } from './paint.ts'
import { stoppableWork } from './stoppable-work.ts'
import type { Terminal } from './terminal.ts'

export const pipedTerminal = (input: Readable, output: Writable): Terminal => {
  const editor = createInterface({ input, terminal: false, crlfDelay: Number.POSITIVE_INFINITY })
  const lines = editor[Symbol.asyncIterator]()
  const work = stoppableWork()
  let leaving = false
  let wakeUp: (() => void) | undefined

  const interrupt = (): void => {
    leaving = true
    work.stop()
    wakeUp?.()
  }
  process.on('SIGINT', interrupt)

  return {
    interactive: false,
    columns: Number.POSITIVE_INFINITY,
    paint: createPaint(output),
    readLine: async () => {
      const interrupted = new Promise<undefined>((resolve) => {
        wakeUp = () => resolve(undefined)
      })
      const next = leaving ? undefined : await Promise.race([lines.next(), interrupted])
      wakeUp = undefined
      if (leaving || next === undefined) return { kind: 'leave' }
      if (next.done === true) return { kind: 'end' }
      if (next.value.trim() !== '') output.write(`> ${next.value}\n`)
      return { kind: 'line', text: next.value }
    },
    write: (text) => {
      output.write(text)
    },
    print: (text) => {
      output.write(`${text}\n`)
    },
    whileBusy: work.run,
    close: () => {
      process.off('SIGINT', interrupt)
      editor.close()
    },
  }
}
