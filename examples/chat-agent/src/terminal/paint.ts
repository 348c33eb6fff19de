/** Colour, where there is any: none without a terminal, none with NO_COLOR. */
import type { Writable } from 'node:stream'
import { styleText } from 'node:util'

export interface Paint {
  readonly dim: (text: string) => string
  readonly bold: (text: string) => string
  readonly red: (text: string) => string
}

/** Node itself looks at the stream, NO_COLOR and FORCE_COLOR. */
export const createPaint = (stream: Writable): Paint => {
  const style = (format: 'dim' | 'bold' | 'red') => (text: string) => styleText(format, text, { stream })
  return { dim: style('dim'), bold: style('bold'), red: style('red') }
}
