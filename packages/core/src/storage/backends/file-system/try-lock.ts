/** A held lock file, of either kind. */
export interface HeldLock {
  /** Called before a write takes effect: a holder that was suspended for long may have lost its lock. */
  readonly isHeld: () => Promise<boolean>
  readonly release: () => Promise<void>
}

/** Called while another process holds the lock; waits, then says whether to try again. */
export type MayRetry = () => Promise<boolean>

/** For one try without waiting. */
export const neverRetry: MayRetry = async () => false

/**
 * `undefined` if another process holds the lock and `mayRetry` says no, as it does by default. `onTaken`: called as soon as the lock looks
 * taken, before that is certain, so perhaps several times or never. Throws the system's errors.
 */
export type TryLock = (file: string, mayRetry?: MayRetry, onTaken?: () => void) => Promise<HeldLock | undefined>
