/** How long a call waits: attempts with growing pauses until its time is up. */
import { HermesError } from '@hermes/core'
import { judgeFailure } from './judge-failure.ts'

const FIRST_PAUSE_MS = 10
const LONGEST_PAUSE_MS = 1_000
const YIELD_MS = 25
const SHARE_OF_SERVER = 0.9

export interface Patience {
  /** Milliseconds left. */
  readonly left: () => number
  /** What a single statement may take on the server, in whole milliseconds: a little less, so that its answer still comes in time. */
  readonly forServer: () => number
  /** Rejects with an `io` error if `work` does not settle in time; `work` itself goes on. */
  readonly limit: <T>(work: Promise<T>) => Promise<T>
  /** Waits for a server in trouble, longer each time. Resolves to false, at once, if there is no time for another attempt. */
  readonly pause: () => Promise<boolean>
  /** The same after a lost race: shorter, so that whoever lost may win the next one. */
  readonly yieldToOthers: () => Promise<boolean>
}

export interface PatienceOptions {
  readonly timeoutMs: number
  /** From 0 to 1, so that writers do not repeat in step. */
  readonly random: () => number
}

export const createPatience = ({ timeoutMs, random }: PatienceOptions): Patience => {
  const end = performance.now() + timeoutMs
  let pauses = 0
  const left = () => end - performance.now()

  const limit = <T>(work: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const message = `The database did not answer within ${timeoutMs} ms. Check the server and the network, or raise timeoutMs; it is unknown whether a write under way was stored.`
      const timer = setTimeout(() => reject(new HermesError('io', message, { details: { timedOut: true } })), Math.max(0, left()))
      work.then(resolve, reject).finally(() => clearTimeout(timer))
    })

  const waitUpTo = async (longest: number): Promise<boolean> => {
    const ms = longest * (0.5 + random() / 2)
    if (ms + timeoutMs * (1 - SHARE_OF_SERVER) >= left()) return false
    await new Promise((resolve) => setTimeout(resolve, ms))
    return true
  }
  const pause = () => waitUpTo(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(pauses++, 10)))
  const yieldToOthers = () => waitUpTo(YIELD_MS * random())
  const forServer = () => Math.max(1, Math.floor(left() * SHARE_OF_SERVER))
  return { left, forServer, limit, pause, yieldToOthers }
}

const isTimeUp = ({ details }: HermesError): boolean => details['timedOut'] === true

/** For work that may be repeated, such as reading: repeats it unless its failure is final. */
export const retrying = async <T>(patience: Patience, work: () => Promise<T>): Promise<T> => {
  let earlier: HermesError | undefined
  for (;;) {
    try {
      return await patience.limit(work())
    } catch (cause) {
      const { kind, error } = judgeFailure(cause)
      // What went wrong before says more than that the time is up.
      if (isTimeUp(error)) throw earlier ?? error
      if (kind === 'no_tables' || kind === 'final' || !(await patience.pause())) throw error
      earlier = error
    }
  }
}
