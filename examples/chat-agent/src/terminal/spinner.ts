/** Shows that something is under way, on a terminal only. */
import type { Terminal } from './terminal.ts'

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const FRAME_MS = 90
const ERASE_LINE = '\r\u001b[K'

/** Returns how to take it away; taking it away twice is fine. */
export const startSpinner = (terminal: Terminal, label: string): (() => void) => {
  if (!terminal.interactive) return () => {}
  let frame = 0
  const draw = (): void => terminal.write(`\r${terminal.paint.dim(`${FRAMES[frame++ % FRAMES.length]} ${label}`)}`)
  draw()
  const timer = setInterval(draw, FRAME_MS)
  timer.unref()
  let shown = true
  return () => {
    if (!shown) return
    shown = false
    clearInterval(timer)
    terminal.write(ERASE_LINE)
  }
}
