/** Shortcuts of the suite. */
import type { Result, StorageBackend } from '@hermes/core'
import type { Cut, Plan } from '@hermes/core/storage'
import { expect } from 'vitest'
import { unwrap } from './entry-log.ts'
import type { CreateStorageHarness, StorageHarness } from './storage-harness.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export const bytes = (text: string): Uint8Array => encoder.encode(text)

export const textIn = (cut: Cut, path: string): string | undefined => {
  const document = cut.document(path)
  return document && decoder.decode(document.bytes)
}

/** Returns the value, or throws the error. */
export const must: typeof unwrap = unwrap

export const codeOf = (result: Result<unknown>): string => (result.ok ? 'ok' : result.error.code)

export interface World {
  readonly harness: StorageHarness
  readonly storage: StorageBackend
  /** Another back end on the same tree. */
  open(): Promise<StorageBackend>
  put(documents: Readonly<Record<string, string>>): Promise<void>
  /** The text of each document of the tree, by another back end. */
  texts(): Promise<Readonly<Record<string, string>>>
  /** The paths of all documents, by the first back end. */
  paths(): Promise<readonly string[]>
}

/** Runs a test on an empty tree. */
export const withStorage = (create: CreateStorageHarness, test: (world: World) => Promise<void>) => async (): Promise<void> => {
  const harness = await create()
  const opened: StorageBackend[] = []
  const open = async (): Promise<StorageBackend> => {
    const storage = await harness.open()
    opened.push(storage)
    return storage
  }
  try {
    const storage = await open()
    await test({
      harness,
      storage,
      open,
      async put(documents) {
        const put = Object.fromEntries(Object.entries(documents).map(([path, text]) => [path, bytes(text)]))
        must(await storage.update(Object.keys(put), () => ({ put, value: undefined })))
      },
      async texts() {
        const other = await open()
        const paths = must(await other.list('')).map(({ path }) => path)
        if (paths.length === 0) return {}
        const cut = must(await other.read(paths))
        return Object.fromEntries(paths.map((path) => [path, textIn(cut, path) ?? '']))
      },
      async paths() {
        return must(await storage.list('')).map(({ path }) => path)
      },
    })
  } finally {
    await Promise.all(opened.map((storage) => storage.close()))
    await harness.dispose()
  }
}

/** Expects that a plan is refused by a TypeError with this text, and that nothing changed. */
export const expectWrong = async (world: World, paths: readonly string[], plan: () => Plan<unknown>, message: RegExp): Promise<void> => {
  const before = await world.texts()
  await expect(world.storage.update(paths, plan)).rejects.toThrow(message)
  await expect(world.storage.update(paths, plan)).rejects.toThrow(TypeError)
  expect(await world.texts()).toEqual(before)
}

/** How child processes open the tree. Throws if the harness does not say so. */
export const childOf = ({ openInChild }: StorageHarness): NonNullable<StorageHarness['openInChild']> => {
  if (openInChild) return openInChild
  throw new Error(
    "The harness has no 'openInChild'. Add it so that child processes can open the storage, or pass { processes: false } to the suite.",
  )
}
