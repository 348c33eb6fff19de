/** Gives each test a new tree and always cleans up after it, and defines the helpers of the tests. */
import { expect } from 'vitest'
import type { Result } from '../../shared/result.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { unwrap } from './entry-log.ts'
import type { CreateStorageHarness, StorageHarness } from './storage-harness.ts'

export interface Tree {
  readonly harness: StorageHarness
  readonly storage: StorageBackend
  /** Opens another handle on the same tree. */
  readonly open: () => Promise<StorageBackend>
}

export const withTree = async (create: CreateStorageHarness, run: (tree: Tree) => Promise<void>): Promise<void> => {
  const harness = await create()
  const handles: StorageBackend[] = []
  const open = async () => {
    const handle = await harness.open()
    handles.push(handle)
    return handle
  }
  try {
    await run({ harness, storage: await open(), open })
  } finally {
    for (const handle of handles) await handle.close()
    await harness.dispose()
  }
}

/** How child processes open the tree. Throws if the harness does not say so. */
export const processesOf = ({ processes }: StorageHarness): NonNullable<StorageHarness['processes']> => {
  if (processes) return processes
  throw new Error(
    "The harness has no 'processes'. Add it so that child processes can open the storage, or pass { processes: false } to the suite.",
  )
}

export const codeOf = (result: Result<unknown>): string => (result.ok ? 'ok' : result.error.code)

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

export const write = async (storage: StorageBackend, path: string, text: string): Promise<void> => {
  unwrap(await storage.update(path, () => bytes(text)))
}

export const textAt = async (storage: StorageBackend, path: string): Promise<string | undefined> => {
  const document = unwrap(await storage.read(path))
  return document && new TextDecoder().decode(document.bytes)
}

export const pathsIn = async (storage: StorageBackend, prefix: string): Promise<string[]> =>
  unwrap(await storage.list(prefix)).map(({ path }) => path)

export const expectCode = (result: Result<unknown>, code: string): void => {
  expect(codeOf(result)).toBe(code)
}
