/**
 * How many stated facts are known in the next session, how many are stale or lost, and the cost of learning. The reviewer is scripted and competent, so this measures
 * the library, not a model; `hermes eval` plays the same scenarios with a real model. `--kind`: part of the name of a kind of scenarios.
 */
import { parseArgs } from 'node:util'
import { SCENARIOS } from '../packages/cli/src/commands/eval/scenario.ts'
import { checkScenarios } from './learning/check-scenarios.ts'
import { measure } from './learning/measure.ts'
import { compareWithTargets, describeFindings, describeOutcomes } from './learning/report.ts'
import { named } from './options.ts'
import type { Part } from './report.ts'

const facts: Part = async (args) => {
  const { values } = parseArgs({ args: [...args], options: { kind: { type: 'string', default: '' } } })
  const problems = checkScenarios(SCENARIOS)
  if (problems.length > 0) throw new TypeError(`The scenarios of the benchmark are wrong: ${problems.join('; ')}.`)
  const outcomes = await measure(named('kind', values.kind, SCENARIOS, ({ kind }) => kind))
  const findings = values.kind === '' ? compareWithTargets(outcomes) : []
  return {
    blocks: [describeOutcomes(outcomes, findings)],
    ...(findings.length === 0 ? {} : { page: () => describeFindings(findings) }),
    outcomes,
    held: findings.every(({ isMet }) => isMet),
  }
}

export const parts = { facts }
