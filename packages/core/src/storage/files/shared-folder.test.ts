import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/storage/support/temporary-home.ts'
import { notesFolder, skillsFolder } from './shared-folder.ts'

const createFolder = (): string => {
  const folder = temporaryFolder()
  for (const path of ['a/SKILL.md', 'a/.env', '.git/x', 'a/node_modules/y', 'MEMORY.md']) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), path)
  }
  symlinkSync(temporaryFolder(), join(folder, 'out'))
  return folder
}

const pathsOf = (listed: Awaited<ReturnType<ReturnType<typeof skillsFolder>['list']>>) =>
  listed.ok ? listed.value.map(({ path }) => path) : listed.error.code

it('shows its files below one folder, but none in hidden folders and packages', async () => {
  const folder = createFolder()
  const storage = skillsFolder('.', { from: folder })
  expect(pathsOf(await storage.list(''))).toEqual(['skills/MEMORY.md', 'skills/a/.env', 'skills/a/SKILL.md', 'skills/out'])
  expect(pathsOf(await storage.list('skills/a'))).toEqual(['skills/a/.env', 'skills/a/SKILL.md'])
  for (const other of ['skills/.git', 'skills/a/node_modules', 'memories', 'skillsets'])
    expect(pathsOf(await storage.list(other))).toEqual([])
  const paths = ['skills/a/SKILL.md', 'skills/a/.env', 'skills/a/node_modules/y', 'skills/none', 'skills', 'MEMORY.md']
  const cut = await storage.read(paths)
  const texts = paths.map((path) => cut.ok && cut.value.document(path)?.bytes).map((bytes) => bytes && new TextDecoder().decode(bytes))
  expect(texts).toEqual(['a/SKILL.md', 'a/.env', undefined, undefined, undefined, undefined])
  expect(pathsOf(await notesFolder(folder).list('memories'))).toContain('memories/MEMORY.md')
})

it('is only read, and closed for good', async () => {
  const storage = skillsFolder(createFolder())
  const path = 'skills/a/SKILL.md'
  const updated = await storage.update([path], () => ({ put: { [path]: null }, value: undefined }))
  expect(updated).toMatchObject({ ok: false, error: { code: 'unwritable', details: { path } } })
  for (const wrong of [[], ['..']]) expect(await storage.read(wrong)).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
  expect(await storage.list('..')).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
  await storage.close()
  for (const answer of [await storage.read([path]), await storage.list('skills'), await storage.list('..')])
    expect(answer).toMatchObject({ ok: false, error: { code: 'closed' } })
})

it('names a link out of it, but not where that leads', async () => {
  const storage = skillsFolder(createFolder())
  const cut = await storage.read(['skills/out', 'skills/out/x'])
  for (const path of ['skills/out', 'skills/out/x'])
    expect(() => cut.ok && cut.value.document(path)).toThrow(
      expect.objectContaining({ code: 'invalid_path', details: { link: 'out' }, message: expect.not.stringContaining('/') }),
    )
  expect(await storage.list('skills/out')).toMatchObject({ ok: false, error: { code: 'invalid_path', details: { link: 'out' } } })
})

it.each([
  ['none', 'There is no folder'],
  ['MEMORY.md', 'There is a file, not a folder,'],
])('that is not there cannot be listed, and has no document: %s', async (name, message) => {
  const root = join(createFolder(), name)
  const storage = skillsFolder(root)
  const error = { code: 'not_found', message: expect.stringContaining(`${message} at '${root}'`), details: { path: root } }
  for (const listed of [await storage.list(''), await storage.list('skills')]) expect(listed).toMatchObject({ ok: false, error })
  const cut = await storage.read(['skills/x'])
  expect(cut.ok && cut.value.document('skills/x')).toBeUndefined()
})
