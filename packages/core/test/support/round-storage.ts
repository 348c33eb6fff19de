/** A back end that answers in rounds: every call that is waiting is answered at once, when nothing else is left to run. Counts the rounds, as round trips to a database. */

import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { nameOfUpdate } from './calls.ts'

/** Longer than anything that work does between two calls, on a busy machine too. */
const QUIET_MS = 30

export interface RoundStorage {
  readonly storage: StorageBackend
  /** The calls of each round since the last call of `take()`, such as `read homes/~none/alice/memories/USER.md,owners/~none/alice.json`. */
  take(): readonly (readonly string[])[]
}

export const roundStorage = (inner: StorageBackend): RoundStorage => {
  let waiting: { readonly call: string; readonly answer: () => void }[] = []
  let rounds: (readonly string[])[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  const answerAll = () => {
    const answered = waiting
    waiting = []
    rounds.push(answered.map(({ call }) => call))
    for (const { answer } of answered) answer()
  }
  const inRound = async <T>(call: string, run: () => Promise<T>): Promise<T> => {
    await new Promise<void>((answer) => {
      waiting.push({ call, answer })
      clearTimeout(timer)
      timer = setTimeout(answerAll, QUIET_MS)
    })
    return run()
  }

  return {
    storage: {
      read: (paths) => inRound(`read ${paths}`, () => inner.read(paths)),
      update: (paths, plan, options) => inRound(nameOfUpdate(paths), () => inner.update(paths, plan, options)),
      list: (prefix) => inRound(`list ${prefix}`, () => inner.list(prefix)),
      close: () => inner.close(),
    },
    take() {
      const taken = rounds
      rounds = []
      return taken
    },
  }
}
