/** For programs that are killed in the middle of a change. */
import { moveDocuments } from '../../src/storage/one-document.ts'
import { writeSync } from 'node:fs'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'

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
    update: (paths, plan, options) => announced(`update ${paths}`, () => inner.update(paths, plan, options)),
    move: (from, to) => announced(`move ${from}`, () => moveDocuments(inner, from, to)),
  }
}
