/** Where the documents of a home are on disk. No path leads out of it. */
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { HermesError } from '../../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../../shared/result.ts'
import { foldPath, refuseOwnFile } from '../../backends/file-system/own-files.ts'
import { type ResolvedPath, resolvePath } from '../../backends/file-system/resolve-path.ts'
import { isBelow } from '../../document-tree.ts'
import { checkPaths, type NamedPaths, namesDocument } from '../../named-paths.ts'
import type { Paths } from '../../storage-backend.ts'
import { MEMORY_PATHS } from '../../storage-paths.ts'

/** The folder of the lock and the log, which holds no documents. */
export const OWN_FOLDER = '.hermes'
export const LOG_NAME = 'log'
export const LOG_PATH = `${OWN_FOLDER}/${LOG_NAME}`

/** Documents that Python Hermes writes too, under a lock beside each; in order of name. */
export const SHARED_DOCUMENTS: readonly string[] = [MEMORY_PATHS.memory, MEMORY_PATHS.user, 'skills/.usage.json']

/** Those that a plan with these names may change. */
export const sharedWithin = (named: NamedPaths): readonly string[] =>
  SHARED_DOCUMENTS.filter((path) => namesDocument(named, path) || [...named.documents].some((folder) => isBelow(path, folder)))

export const isOwnFolder = (name: string): boolean => foldPath(name) === OWN_FOLDER

const checkOwn = (path: string): Result<string> => {
  if (!path.split('/').some(isOwnFolder)) return refuseOwnFile(path)
  return err(
    new HermesError('invalid_path', `'${path}' lies in '${OWN_FOLDER}', where the storage keeps its lock and log. Choose another path.`),
  )
}

/** `invalid_path` for the first that is a file of the back end. */
export const refuseOwnFiles = (paths: Iterable<string>): Result<undefined> => {
  for (const path of paths) {
    const checked = checkOwn(path)
    if (!checked.ok) return checked
  }
  return ok(undefined)
}

export const checkNames = (paths: Paths): Result<NamedPaths> => {
  const named = checkPaths(paths)
  if (!named.ok) return named
  const checked = refuseOwnFiles([...named.value.documents, ...named.value.folders])
  return checked.ok ? named : checked
}

/** `isLink`: the document itself is a link, which stays in the home. `blocked`: a document is in the place of a folder above it. */
export type Place = Pick<ResolvedPath, 'file' | 'isLink' | 'blocked'>

const NO_LINKED_DOCUMENTS: ReadonlySet<string> = new Set()

/** The folders of a home, each resolved when it is first met: links that somebody puts there later are not looked for (DESIGN 3, threat model). */
export class HomePaths {
  readonly #given: string
  readonly #folders = new Map<string, string>()
  #own: string | undefined

  /** `~` is the user's home folder. */
  constructor(folder: string) {
    this.#given = folder === '~' || /^~[\\/]/.test(folder) ? join(homedir(), folder.slice(1)) : resolve(folder)
  }

  /** Before anything else. `invalid_path` if the back end's own folder is a link out of the home. Throws the system's errors. */
  async open(): Promise<Result<undefined>> {
    if (this.#own !== undefined) return ok(undefined)
    const resolved = await this.resolve(LOG_PATH)
    if (resolved.ok) this.#own = dirname(resolved.value.file)
    return resolved.ok ? ok(undefined) : resolved
  }

  /** A file of the back end, by its name; absolute, without links. */
  own(name: string): string {
    return join(this.#own ?? join(this.#given, OWN_FOLDER), name)
  }

  /** `invalid_path` if a link leads out. Throws the system's errors. */
  async locate(path: string): Promise<Result<Place>> {
    const known = this.#folders.get(dirname(path))
    return known === undefined ? this.resolve(path) : ok({ file: join(known, basename(path)), isLink: false, blocked: undefined })
  }

  /** The same, of what is on disk now. */
  async resolve(path: string): Promise<Result<ResolvedPath>> {
    const resolved = await resolvePath(this.#given, path, NO_LINKED_DOCUMENTS)
    if (resolved.ok && resolved.value.isStraight) this.#folders.set(dirname(path), dirname(resolved.value.file))
    return resolved
  }

  /** Called when folders have moved or gone. */
  forgetFolders(): void {
    this.#folders.clear()
  }
}
