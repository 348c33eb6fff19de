/** Documents as lists of entries, so that each write can be counted. */
import type { Result, StorageBackend } from '@hermes/core'

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

export const unwrap = <T>(result: Result<T>): T => {
  if (result.ok) return result.value
  throw result.error
}

/** Puts or removes one document, which is read first. */
const change = (
  storage: Pick<StorageBackend, 'update'>,
  path: string,
  next: (current: string | undefined) => string | null,
): Promise<Result<string | null>> =>
  storage.update([path], (cut) => {
    const current = cut.document(path)
    const text = next(current && new TextDecoder().decode(current.bytes))
    return { put: { [path]: text === null ? null : bytes(text) }, value: text }
  })

export const put = (storage: Pick<StorageBackend, 'update'>, path: string, text: string | null): Promise<Result<string | null>> =>
  change(storage, path, () => text)

/** Adds an entry to what it has read. */
export const addEntry = (storage: Pick<StorageBackend, 'update'>, path: string, entry: string): Promise<Result<string | null>> =>
  change(storage, path, (current) => (current === undefined ? entry : `${current}\n${entry}`))

/** Appends an entry to what it has not read. */
export const appendEntry = (storage: Pick<StorageBackend, 'update'>, path: string, entry: string): Promise<Result<undefined>> =>
  storage.update([path], () => ({ append: { [path]: bytes(`\n${entry}`) }, value: undefined }))

export const move = (storage: Pick<StorageBackend, 'update'>, from: string, to: string): Promise<Result<undefined>> =>
  storage.update([from, `${from}/`, to, `${to}/`], () => ({ move: [[from, to]], value: undefined }))

export const textAt = async (storage: Pick<StorageBackend, 'read'>, path: string): Promise<string | undefined> => {
  const document = unwrap(await storage.read([path])).document(path)
  return document && new TextDecoder().decode(document.bytes)
}

export const entriesAt = async (storage: Pick<StorageBackend, 'read'>, path: string): Promise<readonly string[]> =>
  (await textAt(storage, path))?.split('\n') ?? []

export const pathsIn = async (storage: Pick<StorageBackend, 'list'>, prefix = ''): Promise<readonly string[]> =>
  unwrap(await storage.list(prefix)).map(({ path }) => path)

export const codeOf = (result: Result<unknown>): string => (result.ok ? 'ok' : result.error.code)
