/** Whole runs: backup, transitions, journal, report and state, in one update; requested and scheduled. */

import { describe, expect, it } from 'vitest'
import { listBackups } from '../../src/curator/backups.ts'
import type { CuratorRun } from '../../src/curator/report.ts'
import { CURATOR_STATE_PATH, updateCuratorState } from '../../src/curator/state.ts'
import { createJournal } from '../../src/journal/journal.ts'
import { HermesError } from '../../src/shared/hermes-error.ts'
import { err } from '../../src/shared/result.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { contentsOf, DAY, NOON, openLibrary, readText, unwrap, writeText } from '../support/curator-library.ts'
import { curate, maybeRunCurator, openCurator, type RunParts } from '../support/open-curator.ts'

const HOUR = 3_600_000
const LIBRARY = { old: { idleDays: 95 }, idle: { idleDays: 45 }, fresh: { idleDays: 1 } }

const open = async (storage: StorageBackend = inMemoryBackend(), skills: Parameters<typeof openLibrary>[0] = LIBRARY) => {
  const library = await openLibrary(skills, storage)
  let ids = 0
  return { ...library, createId: () => `run-${++ids}`, journal: createJournal({ ...library, createId: () => `journal-${++ids}` }) }
}

const run = async (options: RunParts): Promise<CuratorRun> => unwrap(await curate(options))

const failingAt = (storage: StorageBackend, fails: (path: string) => boolean): StorageBackend => ({
  ...storage,
  update: (paths, plan, options) =>
    paths.some(fails) ? Promise.resolve(err(new HermesError('no_space', 'The disk is full.'))) : storage.update(paths, plan, options),
})

const stateOf = async (storage: StorageBackend) => JSON.parse((await readText(storage, CURATOR_STATE_PATH)) ?? '{}')

describe('a run', () => {
  it('takes a backup, moves, and leaves a report, a state and a journal that name every skill and why', async () => {
    const options = await open()
    const outcome = await run(options)
    expect(unwrap(await listBackups(options.storage)).backups).toMatchObject([{ id: outcome.backupId, reason: 'pre-curator-run' }])
    expect(outcome).toMatchObject({ reportPath: 'logs/curator/20260601-120000', problems: [] })

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
  })

  it('does nothing if its backup, report or journal cannot be written, tells so in the state, and may be tried again in an hour', async () => {
    for (const folder of ['curator/backups/', 'logs/', 'journal/']) {
      const options = await open()
      const storage = failingAt(options.storage, (path) => path.startsWith(folder))
      expect(await curate({ ...options, storage })).toMatchObject({ ok: false, error: { code: 'no_space' } })
      expect(await options.usage.get('old')).toMatchObject({ state: 'active' })
      expect(await readText(options.storage, 'skills/old/SKILL.md')).toBeDefined()
      expect(await stateOf(options.storage)).toMatchObject({
        last_run_summary: 'auto: not done; failed: The disk is full.',
        _retry_at: '2026-06-01T13:00:00+00:00',
      })
    }
  })

  it('starts nothing if its state cannot be saved', async () => {
    const options = await open()
    const storage = failingAt(options.storage, (path) => path === CURATOR_STATE_PATH)
    expect(await curate({ ...options, storage })).toMatchObject({ ok: false, error: { code: 'no_space' } })
    expect(await options.usage.get('old')).toMatchObject({ state: 'active' })
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

  it('says why it does not run', async () => {
    const options = await due()
    const before = await contentsOf(options.storage)
    expect(await maybeRunCurator({ ...options, idleMs: HOUR })).toEqual({ ran: false, reason: 'not-idle' })
    expect(await maybeRunCurator({ ...options, enabled: false })).toEqual({ ran: false, reason: 'disabled' })
    expect(await contentsOf(options.storage)).toEqual(before)
    unwrap(await openCurator(options).pause())
    expect(await maybeRunCurator(options)).toEqual({ ran: false, reason: 'paused' })
  })

  it('tells a failure and never throws it, and comes back after an hour', async () => {
    const options = await due()
    const storage = failingAt(options.storage, (path) => path === 'curator/backups/')
    expect(await maybeRunCurator({ ...options, storage })).toMatchObject({ ran: false, reason: 'failed', error: { code: 'no_space' } })
    expect(await maybeRunCurator(options)).toMatchObject({ ran: false, reason: 'interval', nextAt: NOON + HOUR })
    options.clock.advance(HOUR)
    expect(await maybeRunCurator(options)).toMatchObject({ ran: true, reason: 'ran' })
    expect(await stateOf(options.storage)).not.toHaveProperty('_retry_at')
    const first = { ...(await open()), idleMs: DAY }
    const unstamped = failingAt(first.storage, () => true)
    expect(await maybeRunCurator({ ...first, storage: unstamped })).toMatchObject({ ran: false, reason: 'failed' })
  })
})
