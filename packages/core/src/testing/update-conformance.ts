/** The conformance suite for back ends that change by transactions: each promise of the port once. */
import { describe } from 'vitest'
import { cutPromises } from './update-conformance/cut-promises.ts'
import { planPromises } from './update-conformance/plan-promises.ts'
import type { CreateUpdateHarness } from './update-conformance/update-harness.ts'

/** Defines the suite under `name`; call it in a vitest file. `create` opens a new, empty tree. */
export const updateConformance = (name: string, create: CreateUpdateHarness): void => {
  describe(name, () => {
    planPromises(create)
    cutPromises(create)
  })
}
