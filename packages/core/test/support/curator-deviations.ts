/** Intended differences of the curator from the reference or the seed, for each skill (docs/decisions/0007). */
import type { NeverActive } from '../../src/curator/curator-options.ts'
import { parsePythonTime } from '../../src/usage/python-time.ts'
import { expectedBy, type TransitionCase, type VectorOutcome } from './curator-vectors.ts'

/** A transition such as `active → stale`, or the reason for none, such as `pinned`. */
export type Fate = string

/** Our reasons by those of the reference. */
const REASONS: Readonly<Record<string, Fate>> = { 'hub-installed': 'hub', 'bundled-exempt': 'bundled', 'not-on-disk': 'missing' }

export const fatesIn = (outcome: VectorOutcome | undefined): ReadonlyMap<string, Fate> =>
  new Map([
    ...(outcome?.skipped ?? []).map(({ name, reason }) => [name, REASONS[reason] ?? reason] as const),
    ...(outcome?.transitions ?? []).map(({ name, from, to }) => [name, `${from} → ${to}`] as const),
  ])

/** The seed if never-active skills are exempt; the reference if they age, and for records that the seed does not cover. */
export const authorityOf = (each: TransitionCase, mode: NeverActive): VectorOutcome | undefined =>
  (mode === 'exempt' ? expectedBy(each, 'seed000') : undefined) ?? expectedBy(each, 'hermes')

interface Asked {
  readonly each: TransitionCase
  readonly name: string
  readonly mode: NeverActive
  /** The result according to the authority of this mode. */
  readonly said: Fate | undefined
}

export interface FateDeviation {
  readonly label: string
  readonly reason: string
  readonly applies: (asked: Asked) => boolean
  /** Our result; `undefined`: the result without the guard of the reference. */
  readonly fate: (asked: Asked) => Fate | undefined
}

const recordOf = ({ each, name }: Asked): Readonly<Record<string, unknown>> => {
  const record = each.records[name]
  return typeof record === 'object' && record !== null ? Object.fromEntries(Object.entries(record)) : {}
}

const said =
  (by: 'hermes' | 'seed000' | 'hermesLatest') =>
  ({ each, name }: Asked) =>
    fatesIn(expectedBy(each, by)).get(name)

const STAMPS = ['last_used_at', 'last_viewed_at', 'last_patched_at'] as const

const STATES: readonly unknown[] = ['active', 'stale', 'archived', undefined]

const isInArchive = ({ each, name }: Asked): boolean => each.library?.[name]?.dir?.startsWith('.archive/') === true

const lastUsedDaysAgo = (asked: Asked): number =>
  (Date.parse(asked.each.now) - (parsePythonTime(recordOf(asked)['last_used_at']) ?? 0)) / 86_400_000

export const FATE_DEVIATIONS: readonly FateDeviation[] = [
  {
    label: 'belongs-to-others',
    reason: 'what came with the product or from a hub is never the curator’s, and nothing is written about it',
    applies: ({ each, name }) => each.library?.[name]?.source !== undefined,
    fate: ({ each, name }) => each.library?.[name]?.source,
  },
  {
    label: 'scheduled-jobs-are-the-hosts',
    reason: 'there are no scheduled jobs here; a pin protects what a job needs',
    applies: ({ said: fate }) => fate === 'cron-referenced',
    fate: (asked) => (asked.mode === 'exempt' ? said('seed000')(asked) : undefined),
  },
  {
    label: 'no-protected-list',
    reason: 'the list of protected names is empty upstream as well by now',
    applies: ({ said: fate }) => fate === 'protected-builtin',
    fate: said('hermesLatest'),
  },
  {
    label: 'archived-skills-are-told-as-such',
    reason: 'a record whose skill lies in the archive is no record of a lost skill',
    applies: isInArchive,
    fate: () => 'archived',
  },
  {
    label: 'files-and-records-together',
    reason: 'the seed knows the records alone: a record without a skill moves nothing, a skill without a record is told',
    applies: (asked) => asked.mode === 'exempt' && ['missing', 'not-agent-created'].includes(said('hermes')(asked) ?? ''),
    fate: said('hermes'),
  },
  {
    label: 'the-older-mark-counts',
    reason: 'a home may hold records from before `created_by`',
    applies: (asked) => asked.mode === 'exempt' && recordOf(asked)['agent_created'] === true,
    fate: said('hermes'),
  },
  {
    label: 'microseconds-count',
    reason: 'stamps of Python Hermes hold them, and the boundary is exact',
    applies: (asked) => asked.mode === 'exempt' && /\.\d{3}(?!000)\d{3}/.test(String(recordOf(asked)['last_used_at'])),
    fate: said('hermes'),
  },
  {
    label: 'unreadable-stamps-are-no-activity',
    reason: 'a skill whose every stamp is unreadable was never active as far as anybody can tell, and is exempt',
    applies: (asked) =>
      asked.mode === 'exempt' &&
      expectedBy(asked.each, 'seed000') === undefined &&
      recordOf(asked)['created_by'] === 'agent' &&
      STAMPS.some((key) => recordOf(asked)[key] !== null && recordOf(asked)[key] !== undefined) &&
      STAMPS.every((key) => parsePythonTime(recordOf(asked)[key]) === undefined),
    fate: (asked) => (recordOf(asked)['state'] === 'stale' ? 'stale → active' : 'no-change'),
  },
  {
    label: 'an-unknown-state-is-active',
    reason: 'a state that no program knows would otherwise keep a skill from ever being stale',
    applies: (asked) => !STATES.includes(recordOf(asked)['state']),
    fate: (asked) => {
      const fate = said('hermes')(asked)
      if (fate?.endsWith('→ archived')) return 'active → archived'
      return lastUsedDaysAgo(asked) >= 30 ? 'active → stale' : fate
    },
  },
  {
    label: 'a-window-is-a-day-at-least',
    reason: 'a slip in the configuration must not empty a library',
    applies: ({ each: { config } }) => Object.values(config).some((days) => typeof days === 'number' && days < 1),
    fate: (asked) => said('hermesLatest')(asked) ?? asked.said,
  },
  {
    label: 'fractions-of-a-day-count',
    reason: 'a day and a half is a day and a half',
    applies: ({ each: { config } }) =>
      Object.values(config).some((days) => typeof days === 'number' && days > 1 && !Number.isInteger(days)),
    fate: said('seed000'),
  },
  {
    label: 'one-odd-record-stops-nothing',
    reason: 'the reference raises half-way and leaves the pass undone',
    applies: (asked) => expectedBy(asked.each, 'hermes')?.error !== undefined,
    fate: said('seed000'),
  },
]

/** An invalid number of days is refused by name instead of silently becoming the default. */
export const hasBadDays = ({ config }: TransitionCase): boolean =>
  ['stale_after_days', 'archive_after_days'].some((key) => key in config && typeof config[key] !== 'number')
