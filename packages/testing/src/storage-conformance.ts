/** The conformance suite for storage back ends: run it against your own in a vitest file (DESIGN 4). */
import { describe } from 'vitest'
import { closeCases, pathCases } from './storage-conformance/calls.ts'
import { cutCases, stampCases } from './storage-conformance/cuts.ts'
import { documentCases, listCases, moveCases } from './storage-conformance/documents.ts'
import { planCases } from './storage-conformance/plans.ts'
import type { CreateStorageHarness, StorageCapabilities } from './storage-conformance/storage-test.ts'
import { concurrencyCases, killCases } from './storage-conformance/writers.ts'

/**
 * Defines the suite under `name`; call it in a vitest file. `create` makes an empty tree for each test. Differences between back ends are declared in
 * `capabilities`, never detected: `processes: false` leaves out the cases with child processes.
 */
export const storageConformance = (name: string, create: CreateStorageHarness, capabilities: StorageCapabilities = {}): void => {
  const all = { processes: true, extent: 'whole' as const, kills: 30, writers: 8, updates: 50, ...capabilities }
  describe(`storage conformance: ${name}`, () => {
    planCases(create, all)
    cutCases(create, all)
    documentCases(create, all)
    listCases(create, all)
    stampCases(create, all)
    moveCases(create, all)
    pathCases(create, all)
    concurrencyCases(create, all)
    if (all.processes && all.extent === 'whole') killCases(create, all)
    closeCases(create, all)
  })
}
