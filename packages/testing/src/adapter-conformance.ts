/** The conformance suite for adapters: run it against each entry point of a framework (DESIGN 6). */
import { describe } from 'vitest'
import type { AdapterCapabilities, CreateAdapterHost } from './adapter-conformance/adapter-host.ts'
import { failureCases, streamingCases } from './adapter-conformance/failures.ts'
import { hiddenInterferenceCases } from './adapter-conformance/hidden-interference.ts'
import { interferenceCases } from './adapter-conformance/interference.ts'
import { ownerCases } from './adapter-conformance/owners.ts'
import { recallCases } from './adapter-conformance/recall.ts'
import { endCases, reviewCases } from './adapter-conformance/reviews.ts'
import { skillCases } from './adapter-conformance/skills.ts'
import { snapshotCases } from './adapter-conformance/snapshots.ts'
import { nestedCases, turnCases } from './adapter-conformance/turns.ts'

/**
 * Defines the suite under `name`; call it in a vitest file. `createHost` builds a small application that uses the adapter; the suite plays its model.
 * `capabilities`: set to false what the entry point does not support.
 */
export const adapterConformance = (name: string, createHost: CreateAdapterHost, capabilities: AdapterCapabilities = {}): void => {
  const all = {
    streaming: true,
    toolLoop: true,
    retries: true,
    abort: true,
    window: true,
    recall: true,
    owners: true,
    extent: 'whole' as const,
    ...capabilities,
  }
  describe(name, () => {
    describe('snapshot', () => snapshotCases(createHost, all))
    describe('turns', () => turnCases(createHost, all))
    if (all.toolLoop) describe('nested runs', () => nestedCases(createHost, all))
    describe('review', () => reviewCases(createHost, all))
    describe('the end of a session', () => endCases(createHost, all))
    describe('non-interference', () => {
      interferenceCases(createHost, all)
      hiddenInterferenceCases(createHost, all)
    })
    describe('skills', () => skillCases(createHost, all))
    if (all.recall) describe('recalled text', () => recallCases(createHost, all))
    if (all.owners) describe('owners', () => ownerCases(createHost, all))
    describe('failures', () => failureCases(createHost, all))
    if (all.streaming) describe('streaming', () => streamingCases(createHost))
  })
}
