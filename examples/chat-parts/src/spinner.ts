/** A sign of life while nothing else is written: `⠋ thinking 4 s · Ctrl-C stops · 1 message waiting`. */
import type { Terminal } from './terminal.ts'
import { counted } from './text.ts'

const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
const FRAME_MS = 90
/** Until then it does not count. */
const PATIENCE_MS = 3_000
const ERASE_TO_END = '\u001b[K'

export interface SpinnerOptions {
  /** Width of what is on the cursor's line already; the sign is drawn behind it, if there is room. */
  readonly column?: number
  /** Nothing is shown before. Default 0. */
  readonly delayMs?: number
  /** What it says before it counts. */
  readonly label?: string
}

/** The longest of what may be said that fits. */
const fitting = (texts: readonly string[], room: number): string => texts.find((text) => [...text].length <= room) ?? ''

/** Returns how to take it away, which puts the cursor back; taking it away twice is fine. */
export const startSpinner = (terminal: Terminal, { column = 0, delayMs = 0, label = 'thinking' }: SpinnerOptions = {}): (() => void) => {
  if (!terminal.interactive) return () => {}
  const { write, paint } = terminal
  const startedAt = performance.now()
  let frame = 0
  let isShown = false
  const draw = (): void => {
    const elapsed = performance.now() - startedAt
    if (elapsed < delayMs) return
    const sign = FRAMES[frame++ % FRAMES.length]
    const seconds = `${sign} ${label} ${Math.floor(elapsed / 1_000)} s`
    const ahead = terminal.ahead === 0 ? '' : ` · ${counted(terminal.ahead, 'message')} waiting`
    const texts = elapsed < PATIENCE_MS ? [`${sign} ${label}`] : [`${seconds} · Ctrl-C stops`, seconds]
    // The last column stays free: there some terminals keep the cursor, others begin a new line.
    const text = fitting([...texts.map((text) => text + ahead), ...texts, `${sign}`], terminal.columns - column - 2)
    if (text === '') return
    const lead = column === 0 ? '' : ' '
    write(`${lead}${paint.dim(text)}${ERASE_TO_END}\u001b[${lead.length + [...text].length}D`)
    isShown = true
  }
  draw()
  let timer: NodeJS.Timeout | undefined = setInterval(draw, FRAME_MS).unref()
  return () => {
    clearInterval(timer)
    if (timer !== undefined && isShown) write(ERASE_TO_END)
    timer = undefined
  }
}
