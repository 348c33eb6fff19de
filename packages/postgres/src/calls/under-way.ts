/** The calls that have not ended, so that closing can wait for them. */

export interface UnderWay {
  readonly isClosed: () => boolean
  readonly add: <T>(call: Promise<T>) => Promise<T>
  /** Accepts no further calls, and resolves when the last one has ended. */
  readonly close: () => Promise<void>
}

export const createUnderWay = (): UnderWay => {
  const calls = new Set<Promise<unknown>>()
  let closed = false
  return {
    isClosed: () => closed,
    add: (call) => {
      calls.add(call)
      const leave = () => calls.delete(call)
      call.then(leave, leave)
      return call
    },
    close: async () => {
      closed = true
      await Promise.allSettled(calls)
    },
  }
}
