/** A folder of skills, such as a team's repository, as a read-only storage for `skills.shared`. */
import { HermesError } from '../../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../../shared/result.ts'
import { byCodeUnit, checkFolder, closedError, isBelow } from '../../document-tree.ts'
import { makeCut } from '../../make-cut.ts'
import { checkPaths, type NamedPaths } from '../../named-paths.ts'
import type { Cut, DocumentInfo, StorageBackend, StoredDocument } from '../../storage-backend.ts'
import { stat } from './file-calls.ts'
import { isSystemError, toIoError } from './io-error.ts'
import { listDocuments } from './list-documents.ts'
import { readDocument } from './read-document.ts'
import { expandHome, type ReadableHome } from './readable-home.ts'
import { resolvePath } from './resolve-path.ts'

export interface SkillsFolderOptions {
  /** Base of a relative path. Default: the working directory of the process. */
  readonly from?: string
}

/** The document path of the folder. */
const PREFIX = 'skills'

const isIgnored = (name: string): boolean => name.startsWith('.') || name === 'node_modules'

const readOnly = (paths: readonly string[]): Result<never> => {
  const [path] = paths
  return err(
    new HermesError(
      'unwritable',
      `'${String(path).slice(0, 80)}' is in a shared folder of skills, which is only read. Change the files there yourself.`,
      {
        details: { path },
      },
    ),
  )
}

const missing = (root: string, what: string): HermesError =>
  new HermesError('not_found', `${what} at '${root}'. Name the folder that holds '<name>/SKILL.md'.`, { details: { path: root } })

const NO_LINKS: ReadonlySet<string> = new Set()

/** Removes the target from the error: it names a path on this machine, and the reader of a skill must not see it. */
const withoutTarget = <T>(result: Result<T>): Result<T> => {
  if (result.ok || result.error.details['target'] === undefined) return result
  const link = result.error.details['link']
  return err(
    new HermesError('invalid_path', `'${String(link)}' is a symbolic link that leads out of the shared folder. It is not followed.`, {
      details: { link },
    }),
  )
}

const attempt = async <T>(path: string, operation: () => Promise<Result<T>>): Promise<Result<T>> => {
  try {
    return withoutTarget(await operation())
  } catch (error) {
    if (isSystemError(error)) return err(toIoError(error, 'read', path))
    throw error
  }
}

/**
 * The files below `folder` (`~` is the user's home folder) as documents below `skills/`. Skips folders whose name begins with a dot and
 * `node_modules`, and does not follow links out of the folder; `update` fails with `unwritable`. Listing a missing folder fails
 * with `not_found`. Throws a TypeError for an invalid path.
 */
export const skillsFolder = (folder: string, { from = '.' }: SkillsFolderOptions = {}): StorageBackend => {
  if (typeof folder !== 'string' || folder === '' || folder.includes('\0'))
    throw new TypeError("skillsFolder: 'folder' must be the path of a folder, such as '/srv/team/skills'.")
  const root = expandHome(folder, expandHome(from))
  const home: ReadableHome = {
    resolve: (path) => resolvePath(root, path, NO_LINKS),
    ignoresFolder: isIgnored,
  }
  let closed = false

  const list = async (inside: string): Promise<Result<readonly DocumentInfo[]>> => {
    const found = await stat(root).catch((error) => {
      if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined
      throw error
    })
    if (!found?.isDirectory()) return err(missing(root, found ? 'There is a file, not a folder,' : 'There is no folder'))
    const listed = await listDocuments(home, inside)
    return listed.ok ? ok(listed.value.map((document) => ({ ...document, path: `${PREFIX}/${document.path}` }))) : listed
  }

  const isHidden = (path: string): boolean => path.split('/').slice(0, -1).some(isIgnored)

  const readOne = async (path: string): Promise<Result<StoredDocument | undefined>> => {
    const inside = path.slice(PREFIX.length + 1)
    if (!isBelow(path, PREFIX) || isHidden(inside)) return ok(undefined)
    return attempt(path, () => readDocument(home, inside))
  }

  const listOne = async (prefix: string): Promise<Result<readonly DocumentInfo[]>> => {
    const inside = prefix.slice(PREFIX.length + 1)
    if (prefix !== '' && prefix !== PREFIX && (!isBelow(prefix, PREFIX) || isHidden(`${inside}/`))) return ok([])
    return attempt(prefix, () => list(inside))
  }

  /** Not at one moment: whoever changes the files does so by hand, or with a tool that knows no lock. */
  const cutOf = async (named: NamedPaths): Promise<Result<Cut>> => {
    const documents = new Map<string, StoredDocument | HermesError>()
    const reading = [...named.documents].map(async (path) => {
      const read = await readOne(path)
      const found = read.ok ? read.value : read.error
      if (found) documents.set(path, found)
    })
    const infos = new Map<string, DocumentInfo>()
    const listing = named.folders.map(async (folder) => {
      const listed = await listOne(folder)
      if (listed.ok) for (const info of listed.value) infos.set(info.path, info)
      return listed
    })
    const [listings] = await Promise.all([Promise.all(listing), Promise.all(reading)])
    const failed = listings.find((listed) => !listed.ok)
    if (failed) return failed
    return ok(makeCut(named, { documents, infos: [...infos.values()].sort((a, b) => byCodeUnit(a.path, b.path)) }))
  }

  return {
    read: async (paths) => {
      if (closed) return err(closedError())
      const named = checkPaths(paths)
      return named.ok ? cutOf(named.value) : named
    },
    list: async (prefix) => {
      if (closed) return err(closedError())
      const checked = checkFolder(prefix)
      return checked.ok ? listOne(prefix) : checked
    },
    update: async (paths) => readOnly(paths),
    close: async () => {
      closed = true
    },
  }
}
