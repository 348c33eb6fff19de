/** For programs that are killed in the middle of a change. */

import { writeSync } from 'node:fs'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { nameOfUpdate } from './calls.ts'

/**
 * Prints each change that it is about to make, and begins none after the last one: so a late kill hits the same place as an early one.
 * Default: no last one.
 */
export const announcedChanges = (inner: StorageBackend, changes = Number.POSITIVE_INFINITY): StorageBackend => {
  let left = changes
  const announced = <T>(what: string, call: () => Promise<T>): Promise<T> => {
    // The timer keeps the process running until it is killed.
    if (left-- <= 0) return new Promise(() => setInterval(() => undefined, 1_000))
    writeSync(1, `${what}\n`)
    return call()
  }
  return {
    ...inner,
    update: (paths, plan, options) => announced(nameOfUpdate(paths), () => inner.update(paths, plan, options)),
  }
}
