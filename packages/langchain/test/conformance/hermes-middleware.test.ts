/** The adapter conformance suite for `hermesMiddleware` of an agent, with @langchain/core 1. */
import { adapterConformance } from '@hermes/testing'
import { invokedAgent } from '../support/agent-hosts.ts'

adapterConformance('hermesMiddleware: createAgent.invoke', invokedAgent, { streaming: false })
