/** Progress on one line of stderr; nothing if stderr is not a terminal. */
import type { World } from '../world.ts'
import { oneLine } from './clean-text.ts'
import { truncate } from './text-width.ts'

export interface Progress {
  readonly show: (text: string) => void
  /** Clears the line. */
  readonly end: () => void
}

const DEFAULT_COLUMNS = 80

const CLEAR_LINE = '\r\u001b[K'

export const createProgress = ({ stderr, env }: Pick<World, 'stderr' | 'env'>, isJson: boolean): Progress => {
  // A terminal without cursor movement would show the control codes.
  if (stderr.isTTY !== true || isJson || env['TERM'] === 'dumb') return { show: () => {}, end: () => {} }
  let shown = ''
  return {
    show: (text) => {
      if (text === shown) return
      shown = text
      // Only one line can be cleared again.
      stderr.write(`${CLEAR_LINE}${truncate(oneLine(text), (stderr.columns ?? DEFAULT_COLUMNS) - 1)}`)
    },
    end: () => {
      if (shown !== '') stderr.write(CLEAR_LINE)
      shown = ''
    },
  }
}

/** Shows one line while the work runs. */
export const whileShowing = async <T>(
  text: string,
  { world, isJson }: { readonly world: World; readonly isJson: boolean },
  work: () => Promise<T>,
): Promise<T> => {
  const progress = createProgress(world, isJson)
  progress.show(text)
  try {
    return await work()
  } finally {
    progress.end()
  }
}
