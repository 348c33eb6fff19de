/**
 * How much of what people say is known in their next session, how much of it is stale or lost, and what learning costs. The reviewer is scripted and competent, so
 * this measures the library and no model; `hermes eval` plays the same scenarios with a real one. `HERMES_BENCH_CLASS` takes part of the name of a kind of
 * scenarios, `HERMES_BENCH_JSON` the file that all outcomes are written to.
 */
import { writeFileSync } from 'node:fs'
import { SCENARIOS } from '../packages/cli/src/commands/eval/scenarios/all-scenarios.ts'
import { checkScenarios } from './learning/check-scenarios.ts'
import { measure } from './learning/measure.ts'
import { describeOutcomes } from './learning/report.ts'

export const run = async (): Promise<void> => {
  const problems = checkScenarios(SCENARIOS)
  if (problems.length > 0) throw new TypeError(`The scenarios of the benchmark are wrong: ${problems.join('; ')}.`)
  const chosen = process.env['HERMES_BENCH_CLASS'] ?? ''
  const began = performance.now()
  const outcomes = await measure(SCENARIOS.filter(({ kind }) => kind.includes(chosen)))
  console.log(describeOutcomes(outcomes))
  console.log(`\n${outcomes.length} scenarios in ${((performance.now() - began) / 1000).toFixed(1)} s`)
  const file = process.env['HERMES_BENCH_JSON']
  if (file) writeFileSync(file, `${JSON.stringify(outcomes, undefined, 1)}\n`)
}
