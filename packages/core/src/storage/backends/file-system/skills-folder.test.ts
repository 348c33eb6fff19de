import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { moveDocuments, readDocument, updateDocument } from '../../one-document.ts'
import { skillsFolder } from './skills-folder.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hermes-skills-folder-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

const put = async (path: string, text: string) => {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), text)
}

const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes)

describe('skillsFolder', () => {
  it('shows the files of the folder below skills/, in order', async () => {
    await put('team/deploy/SKILL.md', 'deploy')
    await put('deploy/references/api.md', 'api')
    await put('deploy/SKILL.md', 'top')
    const storage = skillsFolder(folder)
    const paths = ['skills/deploy/SKILL.md', 'skills/deploy/references/api.md', 'skills/team/deploy/SKILL.md']
    for (const prefix of ['', 'skills']) {
      const listed = await storage.list(prefix)
      expect(listed.ok && listed.value.map(({ path }) => path)).toEqual(paths)
    }
    const below = await storage.list('skills/team')
    expect(below.ok && below.value.map(({ path }) => path)).toEqual(paths.slice(2))
    expect(await storage.list('memories')).toEqual({ ok: true, value: [] })
    const read = await readDocument(storage, 'skills/deploy/references/api.md')
    expect(read.ok && text(read.value?.bytes)).toBe('api')
    expect(await readDocument(storage, 'deploy/SKILL.md')).toEqual({ ok: true, value: undefined })
    expect(await readDocument(storage, 'skills/deploy/none.md')).toEqual({ ok: true, value: undefined })
  })

  it('looks into no hidden folder and none of packages', async () => {
    await put('deploy/SKILL.md', 'deploy')
    await put('.git/hooks/SKILL.md', 'no')
    await put('deploy/node_modules/a/SKILL.md', 'no')
    const storage = skillsFolder(folder)
    const listed = await storage.list('skills')
    expect(listed.ok && listed.value.map(({ path }) => path)).toEqual(['skills/deploy/SKILL.md'])
    for (const hidden of ['skills/.git/hooks/SKILL.md', 'skills/deploy/node_modules/a/SKILL.md'])
      expect(await readDocument(storage, hidden)).toEqual({ ok: true, value: undefined })
    for (const hidden of ['skills/.git', 'skills/.git/hooks', 'skills/deploy/node_modules'])
      expect(await storage.list(hidden)).toEqual({ ok: true, value: [] })
    await put('deploy/.hidden', 'a file may be hidden')
    await put('node_modules.md', 'a file')
    for (const path of ['skills/deploy/.hidden', 'skills/node_modules.md'])
      expect(await readDocument(storage, path)).toMatchObject({ ok: true, value: expect.anything() })
    expect(await storage.list('skills/deploy')).toMatchObject({
      value: [{ path: 'skills/deploy/.hidden' }, { path: 'skills/deploy/SKILL.md' }],
    })
  })

  it('follows no link out of the folder, and does not tell where it leads', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'hermes-outside-'))
    try {
      await writeFile(join(outside, 'SKILL.md'), 'secret')
      await symlink(outside, join(folder, 'linked'))
      const storage = skillsFolder(folder)
      const listed = await storage.list('skills')
      expect(listed).toMatchObject({ ok: true, value: [{ path: 'skills/linked', unreadable: 'outward-link' }] })
      const read = await readDocument(storage, 'skills/linked/SKILL.md')
      expect(read).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
      expect(JSON.stringify(read)).not.toContain(outside)
      expect(read.ok ? '' : read.error.message).not.toContain(outside)
      const below = await storage.list('skills/linked')
      for (const refused of [read, below])
        expect(refused).toMatchObject({
          ok: false,
          error: { code: 'invalid_path', details: { link: 'linked' }, message: expect.stringContaining("'linked'") },
        })
      expect(JSON.stringify(below)).not.toContain(outside)
      expect(!below.ok && below.error.message).not.toContain(outside)
    } finally {
      await rm(outside, { recursive: true, force: true })
    }
  })

  it.each(['../x', 'skills/../../etc/passwd', '/etc/passwd', 'skills//x'])('refuses the path %j', async (path) => {
    const storage = skillsFolder(folder)
    expect(await readDocument(storage, path)).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    expect(await storage.list(path)).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
  })

  it('keeps other errors as they are, and tells those of the system with the path', async () => {
    await put('full/SKILL.md', 'x')
    await symlink('two', join(folder, 'one'))
    await symlink('one', join(folder, 'two'))
    const storage = skillsFolder(folder)
    expect(await readDocument(storage, 'skills/full')).toMatchObject({
      ok: false,
      error: { code: 'invalid_path', message: expect.stringContaining('it is a folder') },
    })
    for (const circle of [await readDocument(storage, 'skills/one'), await storage.list('skills/one')])
      expect(circle).toMatchObject({
        ok: false,
        error: {
          code: 'invalid_path',
          message: expect.stringContaining("Could not read 'skills/one'"),
          details: { path: 'skills/one', systemCode: 'ELOOP' },
        },
      })
    const looped = await skillsFolder(join(folder, 'one')).list('')
    expect(looped).toMatchObject({ ok: false, error: { code: 'invalid_path', details: { systemCode: 'ELOOP' } } })
  })

  it('throws an error that is not one of the system as it is', async () => {
    await put('a/SKILL.md', 'x')
    vi.spyOn(Date, 'now').mockImplementation(() => {
      throw new TypeError('no clock')
    })
    try {
      await expect(skillsFolder(folder).list('')).rejects.toThrow('no clock')
    } finally {
      vi.restoreAllMocks()
    }
  })

  it('fails if there is no folder', async () => {
    expect(await skillsFolder(join(folder, 'gone')).list('skills')).toMatchObject({ ok: false, error: { code: 'not_found' } })
    await put('file', 'x')
    const ofFile = await skillsFolder(join(folder, 'file')).list('skills')
    expect(ofFile).toMatchObject({ ok: false, error: { code: 'not_found', message: expect.stringContaining('not a folder') } })
    expect(await skillsFolder(join(folder, 'file/below')).list('')).toMatchObject({
      error: { code: 'not_found', details: { path: join(folder, 'file/below') } },
    })
  })

  it('takes ~ for the folder of the user, whatever a relative path starts from', async () => {
    await put('.hermes/skills/deploy/SKILL.md', 'deploy')
    vi.stubEnv('HOME', folder)
    try {
      const listed = await skillsFolder('~/.hermes/skills', { from: '/elsewhere' }).list('')
      expect(listed).toMatchObject({ ok: true, value: [{ path: 'skills/deploy/SKILL.md' }] })
      expect(await skillsFolder('.hermes/skills', { from: '~' }).list('')).toEqual(listed)
    } finally {
      vi.unstubAllEnvs()
    }
  })

  it('starts a relative path from a folder', async () => {
    for (const team of ['team', '~team']) await put(`${team}/deploy/SKILL.md`, 'deploy')
    for (const storage of [
      skillsFolder('~team', { from: folder }),
      skillsFolder('team', { from: folder }),
      skillsFolder(join(folder, 'team'), { from: '/elsewhere' }),
    ]) {
      const listed = await storage.list('skills')
      expect(listed.ok && listed.value.map(({ path }) => path)).toEqual(['skills/deploy/SKILL.md'])
    }
  })

  it('writes nothing', async () => {
    await put('deploy/SKILL.md', 'deploy')
    const storage = skillsFolder(folder)
    const change = vi.fn(() => undefined)
    expect(await updateDocument(storage, 'skills/deploy/SKILL.md', change)).toMatchObject({ ok: false, error: { code: 'unwritable' } })
    expect(await moveDocuments(storage, 'skills/deploy', 'skills/other')).toMatchObject({
      ok: false,
      error: { code: 'unwritable', details: { path: 'skills/deploy' } },
    })
    const long = await updateDocument(storage, 'x'.repeat(100), change)
    expect(!long.ok && long.error.message).toContain(`'${'x'.repeat(80)}' is in a shared folder`)
    expect(change).not.toHaveBeenCalled()
    const read = await readDocument(storage, 'skills/deploy/SKILL.md')
    expect(read.ok && text(read.value?.bytes)).toBe('deploy')
  })

  it('answers nothing once it is closed', async () => {
    const storage = skillsFolder(folder)
    await storage.close()
    expect(await readDocument(storage, 'skills/a')).toMatchObject({ ok: false, error: { code: 'closed' } })
    expect(await storage.list('skills')).toMatchObject({ ok: false, error: { code: 'closed' } })
  })

  it('refuses a value that is not a path', () => {
    // @ts-expect-error: what JavaScript callers pass
    expect(() => skillsFolder(undefined)).toThrow(TypeError)
    // @ts-expect-error: what JavaScript callers pass
    expect(() => skillsFolder(['a'])).toThrow("'folder' must be the path of a folder")
    for (const wrong of ['', 'a\0b']) expect(() => skillsFolder(wrong)).toThrow("'folder' must be the path of a folder")
  })
})
