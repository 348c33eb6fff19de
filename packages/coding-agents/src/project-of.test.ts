import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, realpath, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { projectOf } from './project-of.ts'

let folder: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'project-')))
})

const git = (cwd: string, ...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd, stdio: 'pipe' })

const repository = async (...path: readonly string[]): Promise<string> => {
  const root = join(folder, ...path)
  await mkdir(join(root, 'src/deep'), { recursive: true })
  git(root, 'init', '-q')
  git(root, 'commit', '-q', '--allow-empty', '-m', 'Begin')
  return root
}

describe('the project of a folder', () => {
  it('is the repository that it is in, by its name and path', async () => {
    const root = await repository('Web Shop')
    const project = projectOf(root)
    expect(project).toMatch(/^web-shop-[0-9a-f]{12}$/)
    expect(projectOf(join(root, 'src/deep'))).toBe(project)
    await symlink(root, join(folder, 'link'))
    expect(projectOf(join(folder, 'link/src'))).toBe(project)
  })

  it('is another one for another repository of the same name', async () => {
    expect(projectOf(await repository('a/webshop'))).not.toBe(projectOf(await repository('b/webshop')))
  })

  it('is that of the main worktree for a linked one', async () => {
    const root = await repository('webshop')
    git(root, 'worktree', 'add', '-q', join(folder, 'elsewhere'))
    expect(projectOf(join(folder, 'elsewhere'))).toBe(projectOf(root))
  })

  it('is its own for a folder that only claims to be a worktree of a repository', async () => {
    const root = await repository('private')
    git(root, 'worktree', 'add', '-q', join(folder, 'real'))
    const claimed = join(folder, 'claimed')
    await mkdir(claimed)
    await writeFile(join(claimed, '.git'), await readFile(join(folder, 'real/.git')))
    expect(projectOf(claimed)).toMatch(/^claimed-/)
  })

  it.each([
    ['no repository', 'gitdir: /nowhere'],
    ['nonsense', '\0\n\n'],
    ['a very long text', 'x'.repeat(100_000)],
  ])('is its own for a folder whose .git is %s', async (_, text) => {
    await writeFile(join(folder, '.git'), text)
    expect(projectOf(folder)).toMatch(/^project-/)
  })

  it('has a name of harmless characters, whatever the folder is called', async () => {
    const root = await repository(`${'é'.repeat(60)}\n# Rules`)
    expect(projectOf(root)).toMatch(/^[a-z0-9_-]{13,53}$/)
  })

  it('is none outside of a repository, for a folder that is gone and for a relative path', () => {
    expect([projectOf(folder), projectOf(join(folder, 'gone')), projectOf('.'), projectOf(undefined)]).toEqual(Array(4).fill(undefined))
  })
})
