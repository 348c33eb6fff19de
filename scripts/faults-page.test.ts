/** docs/faults.md shows what `benchmarks/faults/results.json` holds: every operation with every fault, and all held. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FAULTS } from '../benchmarks/faults/faulty-backend.ts'
import { MOMENTS } from '../benchmarks/faults/kill-trials.ts'
import { SCENARIOS } from '../benchmarks/faults/scenarios.ts'
import { faultSections } from '../benchmarks/report/fault-report.ts'
import { fillSections } from '../benchmarks/report/fill-sections.ts'
import { readResults, sectionsOf } from '../benchmarks/report/write-page.ts'

const results = await readResults()
const { measured, trials } = results.faults
const page = readFileSync(join(import.meta.dirname, '../docs/faults.md'), 'utf8')

it('shows the table of the results', () => {
  expect(fillSections(page, sectionsOf(results).faults)).toBe(page)
})

it('shows every operation with every fault', () => {
  const faults = [
    ...Object.keys(FAULTS),
    ...MOMENTS.map((moment) => `killed ${moment}`),
    'a full file system',
    'connection cut before',
    'connection cut after',
  ]
  const pairs = SCENARIOS.flatMap(({ name }) => faults.map((fault) => `${name}, ${fault}`))
  expect(trials.map(({ scenario, fault }) => `${scenario}, ${fault}`).toSorted()).toEqual(pairs.toSorted())
  expect(trials.filter(({ tried }) => tried < 4)).toEqual([])
  for (const fault of faults) expect(page).toContain(`| ${fault.replace(/^(EIO|ENOSPC)$/, '`$1`')} |`)
})

it('shows faults that all held', () => {
  expect(trials.flatMap(({ wrong }) => wrong)).toEqual([])
})

it('would name what did not hold, and what was not tried', () => {
  const [first, ...others] = trials
  if (!first) throw new TypeError('Nothing was tried.')
  const { faults } = faultSections({ measured, trials: [{ ...first, wrong: ['at 1: a turn is missing'] }, ...others.slice(1)] })
  expect(faults).toContain('**1 did not hold**')
  expect(faults).toContain(`- ${first.scenario}, ${first.fault}, at 1: a turn is missing`)
  expect(faults).toContain('not tried')
})
