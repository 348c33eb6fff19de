/** A storage whose n-th call goes wrong. */
import { HermesError, type Result, type StorageBackend } from '@hermes/core'

type CallKind = 'read' | 'list' | 'update'

/** `call` makes the call that it stands for. */
export type Disturb = (kind: CallKind, call: () => Promise<Result<unknown>>) => Promise<Result<unknown>>

const isChange = (kind: CallKind): boolean => kind === 'update'

const failed = (code: 'io' | 'no_space', message: string): Result<never> => ({ ok: false, error: new HermesError(code, message) })

/** Each takes the number of the call or change that goes wrong, from 1. */
export const FAULTS = {
  /** A disk error of one call. */
  EIO: (at: number): Disturb => {
    let calls = 0
    return async (_, call) => (++calls === at ? failed('io', 'EIO: i/o error') : call())
  },
  /** Full from one change on. */
  ENOSPC: (at: number): Disturb => {
    let changes = 0
    return async (kind, call) => (isChange(kind) && ++changes >= at ? failed('no_space', 'ENOSPC: no space left on device') : call())
  },
  /** The change takes effect, and the caller gets an error. */
  'answer lost': (at: number): Disturb => {
    let changes = 0
    return async (kind, call) => {
      if (!isChange(kind) || ++changes !== at) return call()
      const done = await call()
      return done.ok ? failed('io', 'The connection was lost before the answer.') : done
    }
  },
  /** One call takes longer than any time limit of an impatient home, and then succeeds. */
  'slow disk': (at: number): Disturb => {
    let calls = 0
    return async (_, call) => {
      if (++calls === at) await new Promise((resolve) => setTimeout(resolve, SLOW_MS))
      return call()
    }
  },
} as const

export type FaultName = keyof typeof FAULTS

/** Whether a fault counts changes only, not reads and listings. */
export const countsChanges = (fault: FaultName): boolean => fault === 'ENOSPC' || fault === 'answer lost'

const SLOW_MS = 250
/** For `sessions.loadTimeoutMs` of the homes with a slow disk. */
export const IMPATIENT_MS = 100

export interface FaultyBackend extends StorageBackend {
  readonly counts: () => { readonly calls: number; readonly changes: number }
}

export const faultyBackend = (inner: StorageBackend, disturb: Disturb): FaultyBackend => {
  let calls = 0
  let changes = 0
  const through = <T>(kind: CallKind, call: () => Promise<Result<T>>): Promise<Result<T>> => {
    calls++
    if (isChange(kind)) changes++
    return disturb(kind, call) as Promise<Result<T>>
  }
  return {
    counts: () => ({ calls, changes }),
    read: (paths) => through('read', () => inner.read(paths)),
    list: (prefix) => through('list', () => inner.list(prefix)),
    update: (paths, plan, options) => through('update', () => inner.update(paths, plan, options)),
    // A home that is closed does not close the documents, which the next start reads.
    close: async () => {},
  }
}
