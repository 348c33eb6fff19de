/** The conformance suite for external memory providers: run it against your own in a vitest file. */
import { describe } from 'vitest'
import { faultCases, shapeCases } from './provider-conformance/faults.ts'
import { forgetCases } from './provider-conformance/forget.ts'
import { projectCases } from './provider-conformance/projects.ts'
import type { CreateProviderHarness, ProviderCapabilities } from './provider-conformance/provider-test.ts'
import { ownerCases, recallCases } from './provider-conformance/recall.ts'

/** `create` makes a provider without anything stored, for each test. `capabilities`: what the provider cannot do. */
export const providerConformance = (name: string, create: CreateProviderHarness, capabilities: ProviderCapabilities = {}): void => {
  const { recalls = true, owners = true } = capabilities
  describe(`provider conformance: ${name}`, () => {
    shapeCases(create, capabilities)
    if (recalls) recallCases(create, capabilities)
    if (owners) ownerCases(create, capabilities)
    projectCases(create, capabilities)
    forgetCases(create, capabilities)
    faultCases(create, capabilities)
  })
}
