/** The conformance suite for external memory providers: run it against your own in a vitest file. */
import { describe } from 'vitest'
import { faultPromises } from './provider-conformance/fault-promises.ts'
import { forgetPromises } from './provider-conformance/forget-promises.ts'
import { ownerPromises } from './provider-conformance/owner-promises.ts'
import type { CreateProviderHarness, ProviderCapabilities } from './provider-conformance/provider-harness.ts'
import { recallPromises } from './provider-conformance/recall-promises.ts'
import { shapePromises } from './provider-conformance/shape-promises.ts'

/** `create` makes a provider without anything stored, for each test. `capabilities`: what the provider cannot do. */
export const providerConformance = (name: string, create: CreateProviderHarness, capabilities: ProviderCapabilities = {}): void => {
  const { recalls = true, owners = true } = capabilities
  describe(`provider conformance: ${name}`, () => {
    shapePromises(create, capabilities)
    if (recalls) recallPromises(create, capabilities)
    if (owners) ownerPromises(create, capabilities)
    forgetPromises(create, capabilities)
    faultPromises(create, capabilities)
  })
}
