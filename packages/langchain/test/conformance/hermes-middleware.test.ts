/** The adapter conformance suite for `hermesMiddleware` of an agent, with @langchain/core 1. */
import { adapterConformance } from '@hermes/core/testing'
import { SECOND_EXTENT } from '../../../../scripts/support/rounds.ts'
import { invokedAgent } from '../support/agent-hosts.ts'

adapterConformance('hermesMiddleware: createAgent.invoke', invokedAgent, { streaming: false, extent: SECOND_EXTENT })
