/**
 * What holds when something goes wrong: six operations of a home, each with a fault at each of its storage calls. After each fault, every acknowledged write must be
 * present, no document half written, and the next start must work and finish what was interrupted. Ends with exit code 1 if anything does not hold.
 *
 * `--most 40` is the maximum number of calls that are tried for each pair, evenly spaced; `--no-postgres` leaves the server out.
 */
import { parseArgs } from 'node:util'
import { openConnectionTrials } from './faults/connection-trials.ts'
import type { FaultName } from './faults/faulty-backend.ts'
import { tryFullDisk } from './faults/full-disk-trials.ts'
import { tryInMemory } from './faults/in-memory-trials.ts'
import { MOMENTS, tryKills } from './faults/kill-trials.ts'
import { SCENARIOS } from './faults/scenarios.ts'
import type { Trials } from './faults/try-fault.ts'
import { describeMeasuring, measuring } from './measured-on.ts'

/** Faults of a storage in memory take no time, so that every call is tried. */
const EVERY_CALL = 1_000
const SHOWN = 5

const show = ({ scenario, fault, tried, of, wrong }: Trials): void => {
  const count = tried === of ? `${tried}` : `${tried} of ${of}`
  console.log(
    `${scenario.padEnd(18)} ${fault.padEnd(24)} ${count.padStart(10)} tried   ${wrong.length === 0 ? 'all held' : `${wrong.length} did not hold`}`,
  )
  for (const each of wrong.slice(0, SHOWN)) console.log(`    ${each}`)
}

export const run = async (given: readonly string[] = []): Promise<void> => {
  const { values } = parseArgs({
    args: [...given],
    options: {
      most: { type: 'string', default: '20' },
      'no-postgres': { type: 'boolean', default: false },
    },
  })
  const most = Number(values.most)
  if (!Number.isSafeInteger(most) || most < 1) throw new TypeError("'--most' must be a whole number, 1 or more.")
  const finish = measuring()
  const all: Trials[] = []
  const note = (trials: Trials): void => {
    show(trials)
    all.push(trials)
  }
  const quick: readonly FaultName[] = ['EIO', 'ENOSPC', 'answer lost']
  for (const scenario of SCENARIOS) {
    for (const fault of quick) note(await tryInMemory(scenario, fault, EVERY_CALL))
    note(await tryInMemory(scenario, 'slow disk', most))
    for (const moment of MOMENTS) note(await tryKills(scenario, moment, most))
    const full = await tryFullDisk(scenario)
    if (full) note(full)
    else console.log(`${scenario.name.padEnd(18)} a full file system       not tried: none can be mounted here, which needs root`)
  }
  if (!values['no-postgres']) {
    const connections = await openConnectionTrials()
    try {
      for (const scenario of SCENARIOS) for (const when of ['before', 'after'] as const) note(await connections.run(scenario, when, most))
    } finally {
      await connections.close()
    }
  }
  const tried = all.reduce((sum, trials) => sum + trials.tried, 0)
  const wrong = all.reduce((sum, trials) => sum + trials.wrong.length, 0)
  console.log(`\n${tried} faults tried, ${wrong === 0 ? 'and everything held.' : `${wrong} did not hold.`}`)
  console.log(describeMeasuring(finish()))
  if (wrong > 0) process.exitCode = 1
}

if (import.meta.main) await run(process.argv.slice(2))
