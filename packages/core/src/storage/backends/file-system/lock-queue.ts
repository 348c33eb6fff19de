/** Callers of one process wait for a lock file in order of arrival, so that only one of them polls the file system. */

const tails = new Map<string, Promise<void>>()

/** Whether a caller of this process holds the file or waits for it. */
export const isQueued = (file: string): boolean => tails.has(file)

/** Resolves to a function that leaves the queue, or to `undefined` on timeout. */
export const enterLockQueue = async (file: string, timeoutMs: number): Promise<(() => void) | undefined> => {
  const before = tails.get(file)
  let resolve: () => void = () => undefined
  const mine = new Promise<void>((done) => {
    resolve = done
  })
  tails.set(file, mine)
  const leave = () => {
    if (tails.get(file) === mine) tails.delete(file)
    resolve()
  }
  if (!before) return leave
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeUp = new Promise<true>((tell) => {
    timer = setTimeout(() => tell(true), timeoutMs)
  })
  const late = await Promise.race([before.then(() => false), timeUp])
  clearTimeout(timer)
  if (!late) return leave
  // Later callers still wait for the earlier one.
  void before.then(leave)
  return undefined
}
