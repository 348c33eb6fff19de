/** The project of a folder: the Git repository that it is in. Notes on it never reach another project, so nothing that a repository can claim of itself names it. */
import { readFileSync, realpathSync, statSync } from 'node:fs'
import nodeModule from 'node:module'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'

/** Characters of the folder's name that a project has. */
const NAME_CHARS = 40
/** Characters of the digest of the folder's path. */
const DIGEST_CHARS = 12
/** Maximum bytes of a file that says where a worktree belongs. */
const MAX_BYTES = 10_000

const textOf = (file: string): string => {
  const status = statSync(file, { throwIfNoEntry: false })
  return status?.isFile() && status.size <= MAX_BYTES ? readFileSync(file, 'utf8').trim() : ''
}

/** Most events need no digest, and the code of Node for it takes a while to load. */
const digestOf = (text: string): string => {
  const { createHash }: typeof import('node:crypto') = nodeModule.createRequire(import.meta.url)('node:crypto')
  return createHash('sha256').update(text).digest('hex').slice(0, DIGEST_CHARS)
}

const absolute = (folder: string, path: string): string => (isAbsolute(path) ? path : resolve(folder, path))

/** The main worktree of a linked one. It must name the linked one too: a folder that was downloaded can claim to belong to any repository. Undefined if it does not. */
const mainWorktree = (worktree: string, gitFile: string): string | undefined => {
  const [, named] = /^gitdir: (.+)$/.exec(textOf(gitFile)) ?? []
  if (named === undefined) return undefined
  const gitFolder = absolute(worktree, named)
  const [back, common] = [textOf(join(gitFolder, 'gitdir')), textOf(join(gitFolder, 'commondir'))]
  if (back === '' || common === '') return undefined
  if (realpathSync(absolute(gitFolder, back)) !== realpathSync(gitFile)) return undefined
  const shared = absolute(gitFolder, common)
  return basename(shared) === '.git' ? dirname(shared) : shared
}

const rootOf = (folder: string): string | undefined => {
  const gitPath = join(folder, '.git')
  const status = statSync(gitPath, { throwIfNoEntry: false })
  if (status?.isDirectory() && statSync(join(gitPath, 'HEAD'), { throwIfNoEntry: false })) return folder
  if (status?.isFile()) return mainWorktree(folder, gitPath) ?? folder
  return dirname(folder) === folder ? undefined : rootOf(dirname(folder))
}

/** `webshop-` and a digest of the path of its main worktree: two repositories of one name are two projects. Undefined outside of a repository. */
export const projectOf = (folder: string | undefined): string | undefined => {
  if (folder === undefined || !isAbsolute(folder)) return undefined
  try {
    const root = rootOf(realpathSync(folder))
    if (root === undefined) return undefined
    const path = realpathSync(root)
    const name = basename(path)
      .toLowerCase()
      .replaceAll(/[^a-z0-9_]+/g, '-')
      .slice(0, NAME_CHARS)
    return `${name || 'project'}-${digestOf(path)}`
  } catch {
    // The folder is gone, or cannot be read.
    return undefined
  }
}
