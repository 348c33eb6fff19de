/** Every way into the AI SDK, in each supported major, keeps every promise of an adapter. */
import { adapterConformance } from '@hermes/core/testing'
import { createHostFor, ENTRY_POINTS, type EntryPoint } from './support/hosts.ts'
import { MAJORS, type Major } from './support/majors.ts'

const adapt = (name: string, major: Major, entry: EntryPoint): void =>
  adapterConformance(name, createHostFor(major, entry), { streaming: entry === 'streamText' || entry === 'agent.stream' })

for (const major of MAJORS) {
  for (const entry of ENTRY_POINTS) adapt(`${major.name}, ${entry}`, major, entry)
}

// ai 7 takes models of the older specifications and translates for them, between our wrapper and the model.
for (const specification of ['v2', 'v3'] as const) {
  for (const major of MAJORS.slice(-1))
    adapt(`${major.name} with a ${specification} model, streamText`, { ...major, specification }, 'streamText')
}
