/** The adapter conformance suite for the entry points that `ai-6.test.ts` leaves out, with ai 6. */

import { majorConformance } from '../support/conformance.ts'
import { ENTRY_POINTS } from '../support/hosts.ts'

majorConformance('ai 6', { entries: ENTRY_POINTS.filter((each) => each !== 'streamText' && each !== 'agent.stream') })
