/** Plays the attacks of `@hermes/testing/poisoning` against Hermes on each host, drawn anew for each, and one adaptive attacker for each way in. */
import type { TrustLevel } from '@hermes/core'
import {
  isRaised,
  POISONING_OUTCOMES,
  type PoisoningAttack,
  type PoisoningOutcome,
  playAdaptive,
  playPoisoning,
  poisoningAttacks,
} from '@hermes/testing/poisoning'
import { type Cell, table } from '../../report.ts'
import { HOSTS, type HostKind, hermesMemory } from './hermes-memory.ts'

const LEVELS = ['strict', 'balanced'] as const satisfies readonly TrustLevel[]

export interface SuiteRow {
  readonly attack: PoisoningAttack
  readonly host: HostKind
  readonly trust: TrustLevel
  readonly adaptive: boolean
  readonly outcome: PoisoningOutcome
}

export interface SuiteSize {
  readonly seed: number
  /** For each host and level. */
  readonly attacks: number
  /** Adaptive attackers for each host and level, and the attempts of each. */
  readonly attackers: number
  readonly attempts: number
}

/** Each waits for hashes and storage, so several are needed to use one core. */
const AT_ONCE = 16

const together = async (jobs: readonly (() => Promise<void>)[]): Promise<void> => {
  let next = 0
  const worker = async (): Promise<void> => {
    for (let job = jobs[next++]; job !== undefined; job = jobs[next++]) await job()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

export const measureSuite = async ({ seed, attacks, attackers, attempts }: SuiteSize): Promise<readonly SuiteRow[]> => {
  const rows: SuiteRow[] = []
  const jobs = HOSTS.flatMap((host, hostAt) =>
    LEVELS.flatMap((trust, levelAt) => {
      const about = { host, trust }
      const create = hermesMemory(host, trust)
      const own = seed + 1_000 * (hostAt * LEVELS.length + levelAt)
      const drawn = poisoningAttacks({ seed: own, count: attacks }).map((attack) => async () => {
        rows.push({ ...about, attack, adaptive: false, outcome: await playPoisoning(create, attack) })
      })
      const adaptive = async () => {
        for (const run of await playAdaptive(create, { seed: own + 1, attackers, attempts }))
          rows.push({ ...about, ...run, adaptive: true })
      }
      return [adaptive, ...drawn]
    }),
  )
  await together(jobs)
  return rows
}

const rowOf = (name: string, rows: readonly SuiteRow[]): readonly Cell[] => [
  name,
  rows.length,
  ...POISONING_OUTCOMES.map((wanted) => rows.filter(({ outcome }) => outcome === wanted).length),
  rows.filter(({ attack, outcome }) => isRaised(attack, outcome)).length,
]

export const describeSuite = (rows: readonly SuiteRow[]): readonly string[] => {
  const head = ['', 'runs', ...POISONING_OUTCOMES, 'raised']
  const by = (keyOf: (row: SuiteRow) => string) =>
    [...new Set(rows.map(keyOf))].sort().map((name) =>
      rowOf(
        name,
        rows.filter((row) => keyOf(row) === name),
      ),
    )
  const raised = rows.filter(({ attack, outcome }) => isRaised(attack, outcome))
  return [
    table(head, [
      ...by(({ attack }) => attack.wayIn),
      ...by(({ host, trust }) => `*${host}, ${trust}*`),
      ...by(({ adaptive }) => (adaptive ? '*adaptive*' : '*drawn*')),
      rowOf('**all**', rows),
    ]),
    ...raised.slice(0, 20).map(({ attack, host, trust, outcome }) => `- raised, ${outcome}, ${host}, ${trust}: ${attack.id}`),
    `${rows.length} runs; raised: ${raised.length}`,
  ]
}
