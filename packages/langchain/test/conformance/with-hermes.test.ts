/** The adapter conformance suite for `withHermes`, with @langchain/core 1. Node 20 runs it too. */
import { adapterConformance } from '@hermes/testing'
import { lcelCapabilities, lcelHost } from '../support/lcel-hosts.ts'

adapterConformance('withHermes: stream', lcelHost('stream'), lcelCapabilities('stream'))
