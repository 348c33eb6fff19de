/** The adapter conformance suite for every entry point, with @langchain/core 1. */
import { adapterConformance } from '@hermes/core/testing'
import { invokedAgent, streamedAgent } from '../support/agent-hosts.ts'
import { LCEL_HOSTS, lcelCapabilities, lcelHost } from '../support/lcel-hosts.ts'
import { LEGACY_HOSTS, legacyHost } from '../support/legacy-hosts.ts'

// Legacy chains stream one chunk and run no tools, and their memory sees neither their prompt nor their answer.
for (const kind of LEGACY_HOSTS)
  adapterConformance(`HermesMemory: ${kind}`, legacyHost(kind), { streaming: false, toolLoop: false, recall: false })

for (const way of LCEL_HOSTS) adapterConformance(`withHermes: ${way}`, lcelHost(way), lcelCapabilities(way))

adapterConformance('hermesMiddleware: createAgent.invoke', invokedAgent, { streaming: false })
adapterConformance('hermesMiddleware: createAgent.stream with a checkpointer', streamedAgent)
