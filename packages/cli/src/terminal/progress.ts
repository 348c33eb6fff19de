/** Progress on stderr: on a terminal one line that is taken away again, elsewhere a line every few seconds, for programs nothing. */
import type { World } from '../world.ts'
import { oneLine } from './clean-text.ts'
import { formatCount } from './format.ts'
import { truncate } from './text-width.ts'

export interface Progress {
  /** Says at once what is being done. Another text forgets what was counted. */
  readonly show: (text: string) => void
  /** How much of it is done. `unit`: what is counted. */
  readonly count: (done: number, total: number, unit: string) => void
  /** Takes the line away. Work that goes on shows it again. */
  readonly end: () => void
}

const DEFAULT_COLUMNS = 80
const CLEAR_LINE = '\r\u001b[K'

/** Milliseconds between two states of the line on a terminal, and between two lines elsewhere. */
const REDRAW_MS = 200
const LINE_MS = 10_000
/** From here on a rate says something, and a wait deserves its seconds. Milliseconds. */
const WAIT_SHOWN_MS = 1_000

const SILENT: Progress = { show: () => {}, count: () => {}, end: () => {} }

/** `8 s`, `2 min`. */
const formatWait = (ms: number): string => (ms < 60_000 ? `${Math.max(1, Math.round(ms / 1_000))} s` : `${Math.round(ms / 60_000)} min`)

const formatRate = (perSecond: number): string => `${formatCount(perSecond < 10 ? Number(perSecond.toFixed(1)) : Math.round(perSecond))}/s`

/** `1,240 of 4,360 items, 310/s, 10 s left`. `ms`: since the first was counted. */
const describeCount = (done: number, total: number, unit: string, ms: number): string => {
  const perSecond = ms < WAIT_SHOWN_MS || done === 0 ? undefined : (done * 1_000) / ms
  return [
    `${formatCount(done)} of ${formatCount(total)} ${unit}`,
    ...(perSecond === undefined ? [] : [formatRate(perSecond)]),
    ...(perSecond === undefined || total <= done ? [] : [`${formatWait(((total - done) * 1_000) / perSecond)} left`]),
  ].join(', ')
}

/** `now`: milliseconds from any start. */
export const createProgress = (
  { stderr, env }: Pick<World, 'stderr' | 'env'>,
  isJson: boolean,
  now: () => number = () => process.uptime() * 1_000,
): Progress => {
  const isTerminal = stderr.isTTY === true
  // A terminal without cursor movement would show the control codes.
  if (isJson || (isTerminal && env['TERM'] === 'dumb')) return SILENT
  let label = ''
  let labelAt = now()
  let counted: { readonly done: number; readonly total: number; readonly unit: string; readonly since: number } | undefined
  let shown = ''
  let drawnAt = isTerminal ? Number.NEGATIVE_INFINITY : now()
  let timer: ReturnType<typeof setInterval> | undefined

  const line = (): string => {
    if (counted) return oneLine(`${label} ${describeCount(counted.done, counted.total, counted.unit, now() - counted.since)}`)
    return label === '' || now() - labelAt < WAIT_SHOWN_MS ? oneLine(label) : oneLine(`${label} ${formatWait(now() - labelAt)}`)
  }
  const draw = (): void => {
    const text = line()
    if (text === '' || text === shown) return
    drawnAt = now()
    // Only one line can be cleared again.
    if (isTerminal) stderr.write(`${CLEAR_LINE}${truncate(text, (stderr.columns ?? DEFAULT_COLUMNS) - 1)}`)
    else stderr.write(`${text}\n`)
    shown = text
  }
  const keepDrawing = (): void => {
    if (timer) return
    timer = setInterval(() => {
      if (now() - drawnAt >= (isTerminal ? REDRAW_MS : LINE_MS)) draw()
    }, REDRAW_MS)
    timer.unref()
  }
  return {
    show: (text) => {
      if (text === label) return
      label = text
      labelAt = now()
      counted = undefined
      if (isTerminal) draw()
      keepDrawing()
    },
    count: (done, total, unit) => {
      // Counted from the start again: another part of the work.
      const isSame = counted !== undefined && counted.unit === unit && done >= counted.done
      counted = { done, total, unit, since: isSame && counted ? counted.since : now() }
      keepDrawing()
    },
    end: () => {
      clearInterval(timer)
      timer = undefined
      if (isTerminal && shown !== '') stderr.write(CLEAR_LINE)
      shown = ''
      label = ''
      counted = undefined
    },
  }
}

/** Shows one line while the work runs. */
export const whileShowing = async <T>(text: string, { progress }: { readonly progress: Progress }, work: () => Promise<T>): Promise<T> => {
  progress.show(text)
  try {
    return await work()
  } finally {
    progress.end()
  }
}

/** Ctrl-C aborts the signal instead of ending the program; `stopping` says so. The line is taken away at the end. */
export const untilInterrupted = async <T>(
  stopping: string,
  { world, progress }: { readonly world: World; readonly progress: Progress },
  work: (stop: AbortController) => Promise<T>,
): Promise<T> => {
  const stop = new AbortController()
  const unlisten = world.onInterrupt(() => {
    progress.show(stopping)
    stop.abort()
  })
  try {
    return await work(stop)
  } finally {
    progress.end()
    unlisten()
  }
}
