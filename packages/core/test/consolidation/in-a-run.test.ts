/** The consolidation as the last step of a whole run, on a real disk: backup first, facts in the report, and a way back. */
import { describe, expect, it } from 'vitest'
import { consolidateSkills } from '../../src/curator/consolidate-skills.ts'
import { toConsolidationNote } from '../../src/curator/consolidation-note.ts'
import type { ConsolidationReport } from '../../src/curator/consolidation-report.ts'
import { curate } from '../../src/curator/curate.ts'
import { rollback } from '../../src/curator/rollback.ts'
import { readUnfinishedRuns } from '../../src/curator/run-journal.ts'
import { createSkillBackup } from '../../src/curator/skill-backup.ts'
import { ok } from '../../src/shared/result.ts'
import { fileSystemBackend } from '../../src/storage/backends/file-system/index.ts'
import { temporaryFolder } from '../storage/support/temporary-home.ts'
import { textAt, treeOf, unwrap } from '../support/skill-library.ts'
import { CREATE, DEFAULT_GATE, type GivenSkill, living, openLibrary, scripted, skillFiles, TRIAGE } from './library.ts'

const run = async (given: Readonly<Record<string, GivenSkill>>, plan: object) => {
  const storage = fileSystemBackend(await temporaryFolder())
  const library = await openLibrary(given, storage)
  const before = await skillFiles(storage)
  const reports: ConsolidationReport[] = []
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
          await consolidateSkills({ ...library, proposer: scripted(plan).proposer, gate: DEFAULT_GATE, step, signal: step.signal }),
        )
        reports.push(report)
        return ok(toConsolidationNote(report))
      },
    }),
  )
  if (!outcome.started) throw new Error('The run did not start.')
  return { storage, library, before, outcome, reports, backups }
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

  it('takes none where the model leaves all as it is', async () => {
    const { backups, reports, before, storage } = await run(TRIAGE, { consolidations: [] })
    expect(reports).toHaveLength(1)
    expect(backups).toEqual([])
    expect(await skillFiles(storage)).toEqual(before)
  })

  it('can be gone back from: every skill is where it was, and the umbrella is put away, not lost', async () => {
    const { storage, library, before } = await run(TRIAGE, CREATE)
    const umbrella = await textAt(storage, 'skills/pr-triage/SKILL.md')
    unwrap(await rollback({ storage, clock: library.clock }))
    const now = await skillFiles(storage)
    for (const [path, text] of Object.entries(before)) expect(now[path]).toBe(text)
    expect(await living(library)).toEqual(['pr-triage-labels', 'pr-triage-stale', 'write-haiku'])
    expect(Object.values(await treeOf(storage))).toContain(umbrella)
    expect(await library.usage.get('pr-triage-labels')).toMatchObject({ state: 'active' })
  })

  it('lets each merged skill be restored by itself', async () => {
    const { storage, library, before } = await run(TRIAGE, CREATE)
    const restored = unwrap(await library.skills.restore('pr-triage-labels'))
    expect(restored.archived).toMatchObject({ absorbedInto: 'pr-triage', reason: 'Both are triage.' })
    const now = await skillFiles(storage)
    for (const [path, text] of Object.entries(before)) if (path.startsWith('skills/pr-triage-labels/')) expect(now[path]).toBe(text)
  })
})
