/** A folder that a team shares, such as its repository, as a read-only storage: of skills for `skills.shared`, of notes for `memory.shared`. */
import { lazyVerbs, loadOnce } from '../../shared/lazy.ts'
import type { StorageBackend } from '../storage-backend.ts'
import { expandFolder } from './home.ts'
import type { SharedFolderKind } from './read-shared-folder.ts'

export interface SharedFolderOptions {
  /** Base of a relative path. Default: the working directory of the process. */
  readonly from?: string
}

const open = (name: 'skills' | 'notes', kind: SharedFolderKind, folder: string, { from = '.' }: SharedFolderOptions): StorageBackend => {
  if (typeof folder !== 'string' || folder === '' || folder.includes('\0'))
    throw new TypeError(`${name}Folder: 'folder' must be the path of a folder, such as '/srv/team/${name}'.`)
  const root = expandFolder(folder, expandFolder(from))
  const load = loadOnce(async () => new (await import('./read-shared-folder.ts')).SharedFolder(root, kind))
  const verbs = lazyVerbs('The code of shared folders', load, 'read', 'update', 'list')
  return { ...verbs, close: async () => (await load()).close() }
}

/**
 * The files below `folder` (`~` is the user's home folder) as documents below `skills/`. Skips folders whose name begins with a dot and
 * `node_modules`, and does not follow links out of the folder; `update` fails with `unwritable`. Listing a missing folder fails
 * with `not_found`. Throws a TypeError for an invalid path.
 */
export const skillsFolder = (folder: string, options: SharedFolderOptions = {}): StorageBackend =>
  open('skills', { prefix: 'skills', holds: '<name>/SKILL.md' }, folder, options)

/** The same for the notes of a team: the folder holds a `MEMORY.md`, whose entries stand apart by a line with `§`. */
export const notesFolder = (folder: string, options: SharedFolderOptions = {}): StorageBackend =>
  open('notes', { prefix: 'memories', holds: 'MEMORY.md' }, folder, options)
