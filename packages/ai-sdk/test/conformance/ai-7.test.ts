/** Every way into ai 7 keeps every promise of an adapter. */
import { conformanceOf, majorConformance } from '../support/conformance.ts'

const major = majorConformance('ai 7')

// ai 7 takes models of the older specifications and translates for them, between our wrapper and the model.
for (const specification of ['v2', 'v3'] as const)
  conformanceOf(`ai 7 with a ${specification} model, streamText`, { ...major, specification }, 'streamText')
