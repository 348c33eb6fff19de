/** Whole runs: backup, transitions, journal, report and state, in one update; requested and scheduled. */
import { describe, expect, it } from 'vitest'
import { recordActivity } from '../../src/curator/active-days.ts'
import { listBackups } from '../../src/curator/backups.ts'
import type { CuratorReport, CuratorRun } from '../../src/curator/report.ts'
import { CURATOR_STATE_PATH, updateCuratorState } from '../../src/curator/state.ts'
import { createJournal } from '../../src/journal/journal.ts'
import { HermesError } from '../../src/shared/hermes-error.ts'
import { err } from '../../src/shared/result.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { updateDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { contentsOf, DAY, NOON, openLibrary, readText, type SkillWords, skillText, unwrap, writeText } from '../support/curator-library.ts'
import { archiveSkill, curate, maybeRunCurator, type RunParts, restoreSkill, runCurator } from '../support/open-curator.ts'

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

/** One pass over a library: which skills change state, which do not and why, and the result if something fails in the middle. */
const pass = async (library: Awaited<ReturnType<typeof openLibrary>>, options: Partial<RunParts> = {}): Promise<CuratorReport> =>
  unwrap(await runCurator({ ...library, ...options }))

const moves = ({ transitioned }: CuratorReport) => transitioned.map(({ name, from, to }) => `${name}: ${from} → ${to}`)
const skips = ({ skipped }: CuratorReport) => Object.fromEntries(skipped.map(({ name, reason }) => [name, reason]))

describe('a pass', () => {
  it('never touches what came with the product or from a hub, nor a skill whose name is not its own', async () => {
    const library = await openLibrary({
      plan: { idleDays: 400 },
      hubbed: { idleDays: 400, path: 'x/hubbed' },
      twin: { idleDays: 400, path: 'a/twin' },
    })
    await writeText(library.storage, 'skills/b/twin/SKILL.md', '---\nname: twin\ndescription: d\n---\nb\n')
    await writeText(library.storage, 'skills/.bundled_manifest', 'plan:1\n')
    await writeText(library.storage, 'skills/.hub/lock.json', '{"installed":{"other":{"install_path":"x/hubbed"}}}')
    await updateDocument(library.storage, 'skills/broken/SKILL.md', () => new Uint8Array([0xff, 0xfe, 0xfd]))
    const report = await pass(library)
    expect(moves(report)).toEqual([])
    expect(skips(report)).toEqual({ plan: 'bundled', hubbed: 'hub', twin: 'ambiguous', broken: 'unreadable' })
    expect(report.skipped.find(({ name }) => name === 'twin')?.detail).toBe('a/twin, b/twin')
  })
})

describe('ageing by active days', () => {
  it('keeps the skills of a person who was away, and takes one step at a time', async () => {
    const library = await openLibrary({ idle: { idleDays: 400 } })
    expect(moves(await pass(library, { countBy: 'active-days' }))).toEqual([])
    for (let day = 0; day < 120; day++) {
      library.clock.advance(DAY)
      unwrap(await recordActivity(library.storage, library.clock))
      if (day === 28) expect(moves(await pass(library, { countBy: 'active-days' }))).toEqual([])
    }
    const report = await pass(library, { countBy: 'active-days' })
    expect(moves(report)).toEqual(['idle: active → stale'])
    expect(report.transitioned[0]?.reason).toContain('stale after 30 days of use.')
    expect(moves(await pass(library, { countBy: 'active-days' }))).toEqual(['idle: stale → archived'])
  })

  it('stops at a list that cannot be read', async () => {
    const library = await openLibrary({ idle: { idleDays: 400 } })
    await writeText(library.storage, 'curator/active-days.json', '{}')
    expect(await runCurator({ ...library, countBy: 'active-days' })).toMatchObject({ ok: false, error: { code: 'unreadable' } })
  })
})

describe('what fails', () => {
  const LIBRARY: Readonly<Record<string, SkillWords>> = {
    a: { idleDays: 95 },
    b: { idleDays: 95 },
    c: { idleDays: 95 },
    d: { idleDays: 45 },
  }

  it('stops before anything is done if pins, marks or options cannot be read', async () => {
    const broken = ['skills/.usage.json', 'skills/.bundled_manifest', 'skills/.hub/lock.json', 'curator/managed.json']
    for (const path of broken) {
      const library = await openLibrary(LIBRARY)
      await updateDocument(library.storage, path, () => new Uint8Array([0x7b, 0xff]))
      const before = await contentsOf(library.storage)
      expect(await runCurator(library), path).toMatchObject({ ok: false, error: { code: 'unreadable' } })
      expect(await contentsOf(library.storage)).toEqual({ ...before, 'skills/.curator_state': expect.stringContaining('auto: not done') })
    }
    const library = await openLibrary(LIBRARY)
    expect(await runCurator({ ...library, staleAfterDays: Number.NaN })).toMatchObject({ ok: false, error: { code: 'invalid' } })
  })

  it('corrects the record of a skill that was moved back without being recorded, with a fresh clock and a misjudgement', async () => {
    const library = await openLibrary({ back: { idleDays: 400, state: 'archived' }, reused: { idleDays: 400, state: 'archived' } })
    await writeText(library.storage, 'skills/.archive/reused/SKILL.md', skillText('reused'))
    const preview = await pass(library, { dryRun: true })
    const report = await pass(library)
    for (const each of [preview, report]) expect(each).toMatchObject({ transitioned: [], repaired: ['back'] })
    expect(await library.usage.get('back')).toMatchObject({ state: 'active', restoredAt: NOON, misjudgements: 1 })
    // The record belongs to the archived skill, not to the new one with the same name.
    expect(report.warnings).toEqual([expect.stringMatching(/'reused' does not age.*an archived skill/)])
    expect(await library.usage.get('reused')).toMatchObject({ state: 'archived', misjudgements: 0 })
    library.clock.advance(59 * DAY)
    expect(await pass(library)).toMatchObject({ transitioned: [], repaired: [] })
    library.clock.advance(2 * DAY)
    expect(moves(await pass(library))).toEqual(['back: active → stale'])
  })
})

describe('another process', () => {
  it('may run at the same time: each skill moves once', async () => {
    const storage = inMemoryBackend()
    const names = Array.from({ length: 30 }, (_, index) => `skill-${index}`)
    const library = await openLibrary(Object.fromEntries(names.map((name) => [name, { idleDays: 95 }])), storage)
    const [a, b] = await Promise.all([pass(library), pass(library)])
    const all = unwrap(await library.skills.listArchived()).entries
    expect(all.map(({ name }) => name).sort()).toEqual([...names].sort())
    for (const name of names) expect(await library.usage.get(name)).toMatchObject({ state: 'archived' })
    expect(a.transitioned.length + b.transitioned.length).toBe(names.length)
  })

  it('keeps what it uses or pins while the backup is taken: nothing of it moves', async () => {
    const library = await openLibrary({
      used: { idleDays: 95 },
      pinned: { idleDays: 95 },
      idle: { idleDays: 45 },
      old: { idleDays: 95 },
    })
    let isDone = false
    const storage: StorageBackend = {
      ...library.storage,
      update: async (paths, plan, options) => {
        if (!isDone && paths.includes('curator/backups/')) {
          isDone = true
          for (const name of ['used', 'idle']) unwrap(await library.usage.record(name, 'use'))
          unwrap(await library.usage.pin('pinned'))
        }
        return library.storage.update(paths, plan, options)
      },
    }
    const report = await pass({ ...library, storage })
    expect(moves(report)).toEqual(['old: active → archived'])
    expect(skips(report)).toEqual({ used: 'no-change', pinned: 'pinned', idle: 'no-change' })
    expect(await library.usage.get('pinned')).toMatchObject({ state: 'active', pinned: true })
  })
})

describe('its cost', () => {
  it('is one update, whatever the number of skills, and each skill is read twice: for its name and for the backup', async () => {
    const counts = async (count: number) => {
      const storage = inMemoryBackend()
      const words = (index: number): SkillWords => ({ idleDays: index % 2 === 0 ? 95 : 45, path: `c${index % 7}/s${index}` })
      const library = await openLibrary(
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${index}`, words(index)])),
        storage,
      )
      const calls = { list: 0, updates: 0, skillReads: 0 }
      const counted: StorageBackend = {
        ...storage,
        list: (prefix) => {
          if (prefix === 'skills') calls.list++
          return storage.list(prefix)
        },
        read: (paths) => {
          calls.skillReads += paths.filter((path) => path.endsWith('/SKILL.md')).length
          return storage.read(paths)
        },
        update: (paths, plan, options) => {
          calls.updates++
          return storage.update(paths, plan, options)
        },
      }
      expect((await pass({ ...library, storage: counted })).transitioned).toHaveLength(count)
      return calls
    }
    const [small, large] = [await counts(200), await counts(800)]
    expect(large.list).toBe(small.list)
    expect([small.updates, large.updates]).toEqual([1, 1])
    expect([small.skillReads, large.skillReads]).toEqual([400, 1_600])
  })
})

/** Manual commands: which skills can be archived and restored by hand, and how that changes their records. */
describe('skill archive', () => {
  const open = async (skills: Readonly<Record<string, SkillWords>>) => {
    const library = await openLibrary(skills)
    let ids = 0
    return { ...library, journal: createJournal({ ...library, createId: () => `id-${++ids}` }) }
  }

  it('puts a skill away and brings it back to where it was, with a record and a journal of both', async () => {
    const deps = await open({ deploy: { idleDays: 1, path: 'devops/deploy' } })
    const put = unwrap(await archiveSkill('deploy', deps, { reason: 'the cluster is gone' }))
    expect(put).toMatchObject({ archived: { from: 'devops/deploy', reason: 'the cluster is gone', archivedAt: NOON } })
    expect(await deps.usage.get('deploy')).toMatchObject({ state: 'archived', archivedAt: NOON })
    deps.clock.advance(DAY)
    const back = unwrap(await restoreSkill('deploy', deps))
    expect(back).toMatchObject({ restored: { skill: { path: 'devops/deploy', name: 'deploy' } } })
    expect(await readText(deps.storage, 'skills/devops/deploy/SKILL.md')).toBeDefined()
    expect(await deps.usage.get('deploy')).toMatchObject({ state: 'active', archivedAt: 0, restoredAt: NOON + DAY, misjudgements: 1 })
    expect(unwrap(await deps.journal.list()).map(({ actor, op, reason }) => [actor, op?.action, reason])).toEqual([
      ['host', 'archive', 'the cluster is gone'],
      ['host', undefined, expect.stringContaining("'deploy' was restored")],
    ])
  })

  it('refuses one that is pinned or belongs to the product or a hub, but not a user’s own', async () => {
    const deps = await open({
      pinned: { pinned: true },
      plan: {},
      hubbed: { path: 'x/hubbed' },
      mine: { by: 'user' },
      bare: { by: 'none' },
    })
    await writeText(deps.storage, 'skills/.bundled_manifest', 'plan:1\n')
    await writeText(deps.storage, 'skills/.hub/lock.json', '{"installed":{"hub-key":{"install_path":"x/hubbed"}}}')
    const before = await contentsOf(deps.storage)
    const refusals = { pinned: /Unpin it first/, plan: /came with the product/, hubbed: /from a hub/ }
    for (const [name, says] of Object.entries(refusals)) {
      const refused = await archiveSkill(name, deps)
      expect(refused, name).toMatchObject({ ok: false, error: { code: 'rejected', message: expect.stringMatching(says) } })
    }
    expect(await contentsOf(deps.storage)).toEqual(before)
    for (const name of ['mine', 'bare']) {
      unwrap(await archiveSkill(name, deps))
      expect(await deps.usage.get(name)).toMatchObject({ state: 'archived' })
    }
  })

  it('leaves the record to a living skill of the same name', async () => {
    const deps = await open({ twin: { idleDays: 1, path: 'a/twin' } })
    await writeText(deps.storage, 'skills/b/other/SKILL.md', skillText('twin'))
    unwrap(await archiveSkill('a/twin', deps))
    expect(await deps.usage.get('twin')).toMatchObject({ state: 'active' })
    unwrap(await archiveSkill('b/other', deps))
    expect(await deps.usage.get('twin')).toMatchObject({ state: 'archived' })
  })

  it.each(['curator/managed.json', 'skills/.usage.json', 'skills/.usage-corrupt/a.json'])(
    'decides nothing while %s is unreadable',
    async (path) => {
      const deps = await open({ a: {}, away: {} })
      unwrap(await archiveSkill('away', deps))
      await writeText(deps.storage, path, 'oops')
      const before = await contentsOf(deps.storage)
      for (const refused of [await archiveSkill('a', deps), await restoreSkill('away', deps)])
        expect(refused).toMatchObject({ ok: false, error: { code: 'unreadable' } })
      expect(await contentsOf(deps.storage)).toEqual(before)
    },
  )

  it('brings nothing back under a name that the product or a hub has taken', async () => {
    const deps = await open({ plan: { idleDays: 1 }, tool: { idleDays: 1 } })
    for (const name of ['plan', 'tool']) unwrap(await archiveSkill(name, deps))
    await writeText(deps.storage, 'skills/.bundled_manifest', 'plan:1\n')
    await writeText(deps.storage, 'skills/.hub/lock.json', '{"installed":{"tool":{}}}')
    for (const name of ['plan', 'tool', '.archive/plan']) {
      expect(await restoreSkill(name, deps), name).toMatchObject({ ok: false, error: { code: 'rejected' } })
    }
    expect(await restoreSkill('nothing', deps)).toMatchObject({ ok: false, error: { code: 'not_found' } })
  })

  it('moves nothing if the journal cannot be written', async () => {
    const deps = await open({ a: { idleDays: 1 } })
    const before = await contentsOf(deps.storage)
    const storage: StorageBackend = {
      ...deps.storage,
      update: async (paths, plan, options) =>
        paths.some((path) => path.startsWith('journal/'))
          ? err(new HermesError('no_space', 'The disk is full.'))
          : deps.storage.update(paths, plan, options),
    }
    expect(await archiveSkill('a', { ...deps, storage })).toMatchObject({ ok: false, error: { code: 'no_space' } })
    expect(await contentsOf(deps.storage)).toEqual(before)
  })
})
