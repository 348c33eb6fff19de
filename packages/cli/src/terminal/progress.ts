/**
 * Progress on stderr, of every command that takes more than a second: on a terminal one line that is taken away again, elsewhere a line
 * every few seconds, for programs nothing.
 */
import type { World } from '../world.ts'
import { oneLine } from './clean-text.ts'
import { truncate } from './text-width.ts'
import { type Work, workLine } from './work-line.ts'

export interface Progress {
  /** Says at once what is being done. Another text forgets what was counted. */
  readonly show: (text: string) => void
  /** How much of it is done. `unit`: what is counted; omitted, the label says it. */
  readonly count: (done: number, total?: number, unit?: string) => void
  /** The same for work that no command speaks of, such as reading files: shown only if it takes long and nothing else is counted. */
  readonly countQuietly: (done: number, total: number | undefined, unit: string) => void
  /** Takes the line away. Work that goes on shows it again. */
  readonly end: () => void
}

const DEFAULT_COLUMNS = 80
const CLEAR_LINE = '\r\u001b[K'

/** Milliseconds between two states of the line on a terminal. */
const REDRAW_MS = 200
/** Milliseconds between two lines elsewhere. */
const LINE_MS = 10_000
/** Milliseconds until work that no command speaks of is shown. */
const QUIET_MS = 1_000

const SILENT: Progress = { show: () => {}, count: () => {}, countQuietly: () => {}, end: () => {} }

/** Changed in place, since it changes with every file. */
interface State {
  label: string
  labelAt: number
  unit: string
  done: number
  total: number | undefined
  countedAt: number
  isQuiet: boolean
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
  const startedAt = now()
  const nothing = (label: string): State => ({
    label,
    labelAt: now(),
    unit: '',
    done: 0,
    total: undefined,
    countedAt: now(),
    isQuiet: true,
  })
  let state = nothing('')
  let shown = ''
  let drawnAt = isTerminal ? Number.NEGATIVE_INFINITY : startedAt
  let timer: ReturnType<typeof setInterval> | undefined

  const line = (): string => {
    const isEarly = state.isQuiet && now() - startedAt < QUIET_MS
    const work: Work = { ...state, countedMs: now() - state.countedAt, labelMs: now() - state.labelAt }
    return oneLine(workLine(isEarly ? { ...work, done: 0, total: undefined } : work))
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
  const drawIfDue = (): void => {
    if (now() - drawnAt >= (isTerminal ? REDRAW_MS : LINE_MS)) draw()
  }
  const keepDrawing = (): void => {
    if (timer) return
    timer = setInterval(drawIfDue, REDRAW_MS)
    timer.unref()
  }
  const set = (done: number, total: number | undefined, unit: string, isQuiet: boolean): void => {
    // Counted from the start again: another part of the work.
    if (done < state.done || unit !== state.unit || isQuiet !== state.isQuiet) state.countedAt = now()
    state.done = done
    state.total = total
    state.unit = unit
    state.isQuiet = isQuiet
    keepDrawing()
  }
  return {
    show: (text) => {
      if (text === state.label) return
      state = nothing(text)
      if (isTerminal) draw()
      keepDrawing()
    },
    count: (done, total, unit = '') => set(done, total, unit, false),
    countQuietly: (done, total, unit) => {
      if (state.isQuiet) set(done, total, unit, true)
    },
    end: () => {
      clearInterval(timer)
      timer = undefined
      if (isTerminal && shown !== '') stderr.write(CLEAR_LINE)
      shown = ''
      state = nothing('')
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
