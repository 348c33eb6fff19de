/** The adapter conformance suite for the ways of calling that `each-entry.test.ts` leaves out, with @langchain/core 1. */
import { adapterConformance } from '@hermes/core/testing'
import { streamedAgent } from '../support/agent-hosts.ts'
import { LCEL_HOSTS, lcelCapabilities, lcelHost } from '../support/lcel-hosts.ts'
import { LEGACY_HOSTS, legacyCapabilities, legacyHost } from '../support/legacy-hosts.ts'

for (const kind of LEGACY_HOSTS.filter((each) => each !== 'LLMChain, a variable of its own'))
  adapterConformance(`HermesMemory: ${kind}`, legacyHost(kind), legacyCapabilities)

for (const way of LCEL_HOSTS.filter((each) => each !== 'stream'))
  adapterConformance(`withHermes: ${way}`, lcelHost(way), lcelCapabilities(way))

adapterConformance('hermesMiddleware: createAgent.stream with a checkpointer', streamedAgent)
