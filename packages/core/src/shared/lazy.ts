/** Loads code at its first use, with an error in place of a rejection. */
import { HermesError } from './hermes-error.ts'
import { readOnce } from './read-once.ts'
import { err, type Result } from './result.ts'

/**
 * Loads code and returns the result of `use`. `what`: the subject of the error message. Fails with `io` if the code cannot be loaded, for
 * example after a deployment replaced the files of a running process.
 */
export const withLazy = async <Code, T>(
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

/** A function that loads code at its first call and keeps it. After a failure, the next call tries again. */
export const loadOnce = <Code>(load: () => Promise<Code>): (() => Promise<Code>) => {
  const loading = readOnce(load)
  return () =>
    loading.read().catch((cause: unknown) => {
      loading.forget()
      throw cause
    })
}

/** The names of the methods that resolve to a result. */
type VerbOf<T> = { [Name in keyof T]: T[Name] extends (...given: never[]) => Promise<Result<unknown>> ? Name : never }[keyof T]

/** The named methods of an object, which is loaded when one of them is first called. `what` as for `withLazy`. */
export const lazyVerbs = <T extends object, Name extends VerbOf<T>>(
  what: string,
  load: () => Promise<T>,
  ...names: readonly Name[]
): Pick<T, Name> => {
  const once = loadOnce(load)
  const call = (name: Name, given: readonly unknown[]) =>
    withLazy(what, once, (loaded): Promise<Result<unknown>> => {
      const verb: unknown = Reflect.get(loaded, name)
      return (verb as (...given: readonly unknown[]) => Promise<Result<unknown>>).apply(loaded, [...given])
    })
  return Object.fromEntries(names.map((name) => [name, (...given: readonly unknown[]) => call(name, given)])) as Pick<T, Name>
}
