/** The adapter conformance suite for `HermesMemory` in a chain, with @langchain/core 1. */
import { adapterConformance } from '@hermes/testing'
import { legacyCapabilities, legacyHost } from '../support/legacy-hosts.ts'

const KIND = 'LLMChain, a variable of its own'

adapterConformance(`HermesMemory: ${KIND}`, legacyHost(KIND), legacyCapabilities(KIND))
