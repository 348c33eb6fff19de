/** The conformance suite for storage back ends: run it against your own in a vitest file (DESIGN 4). */
import { describe } from 'vitest'
import { closePromises } from './storage-conformance/close-promises.ts'
import { concurrencyPromises } from './storage-conformance/concurrency-promises.ts'
import { cutPromises } from './storage-conformance/cut-promises.ts'
import { documentPromises } from './storage-conformance/document-promises.ts'
import { killPromises } from './storage-conformance/kill-promises.ts'
import { listPromises } from './storage-conformance/list-promises.ts'
import { movePromises } from './storage-conformance/move-promises.ts'
import { pathPromises } from './storage-conformance/path-promises.ts'
import { planPromises } from './storage-conformance/plan-promises.ts'
import { stampPromises } from './storage-conformance/stamp-promises.ts'
import type { CreateStorageHarness, StorageCapabilities } from './storage-conformance/storage-harness.ts'

/**
 * Defines the suite under `name`; call it in a vitest file. `create` makes an empty tree for each test. Differences between back ends are declared in
 * `capabilities`, never detected: `processes: false` leaves out the cases with child processes.
 */
export const storageConformance = (name: string, create: CreateStorageHarness, capabilities: StorageCapabilities = {}): void => {
  const all = { processes: true, extent: 'whole' as const, kills: 30, writers: 8, updates: 50, ...capabilities }
  describe(`storage conformance: ${name}`, () => {
    planPromises(create, all)
    cutPromises(create, all)
    documentPromises(create, all)
    listPromises(create, all)
    stampPromises(create, all)
    movePromises(create, all)
    pathPromises(create, all)
    concurrencyPromises(create, all)
    if (all.processes && all.extent === 'whole') killPromises(create, all)
    closePromises(create, all)
  })
}
