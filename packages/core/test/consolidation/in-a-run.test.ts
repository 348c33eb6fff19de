/** Consolidation as the last step of a whole run, on disk: backup first, results in the report, and a rollback. */
import { describe, expect, it } from 'vitest'
import { listBackups } from '../../src/curator/backups.ts'
import { mergeSkills } from '../../src/curator/merge/merge-skills.ts'
import { mergingRun } from '../../src/curator/merging-run.ts'
import { readCuratorState, updateCuratorState } from '../../src/curator/state.ts'
import { CURATOR_LOGS_FOLDER } from '../../src/curator/write-report.ts'
import { HermesError } from '../../src/shared/hermes-error.ts'
import { err, ok } from '../../src/shared/result.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { temporaryFolder } from '../storage/support/temporary-home.ts'
import { curate, curatorHome, rollback } from '../support/open-curator.ts'
import { textAt, treeOf, unwrap } from '../support/skill-library.ts'
import { asYaml, CREATE, DEFAULT_GATE, type GivenSkill, living, openLibrary, scripted, skillFiles, TRIAGE, toModel } from './library.ts'

const run = async (given: Readonly<Record<string, GivenSkill>>, plan: object) => {
  const storage = fileSystemBackend(await temporaryFolder())
  const library = await openLibrary(given, storage)
  const before = await skillFiles(storage)
  const model = toModel(scripted(plan).proposer)
  const outcome = unwrap(await curate({ ...library, gate: DEFAULT_GATE, model, consolidate: true }))
  const backups = unwrap(await listBackups(storage)).backups.map(({ id }) => id)
  return { storage, library, before, outcome, backups }
}

describe('a run with a consolidation', () => {
  it('takes one backup, merges, and tells what was done', async () => {
    const { storage, library, outcome, backups } = await run(TRIAGE, CREATE)
    expect(backups).toEqual([outcome.backupId])
    expect(outcome.problems).toEqual([])
    expect(await living(library)).toEqual(['pr-triage', 'write-haiku'])
    const json = JSON.parse((await textAt(storage, `${outcome.reportPath}/run.json`)) ?? '')
    expect(json).toMatchObject({
      counts: { consolidated_this_run: 2, pruned_this_run: 0, added_this_run: 1 },
      consolidated: [{ name: 'pr-triage-labels', into: 'pr-triage', source: 'declared' }, { name: 'pr-triage-stale' }],
      added: ['pr-triage'],
    })
    expect(await textAt(storage, `${outcome.reportPath}/REPORT.md`)).toContain('**pr-triage-labels** → **pr-triage** (create)')
    expect(JSON.parse((await textAt(storage, 'skills/.curator_state')) ?? '').last_run_summary).toContain('llm: 2 merged')
    expect(await textAt(storage, 'skills/.curator_state')).not.toContain('_merging')
  })

  it('can be undone: every skill is where it was, and the umbrella is archived, not lost', async () => {
    const { storage, library, before } = await run(TRIAGE, CREATE)
    const umbrella = await textAt(storage, 'skills/pr-triage/SKILL.md')
    unwrap(await rollback({ storage, clock: library.clock }))
    const now = await skillFiles(storage)
    for (const [path, text] of Object.entries(before)) expect(now[path]).toBe(text)
    expect(await living(library)).toEqual(['pr-triage-labels', 'pr-triage-stale', 'write-haiku'])
    expect(Object.values(await treeOf(storage))).toContain(umbrella)
    expect(await library.usage.get('pr-triage-labels')).toMatchObject({ state: 'active' })
  })

  it('that was undone is not merged again by the next run, because a person has refused it', async () => {
    const { storage, library } = await run(TRIAGE, CREATE)
    unwrap(await rollback({ storage, clock: library.clock }))
    const { proposer, requests } = scripted(CREATE)
    await mergeSkills(curatorHome({ ...library, gate: DEFAULT_GATE }), { model: toModel(proposer) })
    expect(requests).toEqual([])
    expect(await living(library)).toEqual(['pr-triage-labels', 'pr-triage-stale', 'write-haiku'])
  })

  it('that fails half-way tells in its report what was done until then', async () => {
    const given: Readonly<Record<string, GivenSkill>> = {
      ...TRIAGE,
      'tea-green': { description: 'How to brew green tea', body: 'Brew green tea at 75 degrees.' },
      'tea-black': { description: 'How to brew black tea', body: 'Brew black tea at 95 degrees.' },
    }
    const library = await openLibrary(given, fileSystemBackend(await temporaryFolder()))
    const { storage } = library
    let asked = 0
    const model = toModel(async ({ user }) =>
      ok(
        asYaml(
          user.includes('needs-review')
            ? CREATE
            : { consolidations: [{ from: 'tea-green', into: 'tea-black', method: 'demote', reason: 'Too narrow.' }] },
        ),
      ),
    )
    const outcome = unwrap(
      await curate({
        ...library,
        model,
        consolidate: true,
        gate: async () => (asked++ === 0 ? ok({ approved: true, reason: 'fine' }) : err(new HermesError('gate', 'The policy is gone.'))),
      }),
    )
    const merged = outcome.consolidation?.consolidated.map(({ name }) => name) ?? []
    expect(merged.length).toBeGreaterThan(0)
    expect(outcome.problems).toMatchObject([{ code: 'gate' }])
    const json = JSON.parse((await textAt(storage, `${outcome.reportPath}/run.json`)) ?? '')
    expect(json).toMatchObject({
      counts: { consolidated_this_run: merged.length },
      consolidated: merged.map((name) => ({ name })),
      error: expect.stringContaining('The policy is gone'),
    })
    const report = await textAt(storage, `${outcome.reportPath}/REPORT.md`)
    expect(report).toContain('ended early')
    for (const name of merged) expect(report).toContain(`**${name}** →`)
    const { last_run_summary: summary } = JSON.parse((await textAt(storage, 'skills/.curator_state')) ?? '')
    expect(summary).toMatch(/llm: \d merged.*failed: /)
  })

  it('asks no model while another run does, and at once if the process of that run is dead', async () => {
    const storage = fileSystemBackend(await temporaryFolder())
    const library = await openLibrary(TRIAGE, storage)
    const { proposer, requests } = scripted(CREATE)
    const { host } = mergingRun(library.clock(), () => 'id')
    expect(host).toMatch(/^[0-9a-f]{16}$/)
    const merging = { until: library.clock() + 60_000, process: 'another', pid: process.ppid, host }
    unwrap(await updateCuratorState(storage, () => ({ merging })))
    const options = { ...library, gate: DEFAULT_GATE, model: toModel(proposer), consolidate: true }
    expect(unwrap(await curate(options)).problems).toMatchObject([{ code: 'locked', message: expect.stringContaining('another run') }])
    expect(requests).toEqual([])
    // No process has this number, but on another machine one may have it.
    unwrap(await updateCuratorState(storage, () => ({ merging: { ...merging, pid: 2 ** 30, host: 'another' } })))
    expect(unwrap(await curate(options)).problems).toMatchObject([{ code: 'locked' }])
    unwrap(await updateCuratorState(storage, () => ({ merging: { ...merging, pid: 2 ** 30 } })))
    expect(unwrap(await curate(options)).consolidation?.consolidated).toHaveLength(2)
  })

  it.each(['resolves to an error', 'throws'])('tells what it has done if its end %s, and clears its mark', async (how) => {
    const library = await openLibrary(TRIAGE, fileSystemBackend(await temporaryFolder()))
    let reports = 0
    const storage: StorageBackend = {
      read: (paths) => library.storage.read(paths),
      list: (prefix) => library.storage.list(prefix),
      close: () => library.storage.close(),
      update: async (paths, plan, options) => {
        if (!paths.includes(`${CURATOR_LOGS_FOLDER}/`) || ++reports === 1) return library.storage.update(paths, plan, options)
        if (how === 'throws') throw new TypeError('A fault.')
        return err(new HermesError('no_space', 'The disk is full.'))
      },
    }
    const model = toModel(scripted(CREATE).proposer)
    const ran = unwrap(await curate({ ...library, storage, gate: DEFAULT_GATE, model, consolidate: true }))
    expect(ran.problems).toMatchObject([{ message: expect.stringContaining(how === 'throws' ? 'A fault.' : 'The disk is full.') }])
    expect(ran.report.aborted).toBe(false)
    expect(ran.consolidation?.consolidated).toHaveLength(2)
    expect(unwrap(await readCuratorState(library.storage)).state.merging).toBeUndefined()
  })
})
