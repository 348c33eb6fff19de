/** The skill store on real back ends: finding, reading and changing skills, with concurrent writers. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Result } from '../src/shared/result.ts'
import { SkillStore } from '../src/skills/skill-store.ts'
import { fileSystemBackend } from '../src/storage/files/file-backend.ts'
import { inMemoryBackend } from '../src/storage/in-memory.ts'
import { moveDocuments, readDocument, updateDocument } from '../src/storage/one-document.ts'
import type { StorageBackend, StoredDocument } from '../src/storage/storage-backend.ts'
import { temporaryFolder } from './storage/support/temporary-home.ts'
import { refusal, unwrap } from './support/skill-library.ts'

const BACK_ENDS: readonly (readonly [string, () => StorageBackend])[] = [
  ['in memory', () => inMemoryBackend()],
  ['on disk', () => fileSystemBackend(temporaryFolder(), { onWarning: () => undefined })],
]

const skillText = (name: string, body = `# ${name}\n\n1. Run the tests\n2. Commit\n`, description = `How to ${name}.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}`

const put = async (storage: StorageBackend, files: Readonly<Record<string, string | Uint8Array>>) => {
  for (const [path, content] of Object.entries(files)) {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
    expect((await updateDocument(storage, path, () => bytes)).ok, path).toBe(true)
  }
}

const get = async (storage: StorageBackend, path: string): Promise<string | undefined> => {
  const read = await readDocument(storage, path)
  return read.ok && read.value ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(read.value.bytes) : undefined
}

const paths = async (storage: StorageBackend): Promise<readonly string[]> => {
  const listed = await storage.list('')
  return listed.ok ? listed.value.map(({ path }) => path) : []
}

/** Runs `interfere` right before the given update of a path. */
const beforeUpdate = (storage: StorageBackend, path: string, interfere: () => Promise<unknown>): StorageBackend => {
  let isDone = false
  return {
    ...storage,
    update: async (paths, plan, options) => {
      if (paths.includes(path) && !isDone) {
        isDone = true
        await interfere()
      }
      return storage.update(paths, plan, options)
    },
  }
}

describe.each(BACK_ENDS)('the skill store %s', (_, open) => {
  const openWith = async (files: Readonly<Record<string, string | Uint8Array>> = {}) => {
    const storage = open()
    await put(storage, files)
    return { storage, store: new SkillStore({ storage }) }
  }

  describe('list', () => {
    test('finds skills in nested categories, by category and then name', async () => {
      const { store } = await openWith({
        'skills/ops/cloud/scale/SKILL.md': skillText('scale'),
        'skills/zip/SKILL.md': skillText('zip'),
        'skills/ops/deploy/SKILL.md': skillText('deploy'),
        'skills/ops/build/SKILL.md': skillText('build'),
      })
      const { skills, problems } = unwrap(await store.list())
      expect(skills.map(({ path, category, name }) => [path, category, name])).toEqual([
        ['zip', undefined, 'zip'],
        ['ops/build', 'ops', 'build'],
        ['ops/deploy', 'ops', 'deploy'],
        ['ops/cloud/scale', 'ops/cloud', 'scale'],
      ])
      expect(skills[0]).toMatchObject({ folderName: 'zip', description: 'How to zip.', diagnostics: [] })
      expect(problems).toEqual([])
    })

    test('ignores archived skills, installed packages and packages kept by a skill, but not a category with such a name', async () => {
      const { store } = await openWith({
        'skills/SKILL.md': skillText('skills'),
        'skills/.archive/old/SKILL.md': skillText('old'),
        'curator/backups/b/SKILL.md': skillText('b'),
        'skills/.curator_backups/.rollback-staging-1/s/SKILL.md': skillText('s'),
        'skills/.usage-corrupt/u/SKILL.md': skillText('u'),
        'skills/demo/SKILL.md': skillText('demo'),
        'skills/demo/node_modules/pkg/SKILL.md': skillText('pkg'),
        'skills/demo/references/older/SKILL.md': skillText('older'),
        'skills/demo/assets/deep/er/SKILL.md': skillText('er'),
        'skills/ops/scripts/nested/SKILL.md': skillText('nested'),
        'skills/scripts/tool/SKILL.md': skillText('tool'),
      })
      expect(unwrap(await store.list()).skills.map(({ path }) => path)).toEqual(['demo', 'ops/scripts/nested', 'scripts/tool'])
    })
  })

  describe('view', () => {
    const library = {
      'skills/ops/deploy/SKILL.md': skillText('deploy'),
      'skills/ops/deploy/references/b.md': 'b',
      'skills/ops/deploy/references/a.md': 'a',
      'skills/ops/deploy/scripts/run.sh': 'echo',
      'skills/ops/deploy/assets/logo.png': Uint8Array.of(0x89, 0xff),
      'skills/ops/deploy/FORMS.md': 'forms',
      'skills/folder/SKILL.md': skillText('called-otherwise'),
    }

    test.each(['deploy', ' deploy ', 'ops/deploy', 'ops/deploy/', 'ops/deploy/SKILL.md'])('finds a skill as "%s"', async (target) => {
      const { store } = await openWith(library)
      expect(unwrap(await store.view(target))).toMatchObject({
        name: 'deploy',
        path: 'ops/deploy',
        category: 'ops',
        content: skillText('deploy'),
        linkedFiles: {
          references: ['references/a.md', 'references/b.md'],
          templates: [],
          scripts: ['scripts/run.sh'],
          assets: ['assets/logo.png'],
        },
      })
    })

    test('returns support files, other files of the folder, and bytes if a file is not text', async () => {
      const { store } = await openWith(library)
      expect(unwrap(await store.view('deploy', 'references/a.md'))).toMatchObject({ filePath: 'references/a.md', content: 'a' })
      expect(unwrap(await store.view('deploy', 'FORMS.md')).content).toBe('forms')
      expect(unwrap(await store.view('deploy', 'SKILL.md')).content).toBe(skillText('deploy'))
      const logo = unwrap(await store.view('deploy', 'assets/logo.png'))
      expect([...logo.bytes]).toEqual([0x89, 0xff])
      expect(logo.content).toBeUndefined()
    })

    test('refuses a file outside the folder, and names the files there are for one that is missing', async () => {
      const { store } = await openWith(library)
      for (const filePath of ['../../folder/SKILL.md', '/etc/passwd', 'references\\a.md', ''])
        expect(refusal(await store.view('deploy', filePath)).code, filePath).toBe('invalid_path')
      const missing = refusal(await store.view('deploy', 'references/c.md'))
      expect(missing.code).toBe('not_found')
      expect(missing.details['files']).toEqual(['references/a.md', 'references/b.md', 'scripts/run.sh', 'assets/logo.png'])
    })

    test('refuses a name of several skills with candidates, each of which names one', async () => {
      const { store } = await openWith({ ...library, 'skills/deploy/SKILL.md': skillText('deploy', 'Top.\n') })
      const error = refusal(await store.view('deploy'))
      expect(error.code).toBe('ambiguous')
      expect(error.details['candidates']).toEqual(['deploy/SKILL.md', 'ops/deploy/SKILL.md'])
      expect(unwrap(await store.view('deploy/SKILL.md'))).toMatchObject({ path: 'deploy' })
      expect(unwrap(await store.view('ops/deploy'))).toMatchObject({ path: 'ops/deploy' })
    })

    test('tells a missing skill from an unreadable one', async () => {
      const { store } = await openWith({ 'skills/bad/SKILL.md': Uint8Array.of(0xff), 'skills/.archive/old/SKILL.md': skillText('old') })
      expect(refusal(await store.view('nothing')).code).toBe('not_found')
      expect(refusal(await store.view('old')).code).toBe('not_found')
      expect(refusal(await store.view('.archive/old')).code).toBe('not_found')
      expect(refusal(await store.view('bad')).code).toBe('unreadable')
    })
  })

  describe('create', () => {
    test('writes the skill into its category and answers what it wrote', async () => {
      const { storage, store } = await openWith()
      const created = unwrap(await store.create({ name: 'deploy', category: ' ops ', content: skillText('deploy') }))
      expect(created).toMatchObject({ skill: { path: 'ops/deploy', name: 'deploy' }, filePath: 'SKILL.md', before: undefined })
      expect(await get(storage, 'skills/ops/deploy/SKILL.md')).toBe(skillText('deploy'))
      expect(unwrap(await store.view('deploy')).version).toBe(created.version)
    })

    test.each([
      ['a wrong name', { name: 'De ploy', content: skillText('deploy') }, 'invalid'],
      ['a wrong category', { name: 'deploy', category: 'a/b', content: skillText('deploy') }, 'invalid'],
      ['a name that is not the one in the front matter', { name: 'deploy', content: skillText('other') }, 'invalid'],
      ['no front matter', { name: 'deploy', content: 'words' }, 'invalid'],
      ['half a character', { name: 'deploy', content: `${skillText('deploy')}\ud800` }, 'invalid'],
      ['too long a text', { name: 'deploy', content: skillText('deploy', 'x'.repeat(100_001)) }, 'over_limit'],
    ])('refuses %s and leaves nothing', async (_case, skill, code) => {
      const { storage, store } = await openWith()
      expect(refusal(await store.create(skill)).code).toBe(code)
      expect(await paths(storage)).toEqual([])
    })

    test('refuses a name that a skill already has, and a folder that is in use', async () => {
      const files = {
        'skills/ops/deploy/SKILL.md': skillText('deploy'),
        'skills/folder/SKILL.md': skillText('called-otherwise'),
        'skills/left/references/over.md': 'left over',
        'skills/Upper/SKILL.md': skillText('Upper'),
        'skills/ops/Mixed/SKILL.md': skillText('Mixed'),
        'skills/broken/SKILL.md': Uint8Array.of(0xff),
      }
      const { storage, store } = await openWith(files)
      const before = await paths(storage)
      for (const name of ['deploy', 'called-otherwise', 'folder', 'left', 'ops', 'upper', 'mixed', 'broken'])
        expect(refusal(await store.create({ name, content: skillText(name) })).code, name).toBe('occupied')
      expect(refusal(await store.create({ name: 'new', category: 'folder', content: skillText('new') })).message).toContain(
        'not a category',
      )
      expect(await paths(storage)).toEqual(before)
    })
  })

  describe('edit', () => {
    test('replaces the whole text and answers what was there', async () => {
      const { storage, store } = await openWith({ 'skills/demo/SKILL.md': skillText('demo') })
      const next = skillText('demo', 'Other.\n')
      const edited = unwrap(await store.edit('demo', next))
      expect(new TextDecoder().decode(edited.before)).toBe(skillText('demo'))
      expect(await get(storage, 'skills/demo/SKILL.md')).toBe(next)
    })

    test('refuses new faults and keeps the old text, yet lets a faulty skill be mended in part', async () => {
      const faulty = '---\nname: faulty\n---\n\nBody.\n'
      const { storage, store } = await openWith({ 'skills/demo/SKILL.md': skillText('demo'), 'skills/faulty/SKILL.md': faulty })
      expect(refusal(await store.edit('demo', 'no front matter')).code).toBe('invalid')
      expect(await get(storage, 'skills/demo/SKILL.md')).toBe(skillText('demo'))
      expect((await store.edit('faulty', `${faulty}More.\n`)).ok).toBe(true)
    })

    test('refuses with drift what another writer changed meanwhile, or since the view', async () => {
      const { storage, store } = await openWith({ 'skills/demo/SKILL.md': skillText('demo') })
      const theirs = skillText('demo', 'Theirs.\n')
      const path = 'skills/demo/SKILL.md'
      const late = new SkillStore({ storage: beforeUpdate(storage, path, () => put(storage, { [path]: theirs })) })
      expect(refusal(await late.edit('demo', skillText('demo', 'Mine.\n'))).code).toBe('drift')
      expect(await get(storage, path)).toBe(theirs)

      const { version } = unwrap(await store.view('demo'))
      await put(storage, { [path]: skillText('demo', 'Theirs again.\n') })
      expect(refusal(await store.edit('demo', skillText('demo', 'Mine.\n'), { version })).code).toBe('drift')
      expect(await get(storage, path)).toBe(skillText('demo', 'Theirs again.\n'))
    })
  })

  describe('patch', () => {
    test('replaces a part and says how it was found', async () => {
      const { storage, store } = await openWith({ 'skills/demo/SKILL.md': skillText('demo') })
      const patched = unwrap(await store.patch('demo', { oldText: '2. Commit', newText: '2. Push' }))
      expect(patched).toMatchObject({ strategy: 'exact', count: 1, filePath: 'SKILL.md' })
      expect(await get(storage, 'skills/demo/SKILL.md')).toBe(skillText('demo').replace('Commit', 'Push'))
    })

    test('keeps the front matter valid, also if SKILL.md is named as the file', async () => {
      const { storage, store } = await openWith({ 'skills/demo/SKILL.md': skillText('demo') })
      const patch = { oldText: 'description: How to demo.\n', newText: '' }
      expect(refusal(await store.patch('demo', patch)).code).toBe('invalid')
      expect(refusal(await store.patch('demo', { ...patch, filePath: 'SKILL.md' })).code).toBe('invalid')
      expect(await get(storage, 'skills/demo/SKILL.md')).toBe(skillText('demo'))
    })

    test('applies to what is there at the moment of writing, so that two patches at once both stay', async () => {
      const path = 'skills/demo/SKILL.md'
      const { storage, store } = await openWith({ [path]: skillText('demo') })
      const late = new SkillStore({
        storage: beforeUpdate(storage, path, () => store.patch('demo', { oldText: 'tests', newText: 'checks' })),
      })
      expect((await late.patch('demo', { oldText: 'Commit', newText: 'Push' })).ok).toBe(true)
      expect(await get(storage, path)).toBe(skillText('demo').replace('tests', 'checks').replace('Commit', 'Push'))
      const words = ['one', 'two', 'three', 'four', 'five', 'six']
      await put(storage, { [path]: skillText('demo', `${words.join('\n')}\n`) })
      const results = await Promise.all(words.map((word) => store.patch('demo', { oldText: word, newText: word.toUpperCase() })))
      expect(results.every(({ ok }) => ok)).toBe(true)
      expect(await get(storage, path)).toBe(skillText('demo', `${words.join('\n').toUpperCase()}\n`))
    })

    test('patches support files, replaces all on request, and never text that only resembles the quoted one', async () => {
      const { storage, store } = await openWith({ 'skills/demo/SKILL.md': skillText('demo'), 'skills/demo/references/a.md': 'x y x' })
      const filePath = 'references/a.md'
      expect(refusal(await store.patch('demo', { oldText: 'x', newText: 'z', filePath })).code).toBe('ambiguous')
      expect(unwrap(await store.patch('demo', { oldText: 'x', newText: 'z', filePath, replaceAll: true })).count).toBe(2)
      expect(await get(storage, 'skills/demo/references/a.md')).toBe('z y z')
      const near = { oldText: '1. Run the test\n2. Commit', newText: '1. Run\n2. Push' }
      expect((await store.patch('demo', near)).ok).toBe(false)
    })
  })

  describe('writeFile and removeFile', () => {
    const demo = { 'skills/demo/SKILL.md': skillText('demo') }

    test('write, overwrite and remove a support file, and answer what was there', async () => {
      const { storage, store } = await openWith(demo)
      expect(unwrap(await store.writeFile('demo', 'references/api/v1.md', 'one')).before).toBeUndefined()
      const second = unwrap(await store.writeFile('demo', 'references/api/v1.md', 'two'))
      expect(new TextDecoder().decode(second.before)).toBe('one')
      expect(await get(storage, 'skills/demo/references/api/v1.md')).toBe('two')
      const removed = unwrap(await store.removeFile('demo', 'references/api/v1.md'))
      expect(new TextDecoder().decode(removed.before)).toBe('two')
      expect(removed.after).toBeUndefined()
      expect(await paths(storage)).toEqual(['skills/demo/SKILL.md'])
    })

    test('keep to the support folders and never touch SKILL.md', async () => {
      const { storage, store } = await openWith(demo)
      for (const filePath of [
        'SKILL.md',
        'references/SKILL.md',
        'notes.md',
        '../x.md',
        'references',
        'references/../SKILL.md',
        '/references/a',
      ]) {
        expect(refusal(await store.writeFile('demo', filePath, 'x')).code, filePath).toBe('invalid_path')
        expect(refusal(await store.removeFile('demo', filePath)).code, filePath).toBe('invalid_path')
      }
      expect(await get(storage, 'skills/demo/SKILL.md')).toBe(skillText('demo'))
      expect(await paths(storage)).toEqual(['skills/demo/SKILL.md'])
    })

    test('leave no file behind if the skill was moved away meanwhile', async () => {
      const { storage } = await openWith(demo)
      const archive = () => moveDocuments(storage, 'skills/demo', 'skills/.archive/demo')
      const late = new SkillStore({ storage: beforeUpdate(storage, 'skills/demo/references/a.md', archive) })
      expect(refusal(await late.writeFile('demo', 'references/a.md', 'x')).code).toBe('not_found')
      expect(await paths(storage)).toEqual(['skills/.archive/demo/SKILL.md'])
    })
  })
})

/** The cache of a skill store between two listings: nothing is read twice, and no change by any writer is missed. */
describe('skill index', () => {
  const skillText = (name: string, description: string): string => `---\nname: ${name}\ndescription: ${description}\n---\n\nDo it.\n`

  const shared = (): (() => StorageBackend) => {
    const documents = new Map<string, StoredDocument>()
    return () => inMemoryBackend(documents)
  }

  const onDisk = (): (() => StorageBackend) => {
    const home = temporaryFolder()
    return () => fileSystemBackend(home, { onWarning: () => undefined })
  }

  describe.each([
    ['in memory', shared],
    ['on disk', onDisk],
  ] as const)('what a skill store keeps %s', (_, create) => {
    const setUp = async () => {
      const open = create()
      const other = open()
      const storage = open()
      const reads: string[] = []
      const watched: StorageBackend = {
        ...storage,
        read: (paths) => {
          reads.push(...paths)
          return storage.read(paths)
        },
      }
      const put = async (path: string, text: string) =>
        unwrap(await updateDocument(other, `skills/${path}`, () => new TextEncoder().encode(text)))
      await put('a/deploy/SKILL.md', skillText('deploy', 'One.'))
      await put('b/tidy/SKILL.md', skillText('tidy', 'Two.'))
      await put('b/tidy/references/r.md', 'r')
      const store = new SkillStore({ storage: watched })
      const readsOf = async <T>(call: Promise<Result<T>>): Promise<readonly string[]> => {
        reads.length = 0
        await call
        return [...reads]
      }
      return { store, other, put, readsOf, watched }
    }

    const listed = async (store: SkillStore) => unwrap(await store.list()).skills.map(({ name, description }) => `${name}: ${description}`)

    test('reads every skill once, and no other file', async () => {
      const { store, readsOf } = await setUp()
      expect(await readsOf(store.list())).toEqual(['skills/a/deploy/SKILL.md', 'skills/b/tidy/SKILL.md'])
      expect(await readsOf(store.list())).toEqual([])
      expect(await listed(store)).toEqual(['deploy: One.', 'tidy: Two.'])
    })

    test('reads again what another handle wrote, of the same size too, and only that', async () => {
      const { store, put, readsOf } = await setUp()
      await store.list()
      for (const description of ['Six.', 'Ten.', 'Six.']) {
        await put('a/deploy/SKILL.md', skillText('deploy', description))
        expect(await readsOf(store.list())).toEqual(['skills/a/deploy/SKILL.md'])
        expect(await listed(store)).toEqual([`deploy: ${description}`, 'tidy: Two.'])
      }
    })
  })

  describe('files that other programs write in place', () => {
    test('are never missed, whatever time they are given afterwards and however fast they follow each other', async () => {
      const home = temporaryFolder()
      const file = join(home, 'skills/deploy/SKILL.md')
      mkdirSync(join(home, 'skills/deploy'), { recursive: true })
      const store = new SkillStore({ storage: fileSystemBackend(home, { onWarning: () => undefined }) })
      for (let round = 0; round < 30; round++) {
        // The size, the modification time and the inode stay the same.
        writeFileSync(file, skillText('deploy', `Round ${String(round).padStart(2, '0')}.`))
        utimesSync(file, 1_700_000_000, 1_700_000_000)
        expect(unwrap(await store.list()).skills[0]?.description).toBe(`Round ${String(round).padStart(2, '0')}.`)
      }
    })
  })
})
