/** Manual commands: which skills can be archived and restored by hand, and how that changes their records. */

import { expect, it } from 'vitest'
import { createJournal } from '../../src/journal/journal.ts'
import { HermesError } from '../../src/shared/hermes-error.ts'
import { err } from '../../src/shared/result.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { contentsOf, DAY, NOON, openLibrary, readText, type SkillWords, unwrap, writeText } from '../support/curator-library.ts'
import { archiveSkill, restoreSkill } from '../support/open-curator.ts'

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
