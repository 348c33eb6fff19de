/** Every way into the AI SDK, in each supported major, keeps every promise of an adapter. */
import { adapterConformance } from '@hermes/core/testing'
import { createHostFor, ENTRY_POINTS } from './support/hosts.ts'
import { MAJORS } from './support/majors.ts'

for (const major of MAJORS) {
  for (const entry of ENTRY_POINTS) {
    adapterConformance(`${major.name}, ${entry}`, createHostFor(major, entry), {
      streaming: entry.endsWith('tream') || entry === 'streamText',
    })
  }
}
