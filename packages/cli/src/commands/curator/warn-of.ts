/** Reports errors that did not stop the command as warnings. */
import type { HermesError } from '@hermes/core'
import type { Context } from '../../context.ts'

export const warnOf = (problems: readonly HermesError[], { warn }: Context): void => {
  for (const { message } of problems) warn(message)
}
