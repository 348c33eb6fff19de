/**
 * What holds when something goes wrong: six operations of a home, each with a fault at each of its storage calls. After each fault, every acknowledged write must be
 * present, no document half written, and the next start must work and finish what was interrupted.
 *
 * `memory`: faults of a storage in memory; `files`: kill -9 and a full disk; `postgres`: lost connections. `--most 20`: at most so many calls of each pair, evenly spaced.
 */
import { parseArgs } from 'node:util'
import { openConnectionTrials } from './faults/connection-trials.ts'
import type { FaultName } from './faults/faulty-backend.ts'
import { tryFullDisk } from './faults/full-disk-trials.ts'
import { tryInMemory } from './faults/in-memory-trials.ts'
import { MOMENTS, tryKills } from './faults/kill-trials.ts'
import { SCENARIOS, type Scenario } from './faults/scenarios.ts'
import type { Trials } from './faults/try-fault.ts'
import { readCount } from './options.ts'
import { type Part, type Report, table } from './report.ts'

/** Faults of a storage in memory take no time, so that every call is tried. */
const EVERY_CALL = 1_000
const SHOWN = 5
const QUICK: readonly FaultName[] = ['EIO', 'ENOSPC', 'answer lost']

const mostOf = (args: readonly string[]): number => {
  const { values } = parseArgs({ args: [...args], options: { most: { type: 'string', default: '20' } } })
  return readCount('most', values.most, 1)
}

const inTurn = async (what: string, tryAll: (scenario: Scenario) => Promise<readonly (Trials | undefined)[]>): Promise<Report> => {
  const all: Trials[] = []
  for (const scenario of SCENARIOS) for (const trials of await tryAll(scenario)) if (trials) all.push(trials)
  const rows = all.map(({ scenario, fault, tried, of, wrong }) => [
    scenario,
    fault,
    tried === of ? tried : `${tried} of ${of}`,
    wrong.length,
  ])
  const wrong = all.flatMap(({ scenario, fault, wrong: each }) => each.slice(0, SHOWN).map((what) => `- ${scenario}, ${fault}, ${what}`))
  const tried = all.reduce((sum, trials) => sum + trials.tried, 0)
  return {
    blocks: [
      table(['operation', 'fault', 'tried', 'did not hold'], rows),
      ...(wrong.length === 0 ? [] : [wrong.join('\n')]),
      `${tried} faults tried${wrong.length === 0 ? ', and everything held' : ''}.`,
    ],
    page: ({ at }) => `- **${what}**: ${tried} faults tried, ${wrong.length} promises broken (${at.slice(0, 10)}).`,
    outcomes: all,
    held: wrong.length === 0,
  }
}

const memory: Part = (args) => {
  const most = mostOf(args)
  return inTurn('A storage that fails, is full, is slow or loses its answer', async (scenario) => {
    const quick: Trials[] = []
    for (const fault of QUICK) quick.push(await tryInMemory(scenario, fault, EVERY_CALL))
    return [...quick, await tryInMemory(scenario, 'slow disk', most)]
  })
}

const files: Part = (args) => {
  const most = mostOf(args)
  return inTurn('Files, with `kill -9` and a full disk', async (scenario) => {
    const kills: Trials[] = []
    for (const moment of MOMENTS) kills.push(await tryKills(scenario, moment, most))
    // Undefined where no full file system can be mounted, which needs root.
    return [...kills, await tryFullDisk(scenario)]
  })
}

const postgres: Part = async (args) => {
  const most = mostOf(args)
  const connections = await openConnectionTrials()
  try {
    return await inTurn('PostgreSQL, with connections that are lost', async (scenario) => [
      await connections.run(scenario, 'before', most),
      await connections.run(scenario, 'after', most),
    ])
  } finally {
    await connections.close()
  }
}

export const parts = { memory, files, postgres }
