/** What a process holds: its heap after a collection, its memory, and what it has open. */

import { readdirSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { StorageBackend } from '@hermes/core'
import { readDocument } from '@hermes/core/storage'
import { unwrap } from '../faults/scenarios.ts'

export interface OpenHandles {
  /** Handles and requests that keep the process alive, by kind. */
  readonly resources: Readonly<Record<string, number>>
  /** Open file descriptors; 0 where the system does not list them. */
  readonly descriptors: number
}

export interface Memory {
  readonly heapBytes: number
  /** Of buffers and other memory outside the heap that objects in it hold. */
  readonly externalBytes: number
  readonly rssBytes: number
}

const PAUSE_MS = 20

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

// A process that was started without `--expose-gc` gets the collector here.
const findCollector = (): (() => void) => {
  if (globalThis.gc) return () => void globalThis.gc?.()
  setFlagsFromString('--expose_gc')
  return runInNewContext('gc')
}
/** Collects what is not in use. */
export const collect = findCollector()

/** Collects twice: what is released by finalizers goes with the second collection. */
export const measureMemory = async (): Promise<Memory> => {
  collect()
  await pause(1)
  collect()
  const { heapUsed, external, rss } = process.memoryUsage()
  return { heapBytes: heapUsed, externalBytes: external, rssBytes: rss }
}

const countDescriptors = (): number => {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return 0
  }
}

export const countHandles = (): OpenHandles => {
  const resources: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1
  return { resources, descriptors: countDescriptors() }
}

/** The kinds of which `after` has more than `before`, in words. */
export const findMoreHandles = (before: OpenHandles, after: OpenHandles): readonly string[] => {
  const more = Object.entries(after.resources).flatMap(([kind, count]) => {
    const had = before.resources[kind] ?? 0
    return count > had ? [`${count} ${kind}, not ${had}`] : []
  })
  return after.descriptors > before.descriptors ? [...more, `${after.descriptors} file descriptors, not ${before.descriptors}`] : more
}

/** Handles close in a later round of the event loop: waits up to `limitMs` until there are no more than `before`. Without `before`, waits a moment. */
export const settleHandles = async (before: OpenHandles | undefined, limitMs: number): Promise<OpenHandles> => {
  for (let waited = 0; ; waited += PAUSE_MS) {
    await pause(PAUSE_MS)
    const now = countHandles()
    if (waited >= limitMs || !before || findMoreHandles(before, now).length === 0) return now
  }
}

export interface Stored {
  /** Of all documents. */
  readonly bytes: number
  /** The records of the sessions, one after another. */
  readonly sessions: string
}

export const readStored = async (storage: StorageBackend): Promise<Stored> => {
  const sessions: string[] = []
  let bytes = 0
  for (const { path } of unwrap(await storage.list(''))) {
    const document = unwrap(await readDocument(storage, path))
    bytes += document?.bytes.length ?? 0
    if (document && path.startsWith('sessions/')) sessions.push(new TextDecoder().decode(document.bytes))
  }
  return { bytes, sessions: sessions.join('\n') }
}
