/** A storage whose process dies at one of its writes: afterwards no call resolves, and a new process opens what is stored. */

import { HermesError } from '../../src/shared/hermes-error.ts'
import { err, type Result } from '../../src/shared/result.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'

/** Whether the last write still took effect. */
export type DiesWhen = 'before' | 'after'

export const dyingBackend = (inner: StorageBackend, diesAt: number, when: DiesWhen) => {
  let writes = 0
  let isDead = false
  const dead = (): Result<never> => err(new HermesError('io', 'The process is dead.'))

  const attempt = async <T>(write: () => Promise<Result<T>>): Promise<Result<T>> => {
    if (isDead) return dead()
    writes += 1
    isDead = writes === diesAt
    if (!isDead) return write()
    if (when === 'after') await write()
    return dead()
  }

  const storage: StorageBackend = {
    read: async (paths) => (isDead ? dead() : inner.read(paths)),
    list: async (prefix) => (isDead ? dead() : inner.list(prefix)),
    update: (paths, plan, options) => attempt(() => inner.update(paths, plan, options)),
    close: () => inner.close(),
  }
  return { storage, writes: () => writes, isDead: () => isDead }
}
