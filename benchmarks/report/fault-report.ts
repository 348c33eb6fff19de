/** Table of the faults that were tried. Pure. */
import type { Trials } from '../faults/try-fault.ts'
import { tableOf } from './fill-sections.ts'
import { describeMeasuring, type MeasuredOn } from './measured-on.ts'

export interface FaultResults {
  readonly measured: MeasuredOn
  readonly trials: readonly Trials[]
}

/** Number of findings that the page shows; the results hold all. */
const SHOWN = 10

const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)]

const cellOf = (trials: Trials | undefined): string => {
  if (trials === undefined) return 'not tried'
  const { tried, of, wrong } = trials
  const count = tried === of ? `${tried}` : `${tried} of ${of}`
  return wrong.length === 0 ? count : `${count}, **${wrong.length} did not hold**`
}

const verdictOf = (trials: readonly Trials[]): string => {
  const tried = trials.reduce((sum, each) => sum + each.tried, 0).toLocaleString('en-US')
  const found = trials.flatMap(({ scenario, fault, wrong }) => wrong.map((each) => `- ${scenario}, ${fault}, ${each}`))
  return [`**${tried} faults tried, ${found.length} did not hold.**`, ...found.slice(0, SHOWN)].join('\n')
}

export const faultSections = ({ measured, trials }: FaultResults): Readonly<Record<string, string>> => {
  const scenarios = distinct(trials.map(({ scenario }) => scenario))
  const rows = distinct(trials.map(({ fault }) => fault)).map((fault) => [
    fault,
    ...scenarios.map((scenario) => cellOf(trials.find((each) => each.scenario === scenario && each.fault === fault))),
  ])
  return { faults: [tableOf(['fault', ...scenarios], rows), verdictOf(trials), describeMeasuring(measured)].join('\n\n') }
}
