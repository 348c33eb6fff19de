/** Archiving and restoring on real back ends: the resulting paths, the remains of a crash, and archive entries made by others. */

import { manualClock } from '@hermes/testing'
import { describe, expect, test } from 'vitest'
import { HermesError } from '../src/shared/hermes-error.ts'
import { err, type Result } from '../src/shared/result.ts'
import { SkillStore } from '../src/skills/skill-store.ts'
import { fileSystemBackend } from '../src/storage/files/file-backend.ts'
import { inMemoryBackend } from '../src/storage/in-memory.ts'
import { moveDocuments, readDocument, updateDocument } from '../src/storage/one-document.ts'
import type { StorageBackend } from '../src/storage/storage-backend.ts'
import { temporaryFolder } from './storage/support/temporary-home.ts'
import { movedFrom } from './support/calls.ts'

const BACK_ENDS: readonly (readonly [string, () => StorageBackend])[] = [
  ['in memory', () => inMemoryBackend()],
  ['on disk', () => fileSystemBackend(temporaryFolder(), { onWarning: () => undefined })],
]

const NOW = Date.UTC(2026, 4, 12, 10, 15)
const REASON = 'not used any more'

const skillText = (name: string, description = `How to ${name}.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\nDo it.\n`

const unwrap = <T>(result: Result<T>): T => {
  if (!result.ok) throw result.error
  return result.value
}

const refusal = (result: Result<unknown>): HermesError => {
  if (result.ok) throw new Error('It was not refused.')
  return result.error
}

const paths = async (storage: StorageBackend): Promise<readonly string[]> =>
  unwrap(await storage.list('skills')).map(({ path }) => path.slice(7))

const live = async (storage: StorageBackend) => (await paths(storage)).filter((path) => !path.startsWith('.archive/'))

const folders = async (storage: StorageBackend) => (await paths(storage)).filter((path) => /^\.archive\/(?!\.manifests)/.test(path))

/** Works up to the given call, then fails every call, like a killed process. */
const dyingAt = (storage: StorageBackend, isLast: () => boolean): StorageBackend => {
  let isDead = false
  const die = async <T>(call: () => Promise<Result<T>>): Promise<Result<T>> => {
    isDead ||= isLast()
    return isDead ? err(new HermesError('io', 'The process was killed.')) : call()
  }
  return {
    read: (paths) => die(() => storage.read(paths)),
    update: (paths, plan, options) => die(() => storage.update(paths, plan, options)),
    list: (prefix) => die(() => storage.list(prefix)),
    close: () => storage.close(),
  }
}

/** Runs `interfere` right before the first move. */
const beforeMove = (storage: StorageBackend, interfere: () => Promise<unknown>): StorageBackend => {
  let isDone = false
  return {
    ...storage,
    update: async (paths, plan, options) => {
      if (!isDone && movedFrom(paths) !== undefined) {
        isDone = true
        await interfere()
      }
      return storage.update(paths, plan, options)
    },
  }
}

describe.each(BACK_ENDS)('the archive of skills %s', (_, open) => {
  const openWith = async (files: Readonly<Record<string, string>> = {}) => {
    const storage = open()
    const clock = manualClock(NOW)
    const put = async (path: string, text: string) =>
      unwrap(await updateDocument(storage, `skills/${path}`, () => new TextEncoder().encode(text)))
    for (const [path, text] of Object.entries(files)) await put(path, text)
    return { storage, clock, put, store: new SkillStore({ storage, clock }) }
  }

  test('takes the whole folder and brings it back to its category, with all that is known of it in between', async () => {
    const { storage, store } = await openWith({
      'devops/deploy/SKILL.md': skillText('deploy'),
      'devops/deploy/references/api.md': 'api',
      'devops/release/SKILL.md': skillText('release'),
    })
    const before = await paths(storage)
    const archived = unwrap(await store.archive('deploy', { reason: ` ${REASON} `, absorbedInto: 'devops/release' }))
    expect(archived).toEqual({
      id: '.archive/deploy',
      name: 'deploy',
      path: 'deploy',
      from: 'devops/deploy',
      category: 'devops',
      archivedAt: NOW,
      reason: REASON,
      absorbedInto: 'release',
      description: 'How to deploy.',
    })
    expect(await live(storage)).toEqual(['devops/release/SKILL.md'])
    expect(await folders(storage)).toEqual(['.archive/deploy/SKILL.md', '.archive/deploy/references/api.md'])
    expect(unwrap(await store.list()).skills.map(({ name }) => name)).toEqual(['release'])
    expect(unwrap(await store.listArchived())).toEqual({ entries: [archived], problems: [] })
    expect(unwrap(await store.restore('deploy'))).toEqual({
      skill: { path: 'devops/deploy', folderName: 'deploy', category: 'devops', name: 'deploy' },
      archived,
      others: [],
    })
    expect(await paths(storage)).toEqual(before)
    expect(unwrap(await store.listArchived())).toEqual({ entries: [], problems: [] })
  })

  test('keeps every archived skill of one name apart, and restores the newest unless an id says which', async () => {
    const { store, storage, clock, put } = await openWith()
    const archive = async (category: string) => {
      await put(`${category}/x/SKILL.md`, skillText('x', `From ${category}.`))
      const { id } = unwrap(await store.archive('x', { reason: REASON }))
      clock.advance(1_000)
      return id
    }
    expect([await archive('a'), await archive('b'), await archive('c')]).toEqual([
      '.archive/x',
      '.archive/x-20260512101501',
      '.archive/x-20260512101502',
    ])
    const restored = unwrap(await store.restore('x'))
    expect(restored.skill.path).toBe('c/x')
    expect(restored.others.map(({ from, id }) => [from, id])).toEqual([
      ['b/x', '.archive/x-20260512101501'],
      ['a/x', '.archive/x'],
    ])
    unwrap(await store.archive('x', { reason: REASON }))
    expect(unwrap(await store.restore('.archive/x')).skill.path).toBe('a/x')
    expect(await live(storage)).toEqual(['a/x/SKILL.md'])
  })

  test('numbers what is archived under one name in one second', async () => {
    const { store, put } = await openWith()
    const ids: string[] = []
    for (let time = 0; time < 4; time++) {
      await put('x/SKILL.md', skillText('x'))
      ids.push(unwrap(await store.archive('x', { reason: REASON })).id)
    }
    const stamped = '.archive/x-20260512101500'
    expect(ids).toEqual(['.archive/x', stamped, `${stamped}-2`, `${stamped}-3`])
  })

  test('lists and restores what Python Hermes or a shell moved there, to the top of the library', async () => {
    const { store, storage } = await openWith({
      '.archive/foo-2026-05-12-101500/SKILL.md': 'No front matter.',
      '.archive/bar-20260301000000/SKILL.md': skillText('bar'),
      '.archive/imports/nested/SKILL.md': skillText('nested'),
      '.archive/plain/SKILL.md': skillText('plain'),
      '.archive/report-2026-05-12/SKILL.md': skillText('report-2026-05-12'),
      '.archive/dir/SKILL.md': skillText('fm'),
    })
    const { entries, problems } = unwrap(await store.listArchived())
    expect(problems).toEqual([])
    expect(entries.map(({ name, archivedAt, from }) => [name, archivedAt, from])).toEqual([
      ['foo', Date.UTC(2026, 4, 12, 10, 15), undefined],
      ['report-2026-05-12', Date.UTC(2026, 4, 12), undefined],
      ['bar', Date.UTC(2026, 2, 1), undefined],
      ['plain', 0, undefined],
      ['nested', 0, undefined],
      ['fm', 0, undefined],
    ])
    for (const name of ['foo', 'bar', 'nested', 'plain', 'report-2026-05-12', 'fm']) unwrap(await store.restore(name))
    expect(await live(storage)).toEqual([
      'bar/SKILL.md',
      'dir/SKILL.md',
      'foo/SKILL.md',
      'nested/SKILL.md',
      'plain/SKILL.md',
      'report-2026-05-12/SKILL.md',
    ])
  })

  test('restores no support folder, and nothing that is not a skill', async () => {
    const { store, storage } = await openWith({
      '.archive/x/SKILL.md': skillText('x'),
      '.archive/x/references/r.md': 'r',
      '.archive/x/references/old/SKILL.md': skillText('old'),
      '.archive/leftovers/notes.md': 'notes',
    })
    const before = await paths(storage)
    for (const name of [
      'references',
      'old',
      'x/references',
      '.archive/x/references',
      '.archive/x/references/old',
      'leftovers',
      '.manifests',
    ])
      expect(refusal(await store.restore(name)).code, name).toBe('not_found')
    expect(await paths(storage)).toEqual(before)
  })

  test('answers a misspelt name with those that are close, and a blank one with what to do', async () => {
    const { store } = await openWith({ '.archive/deploy-app/SKILL.md': skillText('deploy-app'), '.archive/zip/SKILL.md': skillText('zip') })
    const missed = refusal(await store.restore('deploy-ap'))
    expect([missed.code, missed.details['candidates']]).toEqual(['not_found', ['deploy-app']])
    expect(missed.message).toContain('deploy-app')
    expect(refusal(await store.restore('  ')).code).toBe('empty')
  })

  test('restores nothing over a living skill of that name or place, and says which one is in the way', async () => {
    const { store, storage, put } = await openWith({ 'ops/deploy/SKILL.md': skillText('deploy') })
    unwrap(await store.archive('deploy', { reason: REASON }))
    unwrap(await store.create({ name: 'deploy', category: 'web', content: skillText('deploy') }))
    const byName = refusal(await store.restore('deploy'))
    expect([byName.code, byName.details['candidates']]).toEqual(['occupied', ['web/deploy/SKILL.md']])
    expect(byName.message).toContain("restore '.archive/deploy'")
    unwrap(await moveDocuments(storage, 'skills/web/deploy', 'skills/web/other'))
    await put('web/other/SKILL.md', skillText('other'))
    await put('ops/deploy/leftover.md', 'x')
    expect(refusal(await store.restore('deploy')).code).toBe('occupied')
    unwrap(await updateDocument(storage, 'skills/ops/deploy/leftover.md', () => undefined))
    expect(unwrap(await store.restore('deploy')).skill.path).toBe('ops/deploy')
  })

  test('takes a skill from inside another and puts it back there, but not among what has become support files', async () => {
    const { store, storage, put } = await openWith({
      'core/SKILL.md': skillText('core'),
      'core/part/SKILL.md': skillText('part'),
      'scripts/tool/SKILL.md': skillText('tool'),
      'kit/scripts/saw/SKILL.md': skillText('saw'),
    })
    const before = await live(storage)
    for (const name of ['part', 'tool', 'saw']) unwrap(await store.archive(name, { reason: REASON }))
    await put('kit/SKILL.md', skillText('kit'))
    expect(refusal(await store.restore('saw'))).toMatchObject({ code: 'invalid', message: expect.stringContaining('kit/scripts/saw') })
    unwrap(await updateDocument(storage, 'skills/kit/SKILL.md', () => undefined))
    for (const name of ['part', 'tool', 'saw']) unwrap(await store.restore(name))
    expect(await live(storage)).toEqual(before)
  })

  test('refuses to archive an unknown name, a folder with other skills, and a skill that names itself or an unknown skill as its successor', async () => {
    const { store, storage } = await openWith({
      'a/twin/SKILL.md': skillText('twin'),
      'b/twin/SKILL.md': skillText('twin'),
      'outer/SKILL.md': skillText('outer'),
      'outer/inner/SKILL.md': skillText('inner'),
      'single/SKILL.md': skillText('single'),
    })
    const before = await paths(storage)
    const codes = [
      await store.archive('nothing', { reason: REASON }),
      await store.archive('twin', { reason: REASON }),
      await store.archive('outer', { reason: REASON }),
      await store.archive('single', { reason: ' ' }),
      await store.archive('single', { reason: REASON, absorbedInto: 'nobody' }),
      await store.archive('single', { reason: REASON, absorbedInto: 'single' }),
    ].map((result) => refusal(result).code)
    expect(codes).toEqual(['not_found', 'ambiguous', 'invalid', 'empty', 'not_found', 'invalid'])
    expect(await paths(storage)).toEqual(before)
  })

  test('has each skill either alive or in the archive with all that is known of it, at whichever call the process dies', async () => {
    const files = { 'ops/deploy/SKILL.md': skillText('deploy'), 'ops/deploy/scripts/run.sh': 'run' }
    const alive = Object.keys(files)
    const archived = ['.archive/.manifests/deploy.json', '.archive/deploy/SKILL.md', '.archive/deploy/scripts/run.sh']
    for (const isArchived of [false, true]) {
      const outcomes = new Set<boolean>()
      for (let calls = 0; !outcomes.has(true); calls++) {
        const { storage, store, clock } = await openWith(files)
        if (isArchived) unwrap(await store.archive('deploy', { reason: REASON }))
        let left = calls
        const dying = new SkillStore({ storage: dyingAt(storage, () => left-- === 0), clock })
        const { ok } = isArchived ? await dying.restore('deploy') : await dying.archive('deploy', { reason: REASON })
        expect(await paths(storage), `call ${calls}`).toEqual(ok === isArchived ? alive : archived)
        outcomes.add(ok)
      }
      expect(outcomes).toEqual(new Set([false, true]))
    }
  })

  test('removes the manifest of an entry that was moved out of the archive, at the next archiving', async () => {
    const { storage, store, put } = await openWith({ 'ops/deploy/SKILL.md': skillText('deploy') })
    unwrap(await store.archive('deploy', { reason: REASON }))
    unwrap(await moveDocuments(storage, 'skills/.archive/deploy', 'skills/deploy'))
    expect(unwrap(await store.listArchived()).entries).toEqual([])
    expect(refusal(await store.restore('deploy')).code).toBe('not_found')
    await put('other/SKILL.md', skillText('other'))
    unwrap(await store.archive('other', { reason: REASON }))
    expect((await paths(storage)).filter((path) => path.includes('.manifests'))).toEqual(['.archive/.manifests/other.json'])
  })

  test('neither removes nor replaces a manifest that cannot be read, even if its entry is gone', async () => {
    const { storage, store } = await openWith({ 'x/SKILL.md': skillText('x'), '.archive/.manifests/x.json': 'not JSON' })
    expect(unwrap(await store.archive('x', { reason: REASON })).id).toBe('.archive/x-20260512101500')
    const left = unwrap(await readDocument(storage, 'skills/.archive/.manifests/x.json'))
    expect(left && new TextDecoder().decode(left.bytes)).toBe('not JSON')
  })

  test('rejects the manifest of another skill, and one that is corrupt or leads elsewhere', async () => {
    const manifest = (from: string, name: string) =>
      JSON.stringify({ version: 1, name, from, category: null, description: '', reason: 'x', archivedAt: 5, absorbedInto: null })
    const { store, storage } = await openWith({
      '.archive/other/SKILL.md': skillText('other'),
      '.archive/.manifests/other.json': manifest('ops/some', 'some'),
      '.archive/corrupt/SKILL.md': skillText('corrupt'),
      '.archive/.manifests/corrupt.json': '{"version": 1,',
      '.archive/astray/SKILL.md': skillText('astray'),
      '.archive/.manifests/astray.json': manifest('../../outside', 'astray'),
      '.archive/hidden/SKILL.md': skillText('hidden'),
      '.archive/.manifests/hidden.json': manifest('.git/hidden', 'hidden'),
    })
    const { entries, problems } = unwrap(await store.listArchived())
    expect(entries.map(({ name, from }) => [name, from])).toEqual(
      expect.arrayContaining([
        ['other', undefined],
        ['corrupt', undefined],
        ['astray', undefined],
        ['hidden', undefined],
      ]),
    )
    expect(problems.map(({ code, details }) => [code, details['path']]).sort()).toEqual([
      ['unreadable', 'skills/.archive/.manifests/astray.json'],
      ['unreadable', 'skills/.archive/.manifests/corrupt.json'],
      ['unreadable', 'skills/.archive/.manifests/hidden.json'],
    ])
    for (const name of ['other', 'corrupt', 'astray', 'hidden']) unwrap(await store.restore(name))
    expect(await live(storage)).toEqual(['astray/SKILL.md', 'corrupt/SKILL.md', 'hidden/SKILL.md', 'other/SKILL.md'])
  })

  test('lets exactly one of many archivings of a skill win, and loses none of many skills of one folder name', async () => {
    const { storage, clock, store } = await openWith({ 'one/SKILL.md': skillText('one') })
    const stores = Array.from({ length: 4 }, () => new SkillStore({ storage, clock }))
    const same = await Promise.all(stores.map((each) => each.archive('one', { reason: REASON })))
    expect(same.filter(({ ok }) => ok)).toHaveLength(1)
    for (const result of same) if (!result.ok) expect(result.error.code).toBe('not_found')
    expect(await folders(storage)).toEqual(['.archive/one/SKILL.md'])

    for (const category of ['a', 'b', 'c', 'd'])
      await updateDocument(storage, `skills/${category}/two/SKILL.md`, () => new TextEncoder().encode(skillText('two', category)))
    const apart = await Promise.all(stores.map((each, index) => each.archive(`${'abcd'[index]}/two`, { reason: REASON })))
    expect(apart.map(({ ok }) => ok)).toEqual([true, true, true, true])
    const { entries } = unwrap(await store.listArchived())
    // Each manifest is beside its own skill.
    expect(
      entries
        .filter(({ name }) => name === 'two')
        .map(({ from, description }) => [from, description])
        .sort(),
    ).toEqual([
      ['a/two', 'a'],
      ['b/two', 'b'],
      ['c/two', 'c'],
      ['d/two', 'd'],
    ])
  })

  describe('where one archiving stood still for minutes and another took its name', () => {
    const files = { 'a/x/SKILL.md': skillText('x', 'a'), 'b/x/SKILL.md': skillText('x', 'b') }
    const openStuck = async () => {
      const { storage, clock, store } = await openWith(files)
      const archive = async (path: string, interfere: () => Promise<unknown> = async () => undefined) =>
        unwrap(await new SkillStore({ storage: beforeMove(storage, interfere), clock }).archive(path, { reason: path }))
      const listed = async () => {
        const { entries, problems } = unwrap(await store.listArchived())
        expect(problems).toEqual([])
        return entries.map(({ path, from, reason, description }) => [path.length, from, reason, description]).sort()
      }
      return { clock, archive, listed }
    }

    test('the one that moves later gets another name', async () => {
      const { clock, archive, listed } = await openStuck()
      await archive('a/x', async () => {
        clock.advance(600_000)
        await archive('b/x')
      })
      expect(await listed()).toEqual([
        [1, 'b/x', 'b/x', 'b'],
        ['x-20260512101500'.length, 'a/x', 'a/x', 'a'],
      ])
    })

    test('the first one keeps its manifest if it moves after all before the other does', async () => {
      const { clock, archive, listed } = await openStuck()
      const calls: Promise<unknown>[] = []
      const early = archive('a/x', async () => {
        clock.advance(600_000)
        await new Promise<void>((resolve) => {
          calls.push(
            archive('b/x', () => {
              resolve()
              return early
            }),
          )
        })
      })
      await early
      await Promise.all(calls)
      expect(await listed()).toEqual([
        [1, 'a/x', 'a/x', 'a'],
        ['x-20260512101500'.length, 'b/x', 'b/x', 'b'],
      ])
    })
  })

  test('gives a name that two entries have to the first of two that restore them at once, or create it', async () => {
    const manifest = (from: string) =>
      JSON.stringify({ version: 1, name: 'deploy', from, category: 'x', description: 'd', reason: 'r', archivedAt: 1, absorbedInto: null })
    const { storage, clock, store } = await openWith({
      '.archive/one/SKILL.md': skillText('deploy'),
      '.archive/.manifests/one.json': manifest('x/one'),
      '.archive/two/SKILL.md': skillText('deploy'),
      '.archive/.manifests/two.json': manifest('y/two'),
    })
    const other = new SkillStore({ storage, clock })
    const created = new SkillStore({ storage, clock }).create({ name: 'deploy', content: skillText('deploy') })
    const done = await Promise.all([store.restore('.archive/one'), other.restore('.archive/two'), created])
    expect(done.filter(({ ok }) => ok)).toHaveLength(1)
    for (const each of done) if (!each.ok) expect(each.error.code).toBe('occupied')
    expect(await live(storage)).toHaveLength(1)
  })

  test('does not archive another skill that has taken its place meanwhile', async () => {
    const { storage, clock, put } = await openWith({ 'deploy/SKILL.md': skillText('deploy') })
    const late = new SkillStore({ storage: beforeMove(storage, () => put('deploy/SKILL.md', skillText('other'))), clock })
    expect(refusal(await late.archive('deploy', { reason: REASON })).code).toBe('drift')
    expect(await paths(storage)).toEqual(['deploy/SKILL.md'])
  })

  test('archives a skill whose folder has a very long name', async () => {
    const folder = 'é'.repeat(127)
    const { store, storage } = await openWith({ [`${folder}/SKILL.md`]: skillText('long') })
    unwrap(await store.archive('long', { reason: REASON }))
    expect(unwrap(await store.restore('long')).skill.path).toBe(folder)
    expect(await paths(storage)).toEqual([`${folder}/SKILL.md`])
  })
})
