/** A small run of `bench faults`, and that it notices a storage that does not keep its promises. */
import { describe, expect, it } from 'vitest'
import { findInBroken } from '../benchmarks/faults/broken-storages.ts'
import type { FaultName } from '../benchmarks/faults/faulty-backend.ts'
import { tryInMemory } from '../benchmarks/faults/in-memory-trials.ts'
import { tryKills } from '../benchmarks/faults/kill-trials.ts'
import { SCENARIOS, type Scenario } from '../benchmarks/faults/scenarios.ts'
import { spread } from '../benchmarks/faults/try-fault.ts'
import { firstOf, IS_LONG_RUN } from './support/rounds.ts'

const scenario = (name: string): Scenario => {
  const found = SCENARIOS.find((each) => each.name === name)
  if (!found) throw new Error(`There is no scenario '${name}'.`)
  return found
}

describe.each(SCENARIOS.map((each) => [each.name, each] as const))('%s', (_name, each) => {
  it.each(firstOf<FaultName>(['EIO', 'ENOSPC', 'answer lost']))('holds with %s', async (fault) => {
    const { tried, wrong } = await tryInMemory(each, fault, 6)
    expect(wrong).toEqual([])
    // A verb may be one update.
    expect(tried).toBeGreaterThan(0)
  })
})

it('holds with a slow disk', async () => {
  expect(await tryInMemory(scenario("a turn's save"), 'slow disk', 3)).toMatchObject({ tried: 3, wrong: [] })
})

if (IS_LONG_RUN)
  it.each(['a memory write', 'a rollback'])('%s holds if its process is killed', async (name) => {
    // Each is one update.
    expect(await tryKills(scenario(name), 'in a change', 2)).toMatchObject({ tried: 1, of: 1, wrong: [] })
  })

it('notices a storage that acknowledges what it does not write', async () => {
  const found = await findInBroken(scenario('a memory write'), 'acknowledges what it does not write')
  expect(found).toContain('an acknowledged entry of memory is not there once')
})

it('notices a storage that leaves half a document', async () => {
  const found = await findInBroken(scenario('a memory write'), 'leaves half a document')
  expect(found).toEqual(expect.arrayContaining([expect.stringContaining('is half a document')]))
})

it('spreads its trials over all calls', () => {
  expect(spread(4, 10)).toEqual([1, 2, 3, 4])
  expect(spread(101, 5)).toEqual([1, 26, 51, 76, 101])
})
