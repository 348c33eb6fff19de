/** One pass over a library: which skills change state, which do not and why, and the result if something fails in the middle. */

import { describe, expect, it } from 'vitest'
import { recordActivity } from '../../src/curator/active-days.ts'
import type { CuratorReport } from '../../src/curator/report.ts'
import { runCurator as runAlone } from '../../src/entries/curator.ts'
import { grantManagement } from '../../src/ownership/grants.ts'
import { HermesError } from '../../src/shared/hermes-error.ts'
import { err } from '../../src/shared/result.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { updateDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import {
  contentsOf,
  DAY,
  NOON,
  openLibrary,
  pathsIn,
  readText,
  type SkillWords,
  skillText,
  unwrap,
  writeText,
} from '../support/curator-library.ts'
import { type RunParts, rollback, runCurator } from '../support/open-curator.ts'

const pass = async (library: Awaited<ReturnType<typeof openLibrary>>, options: Partial<RunParts> = {}): Promise<CuratorReport> =>
  unwrap(await runCurator({ ...library, ...options }))

const moves = ({ transitioned }: CuratorReport) => transitioned.map(({ name, from, to }) => `${name}: ${from} → ${to}`)
const skips = ({ skipped }: CuratorReport) => Object.fromEntries(skipped.map(({ name, reason }) => [name, reason]))

it('is one call for a program without the loop, with the storage left open', async () => {
  const { storage, clock } = await openLibrary({ old: { idleDays: 20 }, fresh: { idleDays: 1 } })
  const report = unwrap(await runAlone({ storage, clock, staleAfterDays: 5, archiveAfterDays: 10 }))
  expect([moves(report), skips(report)]).toEqual([['old: active → archived'], { fresh: 'no-change' }])
  expect(await pathsIn(storage)).toContain('skills/.archive/old/SKILL.md')
  await expect(runAlone({ storage, staleAfterDays: -1 })).rejects.toThrow(TypeError)
})

describe('a pass', () => {
  it('ages what was not used, brings back what was, and says why, in order of name', async () => {
    const library = await openLibrary({
      'z-old': { idleDays: 95, path: 'devops/z-old' },
      'm-idle': { idleDays: 45 },
      'a-back': { idleDays: 2, state: 'stale' },
      fresh: { idleDays: 1 },
      never: {},
      pinned: { idleDays: 400, pinned: true },
      mine: { idleDays: 400, by: 'user' },
      foreign: { by: 'none' },
    })
    const report = await pass(library)
    expect(moves(report)).toEqual(['a-back: stale → active', 'm-idle: active → stale', 'z-old: active → archived'])
    expect(skips(report)).toEqual({
      fresh: 'no-change',
      never: 'no-change',
      pinned: 'pinned',
      mine: 'not-agent-created',
      foreign: 'not-agent-created',
    })
    expect(report.transitioned.map(({ reason }) => reason)).toEqual([
      'Last active on 2026-05-30, 2 days ago: in use again.',
      'Last active on 2026-04-17, 45 days ago; stale after 30 days.',
      'Last active on 2026-02-26, 95 days ago; archived after 90 days.',
    ])
    expect(report.transitioned[2]?.archivedAs).toBe('.archive/z-old')
    expect(await pathsIn(library.storage, 'skills/.archive/z-old')).toEqual(['skills/.archive/z-old/SKILL.md'])
    const manifest = unwrap(await library.skills.listArchived()).entries[0]
    expect(manifest).toMatchObject({ name: 'z-old', from: 'devops/z-old', archivedAt: NOON, reason: report.transitioned[2]?.reason })
    expect(await library.usage.get('z-old')).toMatchObject({ state: 'archived', archivedAt: NOON })
    expect(await library.usage.get('foreign')).toBeUndefined()
    expect(moves(await pass(library))).toEqual([])
  })

  it('changes nothing in a dry run and tells what the run then does', async () => {
    const library = await openLibrary({ old: { idleDays: 95 }, idle: { idleDays: 45 }, lost: { idleDays: 1, path: '.archive/lost' } })
    const before = await contentsOf(library.storage)
    const preview = await pass(library, { dryRun: true })
    expect(await contentsOf(library.storage)).toEqual(before)
    const real = await pass(library)
    expect(moves(preview)).toEqual(moves(real))
    expect(preview).toMatchObject({ dryRun: true, repaired: ['lost'], skipped: real.skipped })
    expect(moves(real)).toEqual(['idle: active → stale', 'old: active → archived'])
  })

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

  it('does with a skill that was handed over only what was granted, from the day of the grant', async () => {
    const library = await openLibrary({ mine: { idleDays: 400, by: 'user' }, other: { idleDays: 400, by: 'user' } })
    unwrap(await grantManagement(library.storage, library.clock, { skills: ['mine'] }, { allow: ['stale'] }))
    expect(moves(await pass(library))).toEqual([])
    library.clock.advance(200 * DAY)
    const report = await pass(library)
    expect(moves(report)).toEqual(['mine: active → stale'])
    expect(report.transitioned[0]?.reason).toBe('Handed over on 2026-06-01, 200 days ago; stale after 30 days.')
    expect(skips(report)).toEqual({ other: 'not-agent-created' })
    expect(moves(await pass(library))).toEqual([])
    unwrap(await grantManagement(library.storage, library.clock, { all: true }, { until: library.clock() + 100 * DAY }))
    library.clock.advance(101 * DAY)
    expect(skips(await pass(library))).toEqual({ mine: 'no-change', other: 'not-agent-created' })
  })

  it('gives a skill longer windows each time it came back, and advises a pin', async () => {
    const library = await openLibrary({ once: { idleDays: 95, misjudgements: 1 }, thrice: { idleDays: 300, misjudgements: 3 } })
    const report = await pass(library)
    expect(moves(report)).toEqual(['once: active → stale', 'thrice: active → stale'])
    expect(report.transitioned[0]?.reason).toContain('stale after 60 days.')
    expect(report.warnings).toEqual([expect.stringMatching(/'thrice' came back from the archive 3 times. Pin it/)])
  })

  it('restarts the clock of restored skills', async () => {
    const library = await openLibrary({ old: { idleDays: 95 } })
    await pass(library)
    unwrap(await library.skills.restore('old'))
    expect(moves(await pass(library))).toEqual([])
    library.clock.advance(59 * DAY)
    expect(moves(await pass(library))).toEqual([])
    library.clock.advance(DAY)
    expect((await pass(library)).transitioned[0]?.reason).toBe('Restored on 2026-06-01, 60 days ago; stale after 60 days.')
  })

  it('counts from creation if that is asked for', async () => {
    const report = await pass(await openLibrary({ never: {} }), { neverActive: 'from-creation' })
    expect(moves(report)).toEqual(['never: active → archived'])
    expect(report.transitioned[0]?.reason).toMatch(/^Never active; created on 2025-04-27, 400 days ago; archived after 90 days\.$/)
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

  it('lets a skill that cannot be moved stop no other', async () => {
    const storage = inMemoryBackend()
    const library = await openLibrary(LIBRARY, storage)
    await writeText(storage, 'skills/a/nested/SKILL.md', '---\nname: nested\ndescription: d\n---\nb\n')
    const report = await pass(library)
    expect(moves(report)).toEqual(['b: active → archived', 'c: active → archived', 'd: active → stale'])
    expect(report.skipped).toContainEqual({ name: 'a', reason: 'archive-failed', detail: expect.stringContaining('contains other skills') })
  })

  it('repairs the record of skills that were moved by a run that crashed before recording it', async () => {
    const library = await openLibrary({ gone: { idleDays: 95, path: '.archive/gone' }, lost: { idleDays: 95 } })
    await updateDocument(library.storage, 'skills/lost/SKILL.md', () => undefined)
    const report = await pass(library)
    expect(report).toMatchObject({ transitioned: [], repaired: ['gone'], skipped: [{ name: 'lost', reason: 'missing' }] })
    expect(await library.usage.get('gone')).toMatchObject({ state: 'archived' })
    expect(await pass(library)).toMatchObject({ repaired: [], skipped: [{ name: 'gone', reason: 'archived' }, { name: 'lost' }] })
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

  it('takes no record for that of an archived skill while a skill cannot be read that may have the name', async () => {
    const library = await openLibrary({ deploy: { idleDays: 1, path: 'ops/rollout' } })
    await writeText(library.storage, 'skills/.archive/deploy/SKILL.md', skillText('deploy'))
    const readable = await readText(library.storage, 'skills/ops/rollout/SKILL.md')
    await updateDocument(library.storage, 'skills/ops/rollout/SKILL.md', () => new Uint8Array([0xff, 0xfe, 0xfd]))
    expect(skips(await pass(library))).toEqual({ deploy: 'archived', rollout: 'unreadable' })
    expect(await library.usage.get('deploy')).toMatchObject({ state: 'active' })
    await writeText(library.storage, 'skills/ops/rollout/SKILL.md', readable ?? '')
    expect(skips(await pass(library))).toEqual({ deploy: 'no-change' })
  })
})

describe('another process', () => {
  it('keeps what it uses or pins while the backup is taken: nothing of it moves', async () => {
    const storage = inMemoryBackend()
    const library = await openLibrary(
      { used: { idleDays: 95 }, pinned: { idleDays: 95 }, idle: { idleDays: 45 }, old: { idleDays: 95 } },
      storage,
    )
    let isDone = false
    const busy: StorageBackend = {
      ...storage,
      update: async (paths, plan, options) => {
        if (!isDone && paths.includes('curator/backups/')) {
          isDone = true
          for (const name of ['used', 'idle']) unwrap(await library.usage.record(name, 'use'))
          unwrap(await library.usage.pin('pinned'))
        }
        return storage.update(paths, plan, options)
      },
    }
    const report = await pass({ ...library, storage: busy })
    expect(moves(report)).toEqual(['old: active → archived'])
    expect(skips(report)).toEqual({ used: 'no-change', pinned: 'pinned', idle: 'no-change' })
    expect(await library.usage.get('used')).toMatchObject({ state: 'active', useCount: 2 })
    expect(await library.usage.get('pinned')).toMatchObject({ state: 'active', pinned: true })
  })

  it('may write a skill while the backup is taken: the run begins again, and the backup has the new text', async () => {
    const storage = inMemoryBackend()
    const library = await openLibrary({ old: { idleDays: 95 }, kept: { idleDays: 1 } }, storage)
    const text = `${skillText('kept')}More.\n`
    let isDone = false
    const busy: StorageBackend = {
      ...storage,
      update: async (paths, plan, options) => {
        if (!isDone && paths.includes('curator/backups/')) {
          isDone = true
          await writeText(storage, 'skills/kept/SKILL.md', text)
        }
        return storage.update(paths, plan, options)
      },
    }
    expect(moves(await pass({ ...library, storage: busy }))).toEqual(['old: active → archived'])
    await writeText(storage, 'skills/kept/SKILL.md', skillText('kept'))
    unwrap(await rollback({ storage, clock: library.clock }))
    expect(await readText(storage, 'skills/kept/SKILL.md')).toBe(text)
  })

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
})

describe('what fails changes nothing', () => {
  it('but the time after which the run may be tried again', async () => {
    const storage = inMemoryBackend()
    const library = await openLibrary({ old: { idleDays: 95 } }, storage)
    const before = await contentsOf(storage)
    const full: StorageBackend = {
      ...storage,
      update: async (paths, plan, options) =>
        paths.includes('curator/backups/') ? err(new HermesError('no_space', 'The disk is full.')) : storage.update(paths, plan, options),
    }
    expect(await runCurator({ ...library, storage: full })).toMatchObject({ ok: false, error: { code: 'no_space' } })
    expect(await contentsOf(storage)).toEqual({ ...before, 'skills/.curator_state': expect.stringContaining('The disk is full.') })
  })

  it('and a run that is asked to stop before', async () => {
    const library = await openLibrary({ old: { idleDays: 95 } })
    const before = await contentsOf(library.storage)
    expect(await pass(library, { signal: AbortSignal.abort() })).toMatchObject({ aborted: true, transitioned: [] })
    expect(await contentsOf(library.storage)).toEqual(before)
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
