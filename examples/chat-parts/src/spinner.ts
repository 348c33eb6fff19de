/** A sign of life while nothing else is written. */
import type { Terminal } from './terminal.ts'

const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
const FRAME_MS = 90
const ERASE_LINE = '\r\u001b[K'

/** Returns how to take it away; taking it away twice is fine. */
export const startSpinner = ({ interactive, write, paint }: Terminal): (() => void) => {
  if (!interactive) return () => {}
  let frame = 0
  const draw = (): void => write(`\r${paint.dim(`${FRAMES[frame++ % FRAMES.length]} thinking`)}`)
  draw()
  let timer: NodeJS.Timeout | undefined = setInterval(draw, FRAME_MS).unref()
  return () => {
    if (timer !== undefined) write(ERASE_LINE)
    clearInterval(timer)
    timer = undefined
  }
}
