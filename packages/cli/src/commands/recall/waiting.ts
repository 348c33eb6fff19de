/** What waits for delivery to memory providers, in the home's `provider/` folder. */

import type { StorageBackend } from '@hermes/core'
import { readDocument } from '@hermes/core/storage'

export interface Waiting {
  /** Name of the provider. */
  readonly provider: string
  readonly items: number
  /** Since when the oldest waits; epoch milliseconds. */
  readonly since: number
}

const DOCUMENT = /^provider\/([a-z][a-z0-9_-]*)\.json$/

const readWaiting = async (provider: string, path: string, storage: StorageBackend): Promise<readonly Waiting[]> => {
  const read = await readDocument(storage, path)
  if (!read.ok || !read.value) return []
  try {
    const items: unknown = Reflect.get(Object(JSON.parse(new TextDecoder().decode(read.value.bytes))), 'items')
    if (!Array.isArray(items) || items.length === 0) return []
    return [{ provider, items: items.length, since: Math.min(...items.map((item) => Number(Reflect.get(Object(item), 'at')))) }]
  } catch {
    // The provider sets a corrupt document aside when it is used next, and reports it.
    return []
  }
}

/** Providers for which nothing waits are left out. */
export const listWaiting = async (storage: StorageBackend): Promise<readonly Waiting[]> => {
  const listed = await storage.list('provider')
  if (!listed.ok) return []
  const found = await Promise.all(
    listed.value.map(({ path }) => {
      const [, provider] = DOCUMENT.exec(path) ?? []
      return provider === undefined ? [] : readWaiting(provider, path, storage)
    }),
  )
  return found.flat()
}
