/**
 * Measures how many stated facts are known in the next session, how many are stale or lost, and the cost of learning. The reviewer is scripted and competent, so this
 * measures the library, not a model; `hermes eval` plays the same scenarios with a real model. `HERMES_BENCH_CLASS`: part of the name of a kind of scenarios.
 * `HERMES_BENCH_JSON`: file to which all outcomes are written.
 */
import { writeFileSync } from 'node:fs'
import { SCENARIOS } from '../packages/cli/src/commands/eval/scenario.ts'
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
