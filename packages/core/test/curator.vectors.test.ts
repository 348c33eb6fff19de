/** Replays the golden cases of the curator: transitions, schedule, and the fate of merged skills. */

import { describe, expect, it } from 'vitest'
import type { NeverActive } from '../src/curator/curator-options.ts'
import { countTransitions } from '../src/curator/report.ts'
import { isCuratorDue } from '../src/curator/schedule.ts'
import { readCuratorState, updateCuratorState } from '../src/curator/state.ts'
import { SkillStore } from '../src/skills/skill-store.ts'
import { inMemoryBackend } from '../src/storage/in-memory.ts'
import { readDocument, updateDocument } from '../src/storage/one-document.ts'
import type { StorageBackend } from '../src/storage/storage-backend.ts'
import { UsageStore } from '../src/usage/usage-store.ts'
import { authorityOf, FATE_DEVIATIONS, type Fate, type FateDeviation, fatesIn, hasBadDays } from './support/curator-deviations.ts'
import { type CuratorVectors, expectedBy, openTransitionCase, type ScheduleCase, type TransitionCase } from './support/curator-vectors.ts'
import { loadVectors } from './support/load-vectors.ts'
import { maybeRunCurator, runCurator } from './support/open-curator.ts'

const vectors = loadVectors<CuratorVectors>('curator')
const MODES: readonly NeverActive[] = ['exempt', 'from-creation']

const noteOf = (deviations: ReadonlySet<FateDeviation>): string =>
  deviations.size === 0 ? '' : ` — differs on purpose (${[...deviations].map(({ label, reason }) => `${label}: ${reason}`).join('; ')})`

// ---- transitions

interface Wanted {
  readonly fates: ReadonlyMap<string, Fate>
  /** The skills for which no authority gives a result. */
  readonly open: ReadonlySet<string>
  readonly deviations: ReadonlySet<FateDeviation>
}

const wantedOf = (each: TransitionCase, mode: NeverActive): Wanted => {
  const authority = fatesIn(authorityOf(each, mode))
  const fates = new Map<string, Fate>()
  const open = new Set<string>()
  const deviations = new Set<FateDeviation>()
  const onlyInReference = [...fatesIn(expectedBy(each, 'hermes')).keys()]
  for (const name of new Set([...authority.keys(), ...onlyInReference])) {
    const said = authority.get(name)
    const asked = { each, name, mode, said }
    const deviation = FATE_DEVIATIONS.find(({ applies }) => applies(asked))
    const fate = deviation ? deviation.fate(asked) : said
    if (deviation && fate !== said) deviations.add(deviation)
    if (fate === undefined) open.add(name)
    else fates.set(name, fate)
  }
  return { fates, open, deviations }
}

const run = async (each: TransitionCase, neverActive: NeverActive) => {
  const storage = await openTransitionCase(each)
  const clock = () => Date.parse(each.now)
  const usage = new UsageStore({ storage, clock })
  const { stale_after_days: staleAfterDays, archive_after_days: archiveAfterDays } = each.config
  const days = {
    ...(staleAfterDays === undefined ? {} : { staleAfterDays }),
    ...(archiveAfterDays === undefined ? {} : { archiveAfterDays }),
  }
  // Like a caller without types.
  const ageing = days as { staleAfterDays?: number; archiveAfterDays?: number }
  const skills = new SkillStore({ storage, clock })
  return { storage, usage, skills, result: await runCurator({ skills, usage, storage, clock, neverActive, ...ageing }) }
}

const filesIn = async (storage: StorageBackend) => {
  const listed = await storage.list('')
  if (!listed.ok) throw listed.error
  return listed.value.map(({ path }) => path)
}

const archivedDirs = (files: readonly string[]) => [
  ...new Set(files.flatMap((path) => /^skills\/\.archive\/(?!\.manifests)([^/]+)\//.exec(path)?.[1] ?? [])),
]

const replayTransitions = async (each: TransitionCase, mode: NeverActive, { fates, open, deviations }: Wanted): Promise<void> => {
  const { storage, usage, skills, result } = await run(each, mode)
  if (hasBadDays(each)) {
    expect(result).toMatchObject({ ok: false, error: { code: 'invalid' } })
    return
  }
  if (!result.ok) throw result.error
  const { transitioned, skipped } = result.value
  const happened = new Map<string, Fate>([
    ...skipped.map(({ name, reason }) => [name, reason] as const),
    ...transitioned.map(({ name, from, to }) => [name, `${from} → ${to}`] as const),
  ])
  expect(happened.size).toBe(transitioned.length + skipped.length)
  for (const name of open) {
    expect(happened.get(name)).toBeDefined()
    happened.delete(name)
  }
  expect(Object.fromEntries(happened)).toEqual(Object.fromEntries(fates))
  for (const list of [transitioned, skipped]) expect(list.map(({ name }) => name)).toEqual(list.map(({ name }) => name).sort())

  for (const { name, to } of transitioned) expect((await usage.get(name))?.state).toBe(to)
  const files = await filesIn(storage)
  const listed = await skills.list()
  const live = new Set(listed.ok ? listed.value.skills.map(({ name }) => name) : [])
  for (const { name, to } of transitioned) expect(live.has(name)).toBe(to !== 'archived')
  const reference = expectedBy(each, 'hermes')
  if (mode === 'from-creation' && deviations.size === 0 && open.size === 0 && reference?.archivedDirs) {
    expect(archivedDirs(files).sort()).toEqual([...reference.archivedDirs].sort())
  }
  if (mode === 'from-creation' && deviations.size === 0 && open.size === 0 && reference?.counts) {
    const { marked_stale: markedStale, archived, reactivated, checked } = reference.counts
    const pinned = skipped.filter(({ reason }) => reason === 'pinned').length
    const counts = countTransitions(result.value)
    expect({ ...counts, checked: counts.checked + pinned }).toEqual({ markedStale, archived, reactivated, checked })
  }
  // A second pass at the same time changes nothing.
  const again = await runCurator({ skills, usage, storage, clock: () => Date.parse(each.now), neverActive: mode, ...agedAs(each) })
  expect(again.ok && again.value.transitioned).toEqual([])
}

const agedAs = ({ config }: TransitionCase) =>
  Object.fromEntries(
    [
      ['staleAfterDays', config['stale_after_days']],
      ['archiveAfterDays', config['archive_after_days']],
    ].filter(([, days]) => days !== undefined),
  )

describe.skipIf(!vectors?.cases)('the golden passes of the curator', () => {
  for (const each of vectors?.cases ?? []) {
    for (const mode of MODES) {
      const wanted = wantedOf(each, mode)
      const note = hasBadDays(each)
        ? ' — differs on purpose (days-are-numbers: what is no number is refused by name)'
        : noteOf(wanted.deviations)
      it(`${each.name} (${mode})${note}`, () => replayTransitions(each, mode, wanted))
    }
  }
})

// ---- schedule

/** Converts a value like the configuration reader of the reference. */
const toNumber = (value: unknown, fallback: number, isWhole: boolean): number => {
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
  if (Number.isNaN(number)) return fallback
  return isWhole ? Math.trunc(number) : number
}

const scheduleOf = ({ config }: ScheduleCase) => ({
  enabled: config['enabled'] === undefined || Boolean(config['enabled']),
  intervalHours: toNumber(config['interval_hours'], 168, true),
  minIdleHours: toNumber(config['min_idle_hours'], 2, false),
})

const isUnmeasured = ({ idleSeconds, expect: { run: runs } }: ScheduleCase): boolean => idleSeconds === null && runs

const replaySchedule = async (each: ScheduleCase): Promise<void> => {
  const now = Date.parse(each.now)
  const storage = inMemoryBackend()
  if (each.state !== null) {
    const text = typeof each.state === 'string' ? each.state : JSON.stringify(each.state)
    await updateDocument(storage, 'skills/.curator_state', () => new TextEncoder().encode(text))
  }
  const skills = new SkillStore({ storage, clock: () => now })
  const usage = new UsageStore({ storage, clock: () => now })
  const check = (idleMs: number | undefined) =>
    maybeRunCurator({ ...scheduleOf(each), skills, usage, storage, clock: () => now, createId: () => 'run', idleMs })

  if (isUnmeasured(each)) expect(await check(undefined)).toMatchObject({ ran: false, reason: 'idle-unknown' })
  const before = await readCuratorState(storage)
  const idleMs = each.idleSeconds === null ? Number.POSITIVE_INFINITY : Number(each.idleSeconds) * 1000
  if (before.ok) expect(isCuratorDue(before.value.state, { now, idleMs }, scheduleOf(each)).due).toBe(each.expect.run)
  const outcome = await check(idleMs)
  expect(outcome.ran).toBe(each.expect.run)
  if (each.expect.seeded) expect(outcome.reason).toBe('first-sight')

  const read = await readDocument(storage, 'skills/.curator_state')
  const stored = read.ok && read.value ? JSON.parse(new TextDecoder().decode(read.value.bytes)) : {}
  const lastRunAtAfter = each.expect.run ? now : each.expect.lastRunAtAfter
  if (each.expect.run) expect(Date.parse(stored.last_run_at)).toBe(lastRunAtAfter)
  else expect(stored.last_run_at ?? null).toBe(lastRunAtAfter)
  const state = await updateCuratorState(storage, () => undefined)
  expect(state.ok && state.value.state.paused).toBe(each.expect.pausedAfter)
}

describe.skipIf(!vectors?.schedule)('the golden schedule of the curator', () => {
  for (const each of vectors?.schedule ?? []) {
    const note = isUnmeasured(each) ? ' — differs on purpose (idle-unknown: without a measurement nothing runs; with one it does)' : ''
    it(`${each.name}${note}`, () => replaySchedule(each))
  }
})
