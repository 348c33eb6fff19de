/** The adapter conformance suite for one function and one method of the agent with ai 6, one of them streaming. Node 20 runs it too. */
import { majorConformance } from '../support/conformance.ts'

majorConformance('ai 6', ['generateText', 'agent.stream'])
