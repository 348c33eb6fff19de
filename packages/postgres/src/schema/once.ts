/** Work that is done once; if it fails, the next call does it again. Calls at the same time share it. */
export const createOnce = <Argument>(work: (argument: Argument) => Promise<void>): ((argument: Argument) => Promise<void>) => {
  let done: Promise<void> | undefined
  return (argument) => {
    done ??= work(argument).catch((cause: unknown) => {
      done = undefined
      throw cause
    })
    return done
  }
}
