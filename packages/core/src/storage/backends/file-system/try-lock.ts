/** A lock file once taken, of either kind. */
export interface HeldLock {
  /** Asked before a write is put in place: a holder that was stopped for long may have lost its lock to another. */
  readonly isHeld: () => Promise<boolean>
  readonly release: () => Promise<void>
}

/** Tries once, and waits for nobody; `undefined` while another holds the lock. Throws the system's errors. */
export type TryLock = (file: string) => Promise<HeldLock | undefined>
