/** Lets changes of one home wait for each other, so that two tabs cannot decide the same proposal twice. */

export type OneAtATime = <T>(home: string, work: () => Promise<T>) => Promise<T>

export const oneAtATime = (): OneAtATime => {
  const last = new Map<string, Promise<unknown>>()
  return async (home, work) => {
    const running = (last.get(home) ?? Promise.resolve()).then(work)
    const ended = running.catch(() => undefined)
    last.set(home, ended)
    try {
      return await running
    } finally {
      if (last.get(home) === ended) last.delete(home)
    }
  }
}
