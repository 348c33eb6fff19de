/** The adapter conformance suite for one function and one method of the agent with ai 6. Node 20 runs it too. */
import { majorConformance } from '../support/conformance.ts'

majorConformance('ai 6', { entries: ['streamText', 'agent.stream'] })
