/**
 * The faults of the reference, each with a test that we do not have it (reference skills-curator, sections 9 to 12, 14, 17 and 21). In the
 * order of section 21: its table first, then the faults that were found by running it.
 */

import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { listBackups } from '../../src/curator/backups.ts'
import { mergeSkills } from '../../src/curator/merge/merge-skills.ts'
import { prunableEntries } from '../../src/curator/prune.ts'
import type { CuratorReport, CuratorRun } from '../../src/curator/report.ts'
import { readCuratorState, updateCuratorState } from '../../src/curator/state.ts'
import { evidenceGate } from '../../src/gate/gates.ts'
import { EMPTY_GATE_CONTEXT } from '../../src/gate/review-gate.ts'
import { HermesError } from '../../src/shared/hermes-error.ts'
import { err } from '../../src/shared/result.ts'
import { findSimilarSkills } from '../../src/skills/similar-skills.ts'
import { renderSkillCatalog } from '../../src/skills/skill-catalog.ts'
import { SkillStore } from '../../src/skills/skill-store.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { updateDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { temporaryFolder } from '../storage/support/temporary-home.ts'
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
import {
  archiveSkill,
  createSkillBackup,
  curate,
  curatorHome,
  maybeRunCurator,
  type RunParts,
  restoreSkill,
  rollback,
  runCurator,
} from '../support/open-curator.ts'
import { reconcile } from '../support/reconcile.ts'

const HOUR = 3_600_000

const open = async (skills: Readonly<Record<string, SkillWords>>, storage: StorageBackend = inMemoryBackend()) => {
  const library = await openLibrary(skills, storage)
  let ids = 0
  const backUp = (reason = 'manual') => createSkillBackup({ ...library, reason })
  return { ...library, createId: () => `id-${++ids}`, backUp }
}

const run = async (options: RunParts): Promise<CuratorRun> => unwrap(await curate(options))

const full = () => Promise.resolve(err(new HermesError('no_space', 'The disk is full.')))

const liveSkills = async (storage: StorageBackend) =>
  unwrap(await new SkillStore({ storage }).list())
    .skills.map(({ name }) => name)
    .sort()

describe('what people complain about in the reference', () => {
  it('hand-written skills archived: only what the agent wrote, or a person handed over, ever moves', async () => {
    const options = await open({ mine: { idleDays: 900, by: 'user' }, unknown: { by: 'none' }, made: { idleDays: 900 } })
    const { report } = await run(options)
    expect(report.transitioned.map(({ name }) => name)).toEqual(['made'])
    expect(await liveSkills(options.storage)).toEqual(['mine', 'unknown'])
  })

  it('active skills archived without a merge: a model call that fails moves none of them', async () => {
    const options = await open({ a: { idleDays: 1 }, b: { idleDays: 2 }, old: { idleDays: 95 } })
    const model = () => Promise.reject(new Error('The model is gone.'))
    const outcome = await run({ ...options, consolidate: true, model })
    expect(outcome.report.transitioned.map(({ name }) => name)).toEqual(['old'])
    expect(outcome.consolidation).toMatchObject({ consolidated: [] })
    expect(await liveSkills(options.storage)).toEqual(['a', 'b'])
  })

  it('active skills archived by a wrong number: a window of nothing counts as a day, and no number is refused', async () => {
    const options = await open({ today: { idleDays: 0.5 } })
    expect((await run({ ...options, staleAfterDays: 0, archiveAfterDays: -1 })).report).toMatchObject({ transitioned: [] })
    expect(await runCurator({ ...options, archiveAfterDays: Number.NaN })).toMatchObject({ ok: false, error: { code: 'invalid' } })
  })

  it('cannot restore: each entry knows its name, place, time and reason, and comes back by name or id', async () => {
    const deps = await open({ deploy: { idleDays: 1, path: 'devops/rollout' } })
    const { archived } = unwrap(await archiveSkill('deploy', deps, { reason: 'unused' }))
    expect(unwrap(await deps.skills.listArchived()).entries).toMatchObject([
      { id: '.archive/rollout', name: 'deploy', from: 'devops/rollout', category: 'devops', archivedAt: NOON, reason: 'unused' },
    ])
    for (const called of ['deploy', 'rollout', archived.id]) {
      expect(unwrap(await restoreSkill(called, deps)).restored.skill.path, called).toBe('devops/rollout')
      unwrap(await archiveSkill('deploy', deps))
    }
  })

  it('cannot restore: of several of one name the newest comes back, not the oldest', async () => {
    const deps = await open({ deploy: { idleDays: 1 } })
    unwrap(await archiveSkill('deploy', deps))
    deps.clock.advance(DAY)
    await writeText(deps.storage, 'skills/deploy/SKILL.md', `${skillText('deploy')}Newer.\n`)
    unwrap(await archiveSkill('deploy', deps))
    expect(unwrap(await restoreSkill('deploy', deps)).restored.others).toMatchObject([{ id: '.archive/deploy' }])
    expect(await readText(deps.storage, 'skills/deploy/SKILL.md')).toContain('Newer.')
  })

  it('cannot restore: what a shell or Python Hermes moved, under a name with dashes in its time, comes back too', async () => {
    const deps = await open({})
    await writeText(deps.storage, 'skills/.archive/deploy-2026-05-12-101500/SKILL.md', skillText('deploy'))
    await writeText(deps.storage, 'skills/.archive/clean-20260512101500/SKILL.md', skillText('clean'))
    for (const name of ['deploy', 'clean']) expect(unwrap(await restoreSkill(name, deps)).restored.skill.path).toBe(name)
  })

  it('cannot restore: an archived skill with support files is one entry, and none of its folders is a skill', async () => {
    const deps = await open({ deploy: { idleDays: 1 } })
    await writeText(deps.storage, 'skills/deploy/references/package/SKILL.md', skillText('package'))
    unwrap(await archiveSkill('deploy', deps))
    expect(unwrap(await deps.skills.listArchived()).entries.map(({ name }) => name)).toEqual(['deploy'])
    expect(await restoreSkill('references', deps)).toMatchObject({ ok: false, error: { code: 'not_found' } })
    expect(await readText(deps.storage, 'skills/.archive/deploy/references/package/SKILL.md')).toBeDefined()
  })

  it('rollback loses skills: what the snapshot does not have goes to the archive, and its target is never pruned away', async () => {
    const options = await open({ old: { idleDays: 1 } })
    const { id } = unwrap(await options.backUp())
    await writeText(options.storage, 'skills/fresh/SKILL.md', skillText('fresh'))
    options.clock.advance(DAY)
    const { safetyId } = unwrap(await rollback({ ...options, target: id }))
    expect(unwrap(await options.skills.listArchived()).entries.map(({ name }) => name)).toEqual(['fresh'])
    unwrap(await rollback({ ...options, target: safetyId }))
    expect(await liveSkills(options.storage)).toEqual(['fresh', 'old'])
  })

  it('rollback stumbles over linked skills: they stay where they are, and the rest comes back', async () => {
    const home = temporaryFolder()
    const outside = temporaryFolder()
    const storage = fileSystemBackend(home)
    const options = await open({ a: { idleDays: 1 } }, storage)
    writeFileSync(`${outside}/SKILL.md`, skillText('linked'))
    mkdirSync(`${home}/skills/ops`)
    symlinkSync(outside, `${home}/skills/ops/linked`)
    const { id } = unwrap(await options.backUp())
    await writeText(storage, 'skills/a/SKILL.md', skillText('changed'))
    options.clock.advance(1000)
    unwrap(await rollback({ ...options, target: id }))
    expect(await readText(storage, 'skills/a/SKILL.md')).toBe(skillText('a'))
    expect(readFileSync(`${home}/skills/ops/linked/SKILL.md`, 'utf8')).toBe(skillText('linked'))
    await storage.close()
  })

  it('more linked skills than one can count: a run and a rollback leave them where they are, and do the rest', async () => {
    const home = temporaryFolder()
    const storage = fileSystemBackend(home)
    const names = Array.from({ length: 45 }, (_, index) => `linked-${index}`)
    const options = await open(Object.fromEntries([...names, 'plain'].map((name) => [name, { idleDays: 200 }])), storage)
    const { id } = unwrap(await options.backUp())
    for (const name of names) {
      mkdirSync(`${home}/elsewhere`, { recursive: true })
      renameSync(`${home}/skills/${name}`, `${home}/elsewhere/${name}`)
      symlinkSync(`${home}/elsewhere/${name}`, `${home}/skills/${name}`)
    }
    let packed = 0
    const counting: StorageBackend = {
      ...storage,
      read: (paths) => {
        if (paths.includes('skills/plain/SKILL.md') && paths.includes('skills/linked-0/SKILL.md')) packed++
        return storage.read(paths)
      },
      update: (...given) => storage.update(...given),
      list: (prefix) => storage.list(prefix),
      close: () => storage.close(),
    }
    const { report } = await run({ ...options, storage: counting })
    expect(report.transitioned).toMatchObject([{ name: 'plain', to: 'archived' }])
    const failed = report.skipped.filter(({ reason }) => reason === 'archive-failed')
    expect(failed.map(({ name }) => name)).toEqual([...names].sort())
    expect(failed[7]?.detail).toContain(`'skills/${failed[7]?.name}' is a symbolic link`)
    expect(packed).toBeLessThan(10)

    for (const name of names) symlinkSync(`${home}/elsewhere/${name}`, `${home}/skills/new-${name}`)
    await writeText(storage, 'skills/fresh/SKILL.md', skillText('fresh'))
    options.clock.advance(1000)
    const { problems, archived } = unwrap(await rollback({ ...options, target: id }))
    expect(problems).toHaveLength(45)
    expect(archived).toMatchObject([{ from: 'skills/fresh' }])
    expect(await liveSkills(storage)).toContain('plain')
    await storage.close()
  })

  it('runaway cost: a run has no model at all unless it is given one, and a library without skills asks none', async () => {
    const options = await open({})
    let asked = 0
    const model = async () => {
      asked++
      return ''
    }
    await run(options)
    await mergeSkills(curatorHome(options), { model })
    expect(asked).toBe(0)
  })

  it('disk: version control, packages and caches are in no snapshot, large files are named, and old snapshots go', async () => {
    const options = await open({ a: {} })
    for (const folder of ['.git', 'node_modules', '.venv', '__pycache__']) {
      await writeText(options.storage, `skills/a/${folder}/blob`, 'x'.repeat(1000))
    }
    await writeText(options.storage, 'skills/a/assets/large.bin', 'x'.repeat(1000))
    const backup = unwrap(await createSkillBackup({ ...options, reason: 'small', maxFileBytes: 500 }))
    expect(backup.files.map(({ path }) => path)).toEqual(['skills/.usage.json', 'skills/a/SKILL.md'])
    expect(backup.leftOut).toEqual([{ path: 'skills/a/assets/large.bin', size: 1000, why: 'file too large' }])
    options.clock.advance(130 * DAY)
    await run({ ...options, neverActive: 'from-creation' })
    expect(unwrap(await listBackups(options.storage)).backups.map(({ id }) => id)).not.toContain(backup.id)
  })

  it('duplicates: a name is taken once, near ones are found first, and list, view and prompt show the same', async () => {
    const { storage, skills } = await open({ 'deploy-web': { idleDays: 1, path: 'ops/web' } })
    const again = { name: 'deploy-web', content: skillText('deploy-web') }
    expect(await skills.create(again)).toMatchObject({ ok: false, error: { code: 'occupied' } })
    const listed = unwrap(await skills.list()).skills
    expect(findSimilarSkills({ name: 'web-deploy', description: 'Does deploy-web.' }, listed)).toMatchObject([{ path: 'ops/web' }])
    expect(unwrap(await skills.view('web'))).toMatchObject({ name: 'deploy-web' })
    const entries = listed.map((skill) => ({ ...skill, state: 'active' as const, lastActivityAt: 0, pinned: false }))
    expect(renderSkillCatalog(entries)).toContain('deploy-web')
    expect(await liveSkills(storage)).toEqual(['deploy-web'])
  })

  it('usage signal wrong: neither a run nor its backup nor its listing counts as use', async () => {
    const options = await open({ idle: { idleDays: 45, state: 'stale' }, kept: { idleDays: 3 } })
    const before = unwrap(await options.usage.load())
    await run(options)
    unwrap(await options.backUp())
    unwrap(await options.skills.view('idle'))
    expect(unwrap(await options.usage.load())).toEqual(before)
  })

  it('dry run writes: nothing is written, and it foretells what the run does', async () => {
    const options = await open({ old: { idleDays: 95 }, idle: { idleDays: 45 }, back: { idleDays: 1, state: 'stale' } })
    const before = await contentsOf(options.storage)
    const preview = unwrap(await runCurator({ ...options, dryRun: true }))
    expect(await contentsOf(options.storage)).toEqual(before)
    const real = await run(options)
    const moves = (report: CuratorReport) => report.transitioned.map(({ name, from, to, reason }) => ({ name, from, to, reason }))
    expect(moves(preview)).toEqual(moves(real.report))
    expect(moves(real.report)).toHaveLength(3)
  })

  it('status misleads: archived skills are counted and named, and every skill that stays says why', async () => {
    const options = await open({ old: { idleDays: 95 }, mine: { idleDays: 400, by: 'user' }, pinned: { idleDays: 400, pinned: true } })
    const { report } = await run(options)
    expect(unwrap(await options.skills.listArchived()).entries.map(({ name }) => name)).toEqual(['old'])
    expect([...unwrap(await options.usage.load())].filter(([, { state }]) => state === 'archived').map(([name]) => name)).toEqual(['old'])
    expect(report.skipped).toEqual([
      { name: 'mine', reason: 'not-agent-created' },
      { name: 'pinned', reason: 'pinned' },
    ])
    expect(unwrap(await readCuratorState(options.storage)).state.lastRunSummary).toContain('1 archived')
  })

  it('merges logged as prunes: a call of any length is seen, and a name inside another one is not', () => {
    const call = (content: string) => ({ name: 'skill_manage', arguments: { action: 'create', name: 'umbrella', content } })
    const judge = (content: string) => reconcile({ before: ['git'], after: ['umbrella'], toolCalls: [call(content)], answer: '' })
    expect(judge(`${'Long. '.repeat(2_000)}\n\n## git\n`)).toMatchObject({ consolidated: [{ name: 'git', into: 'umbrella' }], pruned: [] })
    expect(judge('See git-helpers.')).toMatchObject({ consolidated: [], pruned: [{ name: 'git' }] })
  })

  it('guarded paths bypassed: SKILL.md is not a support file, and a file of a skill stays inside it', async () => {
    const { skills } = await open({ a: {} })
    for (const path of ['SKILL.md', 'references/../SKILL.md', 'references/SKILL.md', '../b/SKILL.md', '/etc/passwd']) {
      expect(await skills.writeFile('a', path, 'x'), path).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    }
  })

  it('guarded paths bypassed: no name or id leads the verbs of the archive out of it', async () => {
    const deps = await open({ a: {} })
    await writeText(deps.storage, 'memories/SKILL.md', skillText('memories'))
    for (const target of ['../memories', '.archive/../../memories', 'skills/../../memories']) {
      expect((await archiveSkill(target, deps)).ok, target).toBe(false)
      expect((await restoreSkill(target, deps)).ok, target).toBe(false)
    }
    expect(await readText(deps.storage, 'memories/SKILL.md')).toBeDefined()
  })

  it('unpatchable skills: what the list shows can be patched, whatever its front matter looks like', async () => {
    const { storage, skills } = await open({})
    const odd = [
      '# No front matter\n\nOld text.\n',
      '---\nname: odd: name\ndescription: it: has colons\n---\nOld text.\n',
      '---\r\nname: crlf\r\n---\r\nOld text.\r\n',
    ]
    for (const [index, text] of odd.entries()) await writeText(storage, `skills/odd-${index}/SKILL.md`, text)
    const listed = unwrap(await skills.list()).skills
    expect(listed).toHaveLength(odd.length)
    for (const { path } of listed) {
      const patched = await skills.patch(`${path}/SKILL.md`, { oldText: 'Old text.', newText: 'New text.' })
      expect(patched.ok, path).toBe(true)
    }
  })

  it('updates revive or relabel: what the product or a hub installed is never archived, nor taken for the agent’s', async () => {
    const options = await open({ plan: { idleDays: 900 }, tool: { idleDays: 900 } })
    await writeText(options.storage, 'skills/.bundled_manifest', 'plan:abc\n')
    await writeText(options.storage, 'skills/.hub/lock.json', '{"installed":{"tool":{}}}')
    expect((await run(options)).report.transitioned).toEqual([])
    expect(await archiveSkill('plan', options)).toMatchObject({ ok: false, error: { code: 'rejected' } })
    expect(await liveSkills(options.storage)).toEqual(['plan', 'tool'])
  })

  it('premature lessons: a skill without evidence waits at the gate', async () => {
    const op = { action: 'create', name: 'lesson', content: skillText('lesson') } as const
    const verdict = await evidenceGate()({ target: 'skill', op, rationale: 'It may help.', score: 1 }, EMPTY_GATE_CONTEXT)
    expect(unwrap(verdict)).toMatchObject({ verdict: 'hold' })
  })
})

describe('what was found by running the reference', () => {
  it('a corrupt sidecar wipes pins: it is kept aside, and nothing is decided until a person has looked at it', async () => {
    const options = await open({ pinned: { idleDays: 400, pinned: true } })
    const corrupt = `${await readText(options.storage, 'skills/.usage.json')},`
    await writeText(options.storage, 'skills/.usage.json', corrupt)
    expect(await curate(options)).toMatchObject({ ok: false, error: { code: 'unreadable' } })
    expect(await readText(options.storage, 'skills/.usage.json')).toBe(corrupt)
    unwrap(await options.usage.record('other', 'use'))
    options.clock.advance(2 * HOUR)
    expect(await curate(options)).toMatchObject({ ok: false, error: { code: 'unreadable' } })
    expect(await liveSkills(options.storage)).toEqual(['pinned'])
    const [kept] = await pathsIn(options.storage, 'skills/.usage-corrupt')
    expect(await readText(options.storage, kept ?? '')).toBe(corrupt)
  })

  it('reports that name nothing: every skill that moved is there by name, with where from, where to and why', async () => {
    const options = await open({ old: { idleDays: 95 }, idle: { idleDays: 45 } })
    const { reportPath } = await run(options)
    const json = JSON.parse((await readText(options.storage, `${reportPath}/run.json`)) ?? '')
    expect(json).toMatchObject({
      archived: ['old'],
      state_transitions: [
        { name: 'idle', to: 'stale' },
        { name: 'old', to: 'archived' },
      ],
    })
    expect(await readText(options.storage, `${reportPath}/REPORT.md`)).toMatch(/\*\*old\*\*.*95 days ago[\s\S]*\*\*idle\*\*.*45 days ago/)
  })

  it('restored skills archived again: neither the next pass nor one within twice the window does it', async () => {
    const options = await open({ old: { idleDays: 400 } })
    await run(options)
    unwrap(await restoreSkill('old', options))
    options.clock.advance(30 * DAY)
    expect((await run(options)).report.transitioned).toEqual([])
    options.clock.advance(149 * DAY)
    await run(options)
    expect(await liveSkills(options.storage)).toEqual(['old'])
  })

  it('an unreadable count leaves the pass half done: it counts as nothing, and the others are judged', async () => {
    const options = await open({ a: { idleDays: 95 }, b: { idleDays: 95 } })
    const stored = JSON.parse((await readText(options.storage, 'skills/.usage.json')) ?? '')
    stored.a.use_count = 'many'
    await writeText(options.storage, 'skills/.usage.json', JSON.stringify(stored))
    expect((await run(options)).report.transitioned.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it('stale without effect: such a skill is marked in the prompt, or left out if that is asked for', () => {
    const skill = { name: 'idle', description: 'Does it.', category: undefined, state: 'stale' as const, lastActivityAt: 0, pinned: false }
    expect(renderSkillCatalog([skill])).toContain('(stale)')
    expect(renderSkillCatalog([skill], { stale: 'hide' }) ?? '').not.toContain('idle')
  })

  it('a state that cannot be saved fires at every check: then nothing is begun', async () => {
    const storage = inMemoryBackend()
    const options = await open({ old: { idleDays: 95 } }, storage)
    unwrap(await updateCuratorState(storage, () => ({ lastRunAt: NOON - 200 * HOUR })))
    const unwritable: StorageBackend = {
      ...storage,
      update: (paths, plan, options) => (paths.includes('skills/.curator_state') ? full() : storage.update(paths, plan, options)),
    }
    for (let check = 0; check < 3; check++) {
      const outcome = await maybeRunCurator({ ...options, storage: unwritable, idleMs: 3 * HOUR })
      expect(outcome).toMatchObject({ ran: false, reason: 'failed', error: { code: 'no_space' } })
    }
    expect(await liveSkills(storage)).toEqual(['old'])
    expect(unwrap(await listBackups(storage)).backups).toEqual([])
  })

  it('an idle gate never in force: what the host does not measure is measured', async () => {
    const options = await open({ old: { idleDays: 95 } })
    unwrap(await updateCuratorState(options.storage, () => ({ lastRunAt: NOON - 200 * HOUR })))
    expect(await maybeRunCurator({ ...options, minIdleHours: 3_000 })).toMatchObject({ ran: false, reason: 'not-idle' })
    expect(await maybeRunCurator({ ...options, idleMs: HOUR })).toMatchObject({ ran: false, reason: 'not-idle' })
  })

  it('a run continues without its snapshot: here none begins', async () => {
    const options = await open({ old: { idleDays: 95 } })
    const storage: StorageBackend = {
      ...options.storage,
      update: (paths, plan, given) => (paths.includes('curator/backups/') ? full() : options.storage.update(paths, plan, given)),
    }
    expect(await curate({ ...options, storage })).toMatchObject({ ok: false, error: { code: 'no_space' } })
    expect(await liveSkills(options.storage)).toEqual(['old'])
  })

  it('an example quoted before the answer hides the real one: each closed block is looked at', () => {
    const block = (text: string) => `\`\`\`yaml\n${text}\n\`\`\`\n`
    const answer = `I follow this shape:\n\n${block('example: true')}\nHere it is:\n\n${block('consolidations:\n  - {from: a, into: b, reason: same job}')}`
    expect(reconcile({ before: ['a', 'b'], after: ['b'], toolCalls: [], answer }).consolidated).toMatchObject([{ name: 'a', into: 'b' }])
  })

  it('an interrupted snapshot is what a rollback takes by default: without a manifest it is never offered', async () => {
    const options = await open({ a: {} })
    const good = unwrap(await options.backUp())
    await writeText(options.storage, 'curator/backups/2026-07-01T00-00-00Z_curator.tar.gz', 'cut off')
    const { backups, problems } = unwrap(await listBackups(options.storage))
    expect(backups.map(({ id }) => id)).toEqual([good.id])
    expect(problems).toMatchObject([{ code: 'unreadable' }])
    options.clock.advance(1000)
    expect(unwrap(await rollback(options)).id).toBe(good.id)
  })

  it('a truncated archive empties the library: it is refused before anything moves', async () => {
    const options = await open({ a: {}, b: {} })
    const { archive, archiveBytes } = unwrap(await options.backUp())
    const manifest = archive.replace('.tar.gz', '.json')
    await updateDocument(options.storage, archive, (current) => current?.bytes.slice(0, -20))
    const before = await contentsOf(options.storage)
    expect(await rollback(options)).toMatchObject({ ok: false, error: { code: 'unreadable' } })
    expect(await contentsOf(options.storage)).toEqual(before)
    // Also if the manifest was forged to match.
    const whole = (await readText(options.storage, manifest)) ?? ''
    await writeText(options.storage, manifest, whole.replace(`"archiveBytes": ${archiveBytes}`, `"archiveBytes": ${archiveBytes - 20}`))
    expect(await rollback(options)).toMatchObject({ ok: false, error: { message: expect.stringContaining('changed since') } })
    await writeText(options.storage, manifest, whole)
    expect(await contentsOf(options.storage)).toEqual(before)
  })

  it('archived a minute ago and purged at once: age counts from the archiving, and unknown ages never count', async () => {
    const deps = await open({ old: { idleDays: 900 } })
    await writeText(deps.storage, 'skills/.archive/found/SKILL.md', skillText('found'))
    unwrap(await archiveSkill('old', deps))
    const { entries } = unwrap(await deps.skills.listArchived())
    expect(entries).toHaveLength(2)
    expect(prunableEntries(entries, { now: NOON + 60_000, olderThanDays: 1 })).toEqual([])
    expect(prunableEntries(entries, { now: NOON + DAY, olderThanDays: 1 }).map(({ name }) => name)).toEqual(['old'])
  })
})
