/** The adapter conformance suite for one way of calling each entry of the package, with @langchain/core 1. Node 20 runs it too. */
import { adapterConformance } from '@hermes/core/testing'
import { invokedAgent } from '../support/agent-hosts.ts'
import { lcelCapabilities, lcelHost } from '../support/lcel-hosts.ts'
import { legacyCapabilities, legacyHost } from '../support/legacy-hosts.ts'

adapterConformance('HermesMemory: LLMChain, a variable of its own', legacyHost('LLMChain, a variable of its own'), legacyCapabilities)
adapterConformance('withHermes: stream', lcelHost('stream'), lcelCapabilities('stream'))
adapterConformance('hermesMiddleware: createAgent.invoke', invokedAgent, { streaming: false })
