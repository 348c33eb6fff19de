/** The adapter conformance suite for each way of calling with @langchain/core 1, but for that of `with-hermes.test.ts`. */
import { adapterConformance } from '@hermes/testing'
import { firstOf, SECOND_EXTENT } from '../../../../scripts/support/rounds.ts'
import { invokedAgent, streamedAgent } from '../support/agent-hosts.ts'
import { LCEL_HOSTS, lcelCapabilities, lcelHost } from '../support/lcel-hosts.ts'
import { LEGACY_HOSTS, legacyCapabilities, legacyHost } from '../support/legacy-hosts.ts'

for (const kind of firstOf(LEGACY_HOSTS.filter((each) => each !== 'LLMChain, a variable of its own')))
  adapterConformance(`HermesMemory: ${kind}`, legacyHost(kind), { ...legacyCapabilities(kind), extent: SECOND_EXTENT })

for (const way of firstOf(LCEL_HOSTS.filter((each) => each !== 'stream')))
  adapterConformance(`withHermes: ${way}`, lcelHost(way), { ...lcelCapabilities(way), extent: SECOND_EXTENT })

adapterConformance('hermesMiddleware: createAgent.stream with a checkpointer', streamedAgent, { extent: SECOND_EXTENT })

const KIND = 'LLMChain, a variable of its own'

adapterConformance(`HermesMemory: ${KIND}`, legacyHost(KIND), legacyCapabilities(KIND))

adapterConformance('hermesMiddleware: createAgent.invoke', invokedAgent, { streaming: false })
