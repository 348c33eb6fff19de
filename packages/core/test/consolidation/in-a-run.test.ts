/** Consolidation as the last step of a whole run, on disk: backup first, results in the report, and a rollback. */
import { describe, expect, it } from 'vitest'
import { createSkillBackup } from '../../src/curator/backup/skill-backup.ts'
import { curate } from '../../src/curator/curate.ts'
import { rollback } from '../../src/curator/rollback/rollback.ts'
import { readUnfinishedRuns } from '../../src/curator/run-journal/run-journal.ts'
import { consolidateSkills } from '../../src/merging/consolidate-skills.ts'
import { consolidatingStep } from '../../src/merging/merging.ts'
import { toConsolidationNote } from '../../src/merging/note.ts'
import { HermesError } from '../../src/shared/hermes-error.ts'
import { err, ok } from '../../src/shared/result.ts'
import { fileSystemBackend } from '../../src/storage/files/index.ts'
import { temporaryFolder } from '../storage/support/temporary-home.ts'
import { textAt, treeOf, unwrap } from '../support/skill-library.ts'
import { asYaml, CREATE, DEFAULT_GATE, type GivenSkill, living, openLibrary, scripted, skillFiles, TRIAGE, toModel } from './library.ts'

const run = async (given: Readonly<Record<string, GivenSkill>>, plan: object) => {
  const storage = fileSystemBackend(await temporaryFolder())
  const library = await openLibrary(given, storage)
  const before = await skillFiles(storage)
  const backups: string[] = []
  const outcome = unwrap(
    await curate({
      ...library,
      createId: () => 'run-1',
      beforeChanges: async () => {
        expect(await skillFiles(storage)).toEqual(before)
        const backup = unwrap(await createSkillBackup({ ...library, reason: 'pre-curator-run' }))
        backups.push(backup.id)
        return ok(backup)
      },
      consolidate: async (step) => {
        const report = unwrap(
          await consolidateSkills({ ...library, model: toModel(scripted(plan).proposer), gate: DEFAULT_GATE, step, signal: step.signal }),
        )
        return ok(toConsolidationNote(report))
      },
    }),
  )
  if (!outcome) throw new Error('The run did not start.')
  return { storage, library, before, outcome, backups }
}

describe('a run with a consolidation', () => {
  it('takes one backup, merges, tells what was done, and closes its journal', async () => {
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
    expect(unwrap(await readUnfinishedRuns(storage)).runs).toEqual([])
  })

  it('takes none if the model leaves all as it is', async () => {
    const { backups, outcome, before, storage } = await run(TRIAGE, { consolidations: [] })
    expect(outcome.consolidation).toMatchObject({ calls: 1 })
    expect(backups).toEqual([])
    expect(await skillFiles(storage)).toEqual(before)
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
    unwrap(await consolidateSkills({ ...library, model: toModel(proposer), gate: DEFAULT_GATE }))
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
    const outcome = unwrap(
      await curate({
        ...library,
        createId: () => 'run-1',
        consolidate: consolidatingStep({
          ...library,
          model: toModel(async ({ user }) =>
            ok(
              asYaml(
                user.includes('needs-review')
                  ? CREATE
                  : { consolidations: [{ from: 'tea-green', into: 'tea-black', method: 'demote', reason: 'Too narrow.' }] },
              ),
            ),
          ),
          gate: async () => (asked++ === 0 ? ok({ approved: true, reason: 'fine' }) : err(new HermesError('gate', 'The policy is gone.'))),
        }),
      }),
    )
    if (!outcome) throw new Error('The run did not start.')
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

  it('lets each merged skill be restored separately', async () => {
    const { storage, library, before } = await run(TRIAGE, CREATE)
    const restored = unwrap(await library.skills.restore('pr-triage-labels'))
    expect(restored.archived).toMatchObject({ absorbedInto: 'pr-triage', reason: 'Both are triage.' })
    const now = await skillFiles(storage)
    for (const [path, text] of Object.entries(before)) if (path.startsWith('skills/pr-triage-labels/')) expect(now[path]).toBe(text)
  })
})
