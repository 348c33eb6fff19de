/** The port between the chat and where it is shown: a real terminal, or plain streams. */
import { WriteStream } from 'node:tty'
import { styleText } from 'node:util'
import { wrapText } from './text.ts'
import type { World } from './world.ts'

export type Entered =
  | { readonly kind: 'line'; readonly text: string }
  /** Nothing more comes: Ctrl-D, or the end of the piped input. */
  | { readonly kind: 'end' }
  /** The person wants out now: Ctrl-C. */
  | { readonly kind: 'leave' }

export type Paint = Readonly<Record<'dim' | 'bold' | 'red' | 'green' | 'yellow', (text: string) => string>>

/** Of each line, by its text. */
export type Tone = keyof Paint | ((line: string) => keyof Paint)

export interface Terminal {
  /** True if a person types and sees a prompt. */
  readonly interactive: boolean
  /** Width for wrapping; Infinity: nothing is wrapped. */
  readonly columns: number
  readonly paint: Paint
  /** Messages that were entered while something else was going on; `readLine` gives them out in order. */
  readonly ahead: number
  /** `lead`: a quiet word before the prompt of a person. */
  readLine(lead?: string): Promise<Entered>
  /** Contract: only while no prompt is shown, that is, not during `readLine`. */
  write(text: string): void
  /** Whole lines. Contract: allowed at any time; what the person is typing stays intact below it. */
  print(text: string): void
  /** Runs `work`; Ctrl-C aborts its signal instead of ending the chat. */
  whileBusy<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Contract: puts the terminal back as it was; a second call does nothing. */
  close(): void
}

/** Prints text wrapped at words, later lines indented. */
export const tell = ({ print, paint, columns }: Terminal, text: string, indent = '', tone?: Tone): void => {
  const lines = text.split('\n').map((line, index) => {
    // What is indented already keeps its indent in the lines that it goes on in.
    const wrapped = index === 0 ? wrapText(line, columns, indent) : wrapText(`\n${line}`, columns, indent).slice(1)
    return tone === undefined ? wrapped : paint[typeof tone === 'string' ? tone : tone(line)](wrapped)
  })
  print(lines.join('\n'))
}

/** Bits of colour of a terminal that shows none. */
const BLACK_AND_WHITE = 1

/** By the rules of Node itself: NO_COLOR, FORCE_COLOR, and what the terminal is able to. */
export const createPaint = ({ stdout, env }: Pick<World, 'stdout' | 'env'>): Paint => {
  const mayShow = env['FORCE_COLOR'] !== undefined || stdout.isTTY === true
  const isColoured = mayShow && WriteStream.prototype.getColorDepth(env) > BLACK_AND_WHITE
  const style = (format: keyof Paint) => (text: string) => (isColoured ? styleText(format, text, { validateStream: false }) : text)
  return { dim: style('dim'), bold: style('bold'), red: style('red'), green: style('green'), yellow: style('yellow') }
}

/** Work that the person may stop, one piece at a time. `stop` answers false if nothing is under way. */
export const stoppableWork = () => {
  let busy: AbortController | undefined
  return {
    run: async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
      busy = new AbortController()
      try {
        return await work(busy.signal)
      } finally {
        busy = undefined
      }
    },
    stop: (): boolean => {
      busy?.abort(new DOMException('Stopped by the person.', 'AbortError'))
      return busy !== undefined
    },
  }
}

/**
 * Lines from behind the turn. `tell` shows one at once at the prompt; `during` holds them back until its work is done, while an answer is on its way to
 * the screen, and may be nested.
 */
export const createNotices = (terminal: Terminal) => {
  const waiting: (() => void)[] = []
  let depth = 0
  return {
    tell: (text: string, tone: Tone): void => {
      const show = (): void => tell(terminal, text, '  ', tone)
      if (depth > 0) waiting.push(show)
      else show()
    },
    during: async <T>(work: () => Promise<T>): Promise<T> => {
      depth++
      try {
        return await work()
      } finally {
        depth--
        if (depth === 0) for (const show of waiting.splice(0)) show()
      }
    },
  }
}

export type Notices = ReturnType<typeof createNotices>
