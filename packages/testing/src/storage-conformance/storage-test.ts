/** What the suite needs of a back end, and the tree that each of its tests gets. */

import type { StorageBackend } from '@hermes/core'
import type { Cut, Plan } from '@hermes/core/storage'
import { expect } from 'vitest'
import type { OpenInChild } from '../child-process.ts'
import { type SuiteExtent, unwrap } from '../suite.ts'

export interface StorageHarness {
  /** Opens the same tree again: another back end on it, as another process would have it. The suite closes it. */
  open(): Promise<StorageBackend>
  /** Removes the tree. Called after all back ends are closed. */
  dispose(): Promise<void>
  /** Opens a back end on the same tree in a child process. Required unless the capability `processes` is false. */
  readonly openInChild?: OpenInChild
}

/** What a back end supports, and how much of the suite runs. Each capability is expected unless it is set to false. */
export interface StorageCapabilities {
  /** Several processes can share the data. */
  readonly processes?: boolean
  readonly extent?: SuiteExtent
  /** How many writers are killed, one after another (default 30). */
  readonly kills?: number
  /** How many back ends, and then processes, write to one document at once (default 8). */
  readonly writers?: number
  /** How many updates each of them makes (default 50). */
  readonly updates?: number
}

/** Makes a new, empty tree. */
export type CreateStorageHarness = () => Promise<StorageHarness>

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export const bytes = (text: string): Uint8Array => encoder.encode(text)

export const textIn = (cut: Cut, path: string): string | undefined => {
  const document = cut.document(path)
  return document && decoder.decode(document.bytes)
}

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
        unwrap(await storage.update(Object.keys(put), () => ({ put, value: undefined })))
      },
      async texts() {
        const other = await open()
        const paths = unwrap(await other.list('')).map(({ path }) => path)
        if (paths.length === 0) return {}
        const cut = unwrap(await other.read(paths))
        return Object.fromEntries(paths.map((path) => [path, textIn(cut, path) ?? '']))
      },
      async paths() {
        return unwrap(await storage.list('')).map(({ path }) => path)
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
