import { describe, expect, it } from 'vitest'
import { skillText, treeOf, unwrap, usageOnFullDisk, write } from '../../../test/support/skill-library.ts'
import { SkillStore } from '../../skills/skill-store.ts'
import { inMemoryBackend } from '../../storage/in-memory.ts'
import { moveDocuments } from '../../storage/one-document.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import { UsageStore } from '../../usage/usage-store.ts'
import { addToRun, beginRun, endRun, type JournalledTransition, readUnfinishedRuns } from './run-journal.ts'
import { recoverRuns } from './run-journal-recover.ts'

const START = Date.UTC(2026, 4, 16, 10)

const archiving = (name: string): JournalledTransition => ({ name, path: name, from: 'stale', to: 'archived' })

const open = async () => {
  const clock = manualClock(START)
  const storage = inMemoryBackend()
  const skills = new SkillStore({ storage, clock })
  const usage = new UsageStore({ storage, clock })
  for (const name of ['moved', 'said', 'waiting', 'lost', 'ageing', 'aged']) {
    await write(storage, { [`skills/${name}/SKILL.md`]: skillText(name) })
    unwrap(await usage.record(name, 'create', { createdBy: 'agent' }))
  }
  return { clock, storage, skills, usage }
}

const RUN = { runId: '2026-05-16T10-00-00Z', startedAt: START, backupId: '2026-05-16T10-00-00Z', planned: [archiving('moved')] }

describe('the journal of a run', () => {
  it('is there from the beginning of the run to its end, and has an end without one', async () => {
    const { storage } = await open()
    unwrap(await beginRun(storage, RUN))
    unwrap(await addToRun(storage, RUN.runId, [archiving('said')]))
    expect(unwrap(await readUnfinishedRuns(storage))).toEqual({
      runs: [{ ...RUN, planned: [archiving('moved'), archiving('said')] }],
      problems: [],
    })
    unwrap(await endRun(storage, RUN.runId))
    unwrap(await endRun(storage, RUN.runId))
    expect(unwrap(await readUnfinishedRuns(storage)).runs).toEqual([])
    expect(await treeOf(storage, 'curator/backups')).toEqual({})
  })

  it('belongs to one run alone, under a name that leads nowhere else', async () => {
    const { storage } = await open()
    unwrap(await beginRun(storage, RUN))
    expect(await beginRun(storage, RUN)).toMatchObject({ ok: false, error: { code: 'occupied' } })
    for (const runId of ['', '.x', '../x', 'a/b', 'x'.repeat(101)]) {
      expect(await beginRun(storage, { ...RUN, runId })).toMatchObject({ ok: false, error: { code: 'invalid' } })
    }
    expect(await addToRun(storage, 'other', [])).toMatchObject({ ok: false, error: { code: 'not_found' } })
  })

  it('is written once for any number of transitions', async () => {
    const inner = inMemoryBackend()
    let writes = 0
    const storage: StorageBackend = {
      ...inner,
      update: (paths, plan, options) => {
        writes++
        return inner.update(paths, plan, options)
      },
    }
    const planned = Array.from({ length: 1000 }, (_, index) => archiving(`skill-${index}`))
    unwrap(await beginRun(storage, { ...RUN, planned }))
    expect(writes).toBe(1)
  })
})

describe('a run that was interrupted', () => {
  it('is settled at the next start: what had moved gets its state, the rest is reported', async () => {
    const { storage, skills, usage } = await open()
    const planned: readonly JournalledTransition[] = [
      ...['moved', 'said', 'waiting', 'lost'].map(archiving),
      { name: 'ageing', path: 'ageing', from: 'active', to: 'stale' },
      { name: 'aged', path: 'aged', from: 'active', to: 'stale' },
    ]
    unwrap(await beginRun(storage, { ...RUN, planned }))
    unwrap(await skills.archive('moved', { reason: 'unused' }))
    unwrap(await skills.archive('said', { reason: 'unused' }))
    unwrap(await usage.setState('said', 'archived'))
    unwrap(await usage.setState('aged', 'stale'))
    unwrap(await moveDocuments(storage, 'skills/lost', 'elsewhere'))

    const { runs, problems } = unwrap(await recoverRuns({ storage, skills, usage }))
    expect(runs).toEqual([
      {
        runId: RUN.runId,
        startedAt: START,
        backupId: RUN.backupId,
        done: ['said', 'aged'],
        repaired: ['moved'],
        open: ['waiting', 'ageing'],
        gone: ['lost'],
      },
    ])
    expect(problems).toEqual([])
    expect(await usage.get('moved')).toMatchObject({ state: 'archived', archivedAt: START })
    expect(unwrap(await recoverRuns({ storage, skills, usage })).runs).toEqual([])
  })

  it('takes no older skill of the same name in the archive for the one it was to move', async () => {
    const { clock, storage, skills, usage } = await open()
    unwrap(await skills.archive('moved', { reason: 'unused' }))
    clock.advance(60_000)
    await write(storage, { 'skills/moved/SKILL.md': skillText('moved', 'Anew.') })
    unwrap(await usage.record('moved', 'create', { createdBy: 'agent' }))
    unwrap(await beginRun(storage, { ...RUN, startedAt: clock() }))
    unwrap(await moveDocuments(storage, 'skills/moved', 'skills/ops/moved'))
    expect(unwrap(await recoverRuns({ storage, skills, usage })).runs).toMatchObject([{ gone: ['moved'], repaired: [] }])
    expect(await usage.get('moved')).toMatchObject({ state: 'active' })
  })

  it('stays in the journal if it cannot be completed, for the start after', async () => {
    const { storage, skills, usage } = await open()
    unwrap(await beginRun(storage, RUN))
    unwrap(await skills.archive('moved', { reason: 'unused' }))
    expect(await recoverRuns({ storage, skills, usage: usageOnFullDisk(storage) })).toMatchObject({
      ok: false,
      error: { code: 'no_space' },
    })
    expect(unwrap(await recoverRuns({ storage, skills, usage })).runs).toMatchObject([{ repaired: ['moved'] }])
  })

  it('is reported if its journal cannot be read, and hides no other', async () => {
    const { storage, skills, usage } = await open()
    unwrap(await beginRun(storage, RUN))
    await write(storage, { 'curator/backups/.runs/broken.json': '{' })
    const { runs, problems } = unwrap(await recoverRuns({ storage, skills, usage }))
    expect(runs).toHaveLength(1)
    expect(problems).toMatchObject([{ code: 'unreadable', details: { path: 'curator/backups/.runs/broken.json' } }])
  })
})
