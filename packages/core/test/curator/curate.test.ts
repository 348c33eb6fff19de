/** Whole runs: lease, stamp, backup, transitions, journal, report and state; manual and scheduled, in one process and in several. */

import { describe, expect, it } from 'vitest'
import { createSkillBackup } from '../../src/curator/backup/skill-backup.ts'
import { type CurateOptions, curate } from '../../src/curator/curate.ts'
import type { CuratorRun } from '../../src/curator/curator-event.ts'
import { beginRun, readUnfinishedRuns } from '../../src/curator/run-journal/run-journal.ts'
import { CURATOR_LEASE_PATH, takeCuratorLease } from '../../src/curator/schedule/curator-lease.ts'
import { CURATOR_STATE_PATH, pauseCurator, readCuratorState, updateCuratorState } from '../../src/curator/schedule/curator-state.ts'
import { maybeRunCurator } from '../../src/curator/schedule/maybe-run-curator.ts'
import { runCurator } from '../../src/curator/transitions/run-curator.ts'
import { createJournal } from '../../src/journal/journal.ts'
import { HermesError } from '../../src/shared/hermes-error.ts'
import { err, ok } from '../../src/shared/result.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { movedFrom } from '../support/calls.ts'
import { contentsOf, DAY, NOON, openLibrary, readText, UNFINISHED_ROLLBACK, unwrap, writeText } from '../support/curator-library.ts'

const HOUR = 3_600_000
const LIBRARY = { old: { idleDays: 95 }, idle: { idleDays: 45 }, fresh: { idleDays: 1 } }

const open = async (storage: StorageBackend = inMemoryBackend(), skills: Parameters<typeof openLibrary>[0] = LIBRARY) => {
  const library = await openLibrary(skills, storage)
  let ids = 0
  return { ...library, createId: () => `run-${++ids}`, journal: createJournal({ ...library, createId: () => `journal-${++ids}` }) }
}

const run = async (options: CurateOptions): Promise<CuratorRun> => {
  const result = unwrap(await curate(options))
  if (!result) throw new Error('The run did not start.')
  return result
}

const failingAt = (storage: StorageBackend, fails: (path: string) => boolean): StorageBackend => ({
  ...storage,
  update: (paths, plan, options) =>
    paths.some(fails) ? Promise.resolve(err(new HermesError('no_space', 'The disk is full.'))) : storage.update(paths, plan, options),
})

const stateOf = async (storage: StorageBackend) => JSON.parse((await readText(storage, CURATOR_STATE_PATH)) ?? '{}')

const MANY = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`old-${index}`, { idleDays: 95 }]))

describe('a run that takes longer than its lease', () => {
  it('keeps its place, so that no other begins beside it', async () => {
    const options = await open(inMemoryBackend(), MANY)
    const others: boolean[] = []
    const onProgress = async () => {
      options.clock.advance(HOUR / 2)
      others.push((await takeCuratorLease({ ...options, owner: 'another' })).ok)
    }
    const outcome = await run({ ...options, onProgress })
    expect(outcome.report.transitioned).toHaveLength(250)
    expect(others).toEqual([false, false, false, false])
  })

  it('stops if another has taken its place, and says what it did until then', async () => {
    const options = await open(inMemoryBackend(), MANY)
    let batches = 0
    const onProgress = ({ done }: { readonly done: number }) => {
      batches++
      if (done !== 100) return
      options.clock.advance(2 * HOUR)
      void takeCuratorLease({ ...options, owner: 'another' })
    }
    const outcome = await curate({ ...options, onProgress })
    expect(outcome).toMatchObject({
      ok: false,
      error: {
        code: 'locked',
        message: expect.stringContaining('another one took over at 2026-06-01T14:00:00'),
        details: { report: {} },
      },
    })
    expect(batches).toBe(2)
    const { entries } = unwrap(await options.skills.listArchived())
    expect(entries).toHaveLength(100)
    expect(JSON.parse((await readText(options.storage, CURATOR_LEASE_PATH)) ?? '{}')).toMatchObject({ owner: 'another' })
  })
})

describe('a run', () => {
  it('takes a backup, moves, and leaves a report, a state and a journal that name every skill and why', async () => {
    const options = await open()
    const backups: string[] = []
    const outcome = await run({
      ...options,
      beforeChanges: async () => {
        expect(await readText(options.storage, 'skills/old/SKILL.md')).toBeDefined()
        const backup = unwrap(await createSkillBackup({ ...options, reason: 'pre-curator-run' }))
        backups.push(backup.id)
        return ok(backup)
      },
    })
    expect(backups).toEqual([outcome.backupId])
    expect(outcome).toMatchObject({ reportPath: 'logs/curator/20260601-120000', problems: [], recovered: [] })

    const json = JSON.parse((await readText(options.storage, `${outcome.reportPath}/run.json`)) ?? '')
    expect(json).toMatchObject({
      started_at: '2026-06-01T12:00:00+00:00',
      duration_seconds: 0,
      auto_transitions: { checked: 3, marked_stale: 1, archived: 1, reactivated: 0 },
      counts: { archived_this_run: 1, state_transitions: 2 },
      archived: ['old'],
      state_transitions: [
        { name: 'idle', from: 'active', to: 'stale', reason: expect.stringContaining('45 days ago') },
        { name: 'old', from: 'active', to: 'archived', reason: expect.stringContaining('95 days ago'), archived_as: '.archive/old' },
      ],
      backup: outcome.backupId,
      error: null,
    })
    const text = await readText(options.storage, `${outcome.reportPath}/REPORT.md`)
    for (const said of [
      '**old** (was active)',
      '**idle** (was active)',
      '95 days ago',
      '45 days ago',
      '`.archive/old`',
      'curator rollback',
    ]) {
      expect(text).toContain(said)
    }
    const others = unwrap(await options.skills.list()).skills.map(({ name }) => name)
    expect(others.length).toBeGreaterThan(1)
    for (const name of others) expect(text).toMatch(new RegExp(`\\b${name}\\b`))
    expect(await stateOf(options.storage)).toEqual({
      last_run_at: '2026-06-01T12:00:00+00:00',
      last_run_duration_seconds: 0,
      last_run_summary: 'auto: 3 checked, 1 marked stale, 1 archived, 0 reactivated',
      last_report_path: 'logs/curator/20260601-120000',
      paused: false,
      run_count: 1,
    })
    const records = unwrap(await options.journal.list())
    expect(records.map(({ actor, target, op, reason }) => ({ actor, target, op, reason }))).toEqual([
      {
        actor: 'curator',
        target: 'skill',
        op: undefined,
        reason: expect.stringMatching(/^The skill 'idle' went from active to stale\. Last active/),
      },
      { actor: 'curator', target: 'skill', op: { action: 'archive', name: 'old' }, reason: expect.stringContaining("'old'") },
    ])
    expect(await readText(options.storage, CURATOR_LEASE_PATH)).toBeUndefined()
    expect(unwrap(await readUnfinishedRuns(options.storage)).runs).toEqual([])
  })

  it('needs no backup if nothing changes, and says that nothing did', async () => {
    const options = await open(inMemoryBackend(), { fresh: { idleDays: 1 } })
    const outcome = await run({ ...options, beforeChanges: () => Promise.reject(new Error('not to be called')) })
    expect(outcome.backupId).toBeUndefined()
    expect(await stateOf(options.storage)).toMatchObject({ last_run_summary: 'auto: 1 checked, no changes' })
    expect((await run(options)).reportPath).toBe('logs/curator/20260601-120000-2')
  })

  it('writes nothing at all in a dry run', async () => {
    const options = await open()
    const before = await contentsOf(options.storage)
    const report = unwrap(await runCurator({ ...options, dryRun: true }))
    expect(report.transitioned.map(({ name }) => name)).toEqual(['idle', 'old'])
    expect(await contentsOf(options.storage)).toEqual(before)
  })

  it('does nothing without its backup, tells so in the state, and may be tried again in an hour', async () => {
    const options = await open()
    const noBackup = { ...options, beforeChanges: () => Promise.resolve(err(new HermesError('over_limit', 'The library is too large.'))) }
    expect(await curate(noBackup)).toMatchObject({ ok: false, error: { code: 'over_limit' } })
    expect(await options.usage.get('old')).toMatchObject({ state: 'active' })
    expect(await stateOf(options.storage)).toMatchObject({
      last_run_summary: 'auto: not done; failed: The library is too large.',
      _retry_at: '2026-06-01T13:00:00+00:00',
    })
    expect(await readText(options.storage, CURATOR_LEASE_PATH)).toBeUndefined()
  })

  it('starts nothing if its state cannot be saved', async () => {
    const options = await open()
    const storage = failingAt(options.storage, (path) => path === CURATOR_STATE_PATH)
    expect(await curate({ ...options, storage })).toMatchObject({ ok: false, error: { code: 'no_space' } })
    expect(await options.usage.get('old')).toMatchObject({ state: 'active' })
  })

  it('keeps its changes if the report or the journal cannot be written, and says so', async () => {
    const options = await open()
    const storage = failingAt(options.storage, (path) => path.startsWith('logs/'))
    const journal = { append: () => Promise.resolve(err(new HermesError('io', 'No journal.'))) }
    const outcome = await run({ ...options, storage, journal })
    expect(outcome.problems.map(({ message }) => message)).toEqual(['No journal.', 'The disk is full.'])
    expect(outcome.reportPath).toBeUndefined()
    expect(await options.usage.get('old')).toMatchObject({ state: 'archived' })
    expect(await stateOf(options.storage)).toMatchObject({ last_report_path: null, run_count: 1 })
  })

  it('reports what was done before it failed', async () => {
    const options = await open()
    const storage: StorageBackend = {
      ...options.storage,
      update: async (paths, plan) =>
        movedFrom(paths) === undefined ? options.storage.update(paths, plan) : err(new HermesError('no_space', 'The disk is full.')),
    }
    const { SkillStore } = await import('../../src/skills/skill-store.ts')
    const failed = await curate({ ...options, skills: new SkillStore({ storage, clock: options.clock }) })
    expect(failed).toMatchObject({ ok: false, error: { code: 'no_space' } })
    const text = await readText(options.storage, 'logs/curator/20260601-120000/REPORT.md')
    expect(text).toContain('**The run ended early:**')
    expect(text).toContain('**idle** (was active)')
    expect(await stateOf(options.storage)).toHaveProperty('_retry_at')
  })

  it('tells of a run that was interrupted, and completes it', async () => {
    const options = await open(inMemoryBackend(), { old: { idleDays: 95, path: '.archive/old' }, fresh: { idleDays: 1 } })
    const planned = [{ name: 'old', path: 'old', from: 'active', to: 'archived' }] as const
    unwrap(await beginRun(options.storage, { runId: 'killed', startedAt: NOON - DAY, planned }))
    const outcome = await run(options)
    expect(outcome.recovered).toMatchObject([{ runId: 'killed', repaired: ['old'] }])
    expect(await options.usage.get('old')).toMatchObject({ state: 'archived' })
    expect(await readText(options.storage, `${outcome.reportPath}/REPORT.md`)).toContain('was interrupted')
    expect(unwrap(await readUnfinishedRuns(options.storage)).runs).toEqual([])
  })

  it('stays away while another run or a rollback is in progress', async () => {
    const options = await open()
    unwrap(await takeCuratorLease({ ...options, owner: 'other' }))
    expect(await curate(options)).toMatchObject({ ok: false, error: { code: 'locked' } })
    options.clock.advance(HOUR)
    expect((await curate(options)).ok).toBe(true)

    const rolling = await open()
    await writeText(rolling.storage, 'curator/backups/.rollback.json', JSON.stringify(UNFINISHED_ROLLBACK))
    unwrap(await beginRun(rolling.storage, { runId: 'run-0', startedAt: NOON, planned: [] }))
    const before = await contentsOf(rolling.storage)
    expect(await curate(rolling)).toMatchObject({ ok: false, error: { code: 'locked', message: expect.stringContaining('rollback') } })
    expect(await contentsOf(rolling.storage)).toEqual(before)
    expect(await rolling.usage.get('old')).toMatchObject({ state: 'active' })
  })

  it('stays away from a rollback that began just before it took its place', async () => {
    const storage = inMemoryBackend()
    let began = false
    // By force, so that the lease keeps nobody away.
    const racing: StorageBackend = {
      ...storage,
      update: async (paths, plan, options) => {
        if (paths.includes(CURATOR_LEASE_PATH) && !began) {
          began = true
          await writeText(storage, 'curator/backups/.rollback.json', JSON.stringify(UNFINISHED_ROLLBACK))
        }
        return storage.update(paths, plan, options)
      },
    }
    const options = await open(racing)
    unwrap(await beginRun(storage, { runId: 'run-0', startedAt: NOON, planned: [] }))
    let merged = false
    const consolidate = () => {
      merged = true
      return Promise.resolve(ok(undefined))
    }
    const outcome = await curate({ ...options, consolidate })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'locked', message: expect.stringContaining('rollback') } })
    expect(merged).toBe(false)
    expect(unwrap(await readUnfinishedRuns(storage)).runs).toHaveLength(1)
    expect(await options.usage.get('idle')).toMatchObject({ state: 'active' })
    expect(unwrap(await takeCuratorLease({ ...options, owner: 'other' }))).toBeDefined()
  })

  it('puts a consolidation after the transitions, with one backup for both, and gives it a section in the report', async () => {
    const options = await open()
    let backups = 0
    const outcome = await run({
      ...options,
      beforeChanges: () => {
        backups++
        return Promise.resolve(ok({ id: 'b' }))
      },
      consolidate: async (step) => {
        expect(await options.usage.get('old')).toMatchObject({ state: 'archived' })
        unwrap(await step.beforeChanges())
        unwrap(await step.renew())
        return ok({ text: '## Merged\n\n- a into b', summary: 'llm: 1 merged', extras: { llm_summary: '1 merged' } })
      },
    })
    expect(backups).toBe(1)
    expect(await readText(options.storage, `${outcome.reportPath}/REPORT.md`)).toContain('## Merged\n\n- a into b')
    expect(JSON.parse((await readText(options.storage, `${outcome.reportPath}/run.json`)) ?? '')).toMatchObject({ llm_summary: '1 merged' })
    expect(await stateOf(options.storage)).toMatchObject({
      last_run_summary: expect.stringMatching(/1 archived, 0 reactivated; llm: 1 merged$/),
    })
  })

  it('keeps what the transitions did if the consolidation fails, and asks the model no sooner for that', async () => {
    const options = await open()
    const outcome = await run({ ...options, consolidate: () => Promise.resolve(err(new HermesError('model', 'The model threw.'))) })
    expect(outcome.report.transitioned).toHaveLength(2)
    expect(outcome.problems).toMatchObject([{ code: 'model' }])
    expect(await stateOf(options.storage)).not.toHaveProperty('_retry_at')
  })

  it('frees its place even if a function of the host throws', async () => {
    const options = await open()
    await expect(curate({ ...options, beforeChanges: () => Promise.reject(new Error('host')) })).rejects.toThrow('host')
    expect(await readText(options.storage, CURATOR_LEASE_PATH)).toBeUndefined()
  })

  it('lets no name of a skill write into the report', async () => {
    const name = '](x) `rm` # **bold**'
    const options = await open(inMemoryBackend(), {})
    await writeText(options.storage, 'skills/odd/SKILL.md', `---\nname: '${name}'\ndescription: d\n---\nb\n`)
    await writeText(
      options.storage,
      'skills/.usage.json',
      JSON.stringify({ [name]: { created_by: 'agent', last_used_at: '2026-01-01T00:00:00Z', use_count: 1 } }),
    )
    const outcome = await run(options)
    expect(outcome.report.transitioned).toHaveLength(1)
    const text = (await readText(options.storage, `${outcome.reportPath}/REPORT.md`)) ?? ''
    expect(text).toContain('- **\\](x) \\`rm\\` \\# \\*\\*bold\\*\\*** (was active)')
  })
})

describe('the scheduled run', () => {
  const due = async () => {
    const options = await open()
    unwrap(await updateCuratorState(options.storage, () => ({ lastRunAt: NOON - 168 * HOUR, runCount: 3 })))
    return { ...options, idleMs: 2 * HOUR }
  }

  it('stamps the first sight, waits an interval, then runs', async () => {
    const options = { ...(await open()), idleMs: DAY }
    expect(await maybeRunCurator(options)).toEqual({ ran: false, reason: 'first-sight' })
    expect(await stateOf(options.storage)).toMatchObject({ last_run_at: '2026-06-01T12:00:00+00:00', run_count: 0 })
    options.clock.advance(168 * HOUR - 1)
    expect(await maybeRunCurator(options)).toEqual({ ran: false, reason: 'interval', nextAt: NOON + 168 * HOUR })
    options.clock.advance(1)
    expect(await maybeRunCurator(options)).toMatchObject({ ran: true, reason: 'ran', report: { transitioned: [{}, {}] } })
    expect(await maybeRunCurator(options)).toMatchObject({ ran: false, reason: 'interval' })
  })

  it('says why it does not run', async () => {
    const options = await due()
    const before = await contentsOf(options.storage)
    expect(await maybeRunCurator({ ...options, idleMs: undefined })).toEqual({ ran: false, reason: 'idle-unknown' })
    expect(await maybeRunCurator({ ...options, idleMs: HOUR })).toEqual({ ran: false, reason: 'not-idle' })
    expect(await maybeRunCurator({ ...options, enabled: false })).toEqual({ ran: false, reason: 'disabled' })
    expect(await contentsOf(options.storage)).toEqual(before)
    unwrap(await pauseCurator(options.storage))
    expect(await maybeRunCurator(options)).toEqual({ ran: false, reason: 'paused' })
  })

  it('never runs, and says so, if its hours are not a number', async () => {
    const options = await open()
    await updateCuratorState(options.storage, () => ({ lastRunAt: NOON - 1 }))
    const outcome = await maybeRunCurator({ ...options, idleMs: 1e12, intervalHours: Number.NaN })
    expect(outcome).toMatchObject({ ran: false, reason: 'failed', error: { code: 'invalid' } })
    expect(await stateOf(options.storage)).toMatchObject({ run_count: 0 })
  })

  it('tells a failure and never throws it', async () => {
    const options = await due()
    const state = failingAt(options.storage, (path) => path === CURATOR_STATE_PATH)
    expect(await maybeRunCurator({ ...options, storage: state })).toMatchObject({
      ran: false,
      reason: 'failed',
      error: { code: 'no_space' },
    })
    const first = { ...(await open()), idleMs: DAY }
    const unstamped = failingAt(first.storage, () => true)
    expect(await maybeRunCurator({ ...first, storage: unstamped })).toMatchObject({ ran: false, reason: 'failed' })
    const throwing = { ...options, beforeChanges: () => Promise.reject(new Error('host')) }
    expect(await maybeRunCurator(throwing)).toMatchObject({ ran: false, reason: 'failed', error: { code: 'io' } })
    expect(await options.usage.get('old')).toMatchObject({ state: 'active' })
  })

  it('comes back an hour after a run that failed or died', async () => {
    const options = await due()
    expect(await maybeRunCurator({ ...options, beforeChanges: () => Promise.reject(new Error('died')) })).toMatchObject({ ran: false })
    expect(await maybeRunCurator(options)).toMatchObject({ ran: false, reason: 'interval', nextAt: NOON + HOUR })
    options.clock.advance(HOUR)
    expect(await maybeRunCurator(options)).toMatchObject({ ran: true, reason: 'ran' })
    expect(await stateOf(options.storage)).not.toHaveProperty('_retry_at')
  })

  it('runs once, however many ask at the same time', async () => {
    const options = await due()
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => maybeRunCurator(options)))
    expect(outcomes.filter(({ ran }) => ran)).toHaveLength(1)
    for (const { ran, reason } of outcomes) if (!ran) expect(['locked', 'interval']).toContain(reason)
    expect(unwrap(await readCuratorState(options.storage)).runCount).toBe(4)
  })
})
