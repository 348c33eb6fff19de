/** Checks what JavaScript callers pass as a storage, at once instead of at the first read. */
import type { StorageBackend } from './storage-backend.ts'

const METHODS = ['read', 'update', 'list', 'close'] as const

export const isStorageBackend = (value: unknown): value is StorageBackend =>
  typeof value === 'object' && value !== null && METHODS.every((name) => typeof Reflect.get(value, name) === 'function')

export const STORAGE_EXPECTED = `must be a storage back end, such as fileSystemBackend('~/.hermes') or inMemoryBackend()`

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'an array' : `${typeof value}`)

/** Throws a TypeError that shows what to pass. */
export const checkIsObject = (caller: string, options: unknown): void => {
  if (typeof options === 'object' && options !== null && !Array.isArray(options)) return
  throw new TypeError(
    `${caller}: pass the options as an object, such as { storage: fileSystemBackend('~/.hermes') }, not ${typeOf(options)}.`,
  )
}

/** The options, if their `storage` is a storage back end. Throws a TypeError that shows what to pass. */
export const withStorage = <T extends { readonly storage: StorageBackend }>(caller: string, options: T): T => {
  checkIsObject(caller, options)
  if (!isStorageBackend(options.storage)) throw new TypeError(`${caller}: 'storage' ${STORAGE_EXPECTED}.`)
  return options
}
