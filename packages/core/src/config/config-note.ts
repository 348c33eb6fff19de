/** Describes a problem or a setting without effect in `config.yaml`. */
import { HermesError } from '../shared/hermes-error.ts'

export interface ConfigNote {
  /** Counted from 1. */
  readonly line: number
  /** As in the file, such as `memory.nudge_interval`. */
  readonly key: string
  readonly message: string
}

/** Returns the end of a sentence: `is the text "10"; write it without quotes`. */
export const describeValue = (value: unknown): string => {
  if (value === undefined) return 'refers to nothing'
  if (value === null) return 'is empty'
  if (typeof value === 'string') {
    const isQuotedData = /^(?:true|false|yes|no|on|off|-?\d+)$/i.test(value)
    return `is the text "${value.slice(0, 40)}"${isQuotedData ? '; write it without quotes' : ''}`
  }
  if (typeof value !== 'object') return `is ${String(value)}`
  return Array.isArray(value) ? 'is a list' : value instanceof Date ? 'is a date' : 'is a mapping'
}

/** One `invalid` error for all problems, which must be in the order of the file. */
export const refuseConfig = (problems: readonly ConfigNote[]): HermesError => {
  const [first, ...more] = problems
  const others =
    more.length === 0 ? '' : ` ${more.length} more in line${more.length > 1 ? 's' : ''} ${more.map(({ line }) => line).join(', ')}.`
  return new HermesError(
    'invalid',
    `config.yaml, line ${first?.line}: '${first?.key}' ${first?.message}. Correct it, or remove it to use the default.${others}`,
    { details: { path: 'config.yaml', problems } },
  )
}
