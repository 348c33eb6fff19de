/** Plain streams: each line of the input is one turn, in order; the lines are echoed, so that the output reads as a transcript. */
import { createInterface } from 'node:readline'
import { createPaint, stoppableWork, type Terminal } from './terminal.ts'
import type { TerminalWorld } from './world.ts'

export const pipedTerminal = (world: TerminalWorld): Terminal => {
  const { stdin: input, stdout: output } = world
  const editor = createInterface({ input, terminal: false, crlfDelay: Number.POSITIVE_INFINITY })
  const lines = editor[Symbol.asyncIterator]()
  const work = stoppableWork()
  const leaving = Promise.withResolvers<undefined>()
  let isLeaving = false

  const interrupt = (): void => {
    isLeaving = true
    work.stop()
    leaving.resolve(undefined)
  }
  const stopListening = world.onInterrupt(interrupt)

  return {
    interactive: false,
    columns: Number.POSITIVE_INFINITY,
    paint: createPaint(world),
    ahead: 0,
    readLine: async () => {
      const next = isLeaving ? undefined : await Promise.race([lines.next(), leaving.promise])
      if (isLeaving || next === undefined) return { kind: 'leave' }
      if (next.done === true) return { kind: 'end' }
      if (next.value.trim() !== '') output.write(`> ${next.value}\n`)
      return { kind: 'line', text: next.value }
    },
    write: (text) => void output.write(text),
    print: (text) => void output.write(`${text}\n`),
    whileBusy: work.run,
    close: () => {
      stopListening()
      editor.close()
    },
  }
}
