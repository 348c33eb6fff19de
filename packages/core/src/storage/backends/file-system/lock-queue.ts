/** Callers of one process wait for a lock file in the order they came, so only one of them polls the system. */

const tails = new Map<string, Promise<void>>()

/** Resolves to what leaves the queue, or to `undefined` when the time is over first. */
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
  // Those behind still wait for the one before.
  void before.then(leave)
  return undefined
}
