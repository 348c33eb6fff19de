/** Texts and outcomes in short. */
import type { Result, StorageBackend } from '@hermes/core'

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

export const unwrap = <T>(result: Result<T>): T => {
  if (result.ok) return result.value
  throw result.error
}

/** Puts a document, or removes it. */
export const put = (
  storage: Pick<StorageBackend, 'update'>,
  path: string,
  content: string | Uint8Array | null,
): Promise<Result<undefined>> =>
  storage.update([path], () => ({ put: { [path]: typeof content === 'string' ? bytes(content) : content }, value: undefined }))

export const append = (storage: Pick<StorageBackend, 'update'>, path: string, text: string): Promise<Result<undefined>> =>
  storage.update([path], () => ({ append: { [path]: bytes(text) }, value: undefined }))

export const move = (storage: Pick<StorageBackend, 'update'>, from: string, to: string): Promise<Result<undefined>> =>
  storage.update([from, `${from}/`, to, `${to}/`], () => ({ move: [[from, to]], value: undefined }))

export const textAt = async (storage: Pick<StorageBackend, 'read'>, path: string): Promise<string | undefined> => {
  const document = unwrap(await storage.read([path])).document(path)
  return document && new TextDecoder().decode(document.bytes)
}

/** The error of a call that failed; throws if it did not. */
export const errorOf = (result: Result<unknown>): { readonly code: string; readonly message: string } => {
  if (!result.ok) return result.error
  throw new Error('The call did not fail.')
}
