/** The adapter conformance suite for each entry point of each major, but for those of `ai-6.test.ts`. */
import { firstOf, SECOND_EXTENT } from '../../../../scripts/support/rounds.ts'
import { conformanceOf, majorConformance } from '../support/conformance.ts'
import { ENTRY_POINTS } from '../support/hosts.ts'

const major = majorConformance('ai 7', { extent: 'whole' })

// ai 7 accepts models of the older specifications and puts a translation between our wrapper and the model.
for (const specification of firstOf(['v2', 'v3'] as const))
  conformanceOf(`ai 7 with a ${specification} model, streamText`, { ...major, specification }, 'streamText', SECOND_EXTENT)

majorConformance('ai 5')

majorConformance('ai 6', { entries: ENTRY_POINTS.filter((each) => each !== 'streamText' && each !== 'agent.stream') })
