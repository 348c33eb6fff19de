/** A held lock file, of either kind. */
export interface HeldLock {
  /** Called before a write takes effect: a holder that was suspended for long may have lost its lock. */
  readonly isHeld: () => Promise<boolean>
  readonly release: () => Promise<void>
}

/** Tries once without waiting; `undefined` while another process holds the lock. Throws the system's errors. */
export type TryLock = (file: string) => Promise<HeldLock | undefined>
