/** Code that is loaded when it is first used. */
import { HermesError } from './hermes-error.ts'
import { err, type Result } from './result.ts'

/**
 * What `use` answers. `what`: the subject of a sentence. `io` where the code cannot be loaded, as when a deployment replaced it under a running process; the
 * next call tries again.
 */
export const withLate = async <Code, T>(
  what: string,
  load: () => Promise<Code>,
  use: (code: Code) => Promise<Result<T>>,
): Promise<Result<T>> => {
  let code: Code
  try {
    code = await load()
  } catch (cause) {
    const message = `${what} could not be loaded: ${String(cause)}. Check that all files of @hermes/core are deployed, then restart the process.`
    return err(new HermesError('io', message, { cause }))
  }
  return use(code)
}
