import { adapterConformance, type SuiteExtent } from '@hermes/testing'
import { firstOf, SECOND_EXTENT } from '../../../../scripts/support/rounds.ts'
import { createHostFor, ENTRY_POINTS, type EntryPoint } from './hosts.ts'
import { MAJORS, type Major } from './majors.ts'

/** Runs the conformance suite for one entry point with one major. */
export const conformanceOf = (name: string, major: Major, entry: EntryPoint, extent: SuiteExtent): void =>
  adapterConformance(name, createHostFor(major, entry), { streaming: entry === 'streamText' || entry === 'agent.stream', extent })

/** Runs the conformance suite for the entry points, all by default, with one major; `extent`: that for `streamText`. In the short run, two. Returns the major. */
export const majorConformance = (
  name: string,
  { entries = ENTRY_POINTS, extent = SECOND_EXTENT }: { readonly entries?: readonly EntryPoint[]; readonly extent?: SuiteExtent } = {},
): Major => {
  const major = MAJORS.find((each) => each.name === name)
  if (!major) throw new Error(`There is no major called ${name}.`)
  for (const entry of firstOf(entries, 2)) conformanceOf(`${name}, ${entry}`, major, entry, entry === 'streamText' ? extent : SECOND_EXTENT)
  return major
}
