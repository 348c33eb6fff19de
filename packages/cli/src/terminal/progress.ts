/** One line on stderr that tells how far something is; nothing where nobody looks. */
import type { World } from '../world.ts'

export interface Progress {
  readonly show: (text: string) => void
  /** Takes the line away. */
  readonly end: () => void
}

const CLEAR_LINE = '\r\u001b[K'

export const createProgress = ({ stderr }: World, isJson: boolean): Progress => {
  if (stderr.isTTY !== true || isJson) return { show: () => {}, end: () => {} }
  let shown = ''
  return {
    show: (text) => {
      if (text === shown) return
      shown = text
      stderr.write(`${CLEAR_LINE}${text}`)
    },
    end: () => {
      if (shown !== '') stderr.write(CLEAR_LINE)
      shown = ''
    },
  }
}

/** Shows one line for as long as the work takes. */
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
