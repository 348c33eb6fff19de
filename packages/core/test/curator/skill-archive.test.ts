/** Manual commands: which skills can be archived and restored by hand, and how that changes their records. */

import { expect, it } from 'vitest'
import { archiveSkill, restoreSkill } from '../../src/curator/archive/skill-archive.ts'
import { openRollback } from '../../src/curator/rollback/rollback-state.ts'
import { runCurator } from '../../src/curator/transitions/run-curator.ts'
import { createJournal } from '../../src/journal/journal.ts'
import { HermesError } from '../../src/shared/hermes-error.ts'
import { err } from '../../src/shared/result.ts'
import { updateDocument } from '../../src/storage/one-document.ts'
import {
  contentsOf,
  DAY,
  NOON,
  openLibrary,
  readText,
  type SkillWords,
  skillText,
  UNFINISHED_ROLLBACK,
  unwrap,
  writeText,
} from '../support/curator-library.ts'
import { usageOnFullDisk } from '../support/skill-library.ts'

const open = async (skills: Readonly<Record<string, SkillWords>>) => {
  const library = await openLibrary(skills)
  let ids = 0
  return { ...library, journal: createJournal({ ...library, createId: () => `id-${++ids}` }) }
}

it('puts a skill away and brings it back to where it was, with a record and a journal of both', async () => {
  const deps = await open({ deploy: { idleDays: 1, path: 'devops/deploy' } })
  const put = unwrap(await archiveSkill('deploy', deps, { reason: 'the cluster is gone' }))
  expect(put).toMatchObject({ archived: { from: 'devops/deploy', reason: 'the cluster is gone', archivedAt: NOON }, problems: [] })
  expect(await deps.usage.get('deploy')).toMatchObject({ state: 'archived', archivedAt: NOON })
  deps.clock.advance(DAY)
  const back = unwrap(await restoreSkill('deploy', deps))
  expect(back).toMatchObject({ restored: { skill: { path: 'devops/deploy', name: 'deploy' } }, problems: [] })
  expect(await readText(deps.storage, 'skills/devops/deploy/SKILL.md')).toBeDefined()
  expect(await deps.usage.get('deploy')).toMatchObject({ state: 'active', archivedAt: 0, restoredAt: NOON + DAY, misjudgements: 1 })
  expect(unwrap(await deps.journal.list()).map(({ actor, op, reason }) => [actor, op?.action, reason])).toEqual([
    ['host', 'archive', 'the cluster is gone'],
    ['host', undefined, expect.stringContaining("'deploy' was restored")],
  ])
})

it('is not undone by the next pass of the curator, however long the skill had been idle', async () => {
  const deps = await open({ old: { idleDays: 300 } })
  unwrap(await runCurator(deps))
  unwrap(await restoreSkill('old', deps))
  expect(unwrap(await runCurator(deps)).transitioned).toEqual([])
})

it('refuses to archive a skill that is pinned or belongs to the product or a hub, but archives a user’s own', async () => {
  const deps = await open({ pinned: { pinned: true }, plan: {}, hubbed: { path: 'x/hubbed' }, mine: { by: 'user' }, bare: { by: 'none' } })
  await writeText(deps.storage, 'skills/.bundled_manifest', 'plan:1\n')
  await writeText(deps.storage, 'skills/.hub/lock.json', '{"installed":{"hub-key":{"install_path":"x/hubbed"}}}')
  const before = await contentsOf(deps.storage)
  for (const [name, says] of [
    ['pinned', /Unpin it first/],
    ['plan', /came with the product/],
    ['hubbed', /from a hub/],
  ] as const) {
    const refused = await archiveSkill(name, deps)
    expect(refused).toMatchObject({ ok: false, error: { code: 'rejected', message: expect.stringMatching(says) } })
  }
  expect(await archiveSkill('nothing', deps)).toMatchObject({ ok: false, error: { code: 'not_found' } })
  expect(await contentsOf(deps.storage)).toEqual(before)
  for (const name of ['mine', 'bare']) {
    unwrap(await archiveSkill(name, deps))
    expect(await deps.usage.get(name)).toMatchObject({ state: 'archived' })
  }
})

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

it('asks whose the name is also if a skill is called by its folder', async () => {
  const deps = await open({ tool: { idleDays: 1, path: 'x/hammer' } })
  await writeText(deps.storage, 'skills/.archive/hammer/SKILL.md', skillText('older'))
  unwrap(await archiveSkill('tool', deps))
  await writeText(deps.storage, 'skills/.hub/lock.json', '{"installed":{"tool":{}}}')
  expect(await restoreSkill('hammer', deps)).toMatchObject({ ok: false, error: { code: 'rejected' } })
})

it('keeps the move if the record or the journal cannot be written, and the next run corrects the record', async () => {
  const deps = await open({ a: { idleDays: 1 } })
  const broken = () => Promise.resolve(err(new HermesError('no_space', 'The disk is full.')))
  const usage = usageOnFullDisk(deps.storage)
  const put = unwrap(await archiveSkill('a', { ...deps, usage, journal: { append: broken } }))
  expect(put.problems.map(({ code }) => code)).toEqual(['no_space', 'no_space'])
  expect(await deps.usage.get('a')).toMatchObject({ state: 'active' })
  expect(unwrap(await runCurator(deps)).repaired).toEqual(['a'])
  expect(await deps.usage.get('a')).toMatchObject({ state: 'archived' })
})

it('decides nothing while pins and marks cannot be read, or a rollback is unfinished', async () => {
  const deps = await open({ a: {} })
  await writeText(deps.storage, 'curator/managed.json', 'oops')
  expect(await archiveSkill('a', deps)).toMatchObject({ ok: false, error: { code: 'unreadable' } })
  expect(await restoreSkill('a', deps)).toMatchObject({ ok: false, error: { code: 'unreadable' } })
  await updateDocument(deps.storage, 'curator/managed.json', () => undefined)
  unwrap(await openRollback(deps.storage, UNFINISHED_ROLLBACK))
  expect(await archiveSkill('a', deps)).toMatchObject({ ok: false, error: { code: 'locked' } })
  expect(await restoreSkill('a', deps)).toMatchObject({ ok: false, error: { code: 'locked' } })
})

it('leaves the record to a living skill of the same name', async () => {
  const deps = await open({ twin: { idleDays: 1, path: 'a/twin' } })
  await writeText(deps.storage, 'skills/b/other/SKILL.md', skillText('twin'))
  expect(unwrap(await archiveSkill('a/twin', deps))).toMatchObject({ archived: { from: 'a/twin' }, problems: [] })
  expect(await deps.usage.get('twin')).toMatchObject({ state: 'active' })
  unwrap(await archiveSkill('b/other', deps))
  expect(await deps.usage.get('twin')).toMatchObject({ state: 'archived' })
})

it('puts the record of a skill right with the next run that came back while the record could not be written', async () => {
  const deps = await open({ old: { idleDays: 300 } })
  unwrap(await runCurator(deps))
  const usage = usageOnFullDisk(deps.storage)
  expect(unwrap(await restoreSkill('old', { ...deps, usage })).problems).toMatchObject([{ code: 'no_space' }])
  expect(unwrap(await runCurator(deps))).toMatchObject({ transitioned: [], repaired: ['old'] })
  expect(await deps.usage.get('old')).toMatchObject({ state: 'active', restoredAt: NOON, misjudgements: 1 })
})
