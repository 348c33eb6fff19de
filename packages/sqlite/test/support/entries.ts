/** Texts and outcomes in short. */

import type { Result, StorageBackend } from '@hermes/core'
import { readDocument } from '@hermes/core/storage'

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

export const unwrap = <T>(result: Result<T>): T => {
  if (result.ok) return result.value
  throw result.error
}

export const textAt = async (storage: StorageBackend, path: string): Promise<string | undefined> => {
  const document = unwrap(await readDocument(storage, path))
  return document && new TextDecoder().decode(document.bytes)
}

/** The error of a call that failed; throws if it did not. */
export const errorOf = (result: Result<unknown>): { readonly code: string; readonly message: string } => {
  if (!result.ok) return result.error
  throw new Error('The call did not fail.')
}
