/** Resolves a document path to the real file, refusing every path out of the home that is not allowed (DESIGN 8, promise 7). */
import type { Stats } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { HermesError } from '../../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../../shared/result.ts'
import { notADocument } from '../../document-tree.ts'
import { lstat, readlink, realpath } from './file-calls.ts'
import { isSystemError } from './io-error.ts'
import { refuseOwnFile } from './own-files.ts'

export interface ResolvedPath {
  /** Absolute, with every link resolved. */
  readonly file: string
  /** The document path of `file` if it is in the home: with links, a document may have several paths. */
  readonly canonical: string | undefined
  /** The entry itself is a symbolic link. */
  readonly isLink: boolean
  /** No part of the path is a link, and the folder existed; opening `file` detects a change of that. */
  readonly isStraight: boolean
  /** Nothing was found there. False also if it is not known. */
  readonly isMissing: boolean
  /** The error if a document is in the place of a parent folder. */
  readonly blocked: HermesError | undefined
}

const MAX_LINKS = 40

const isWithin = (path: string, folder: string): boolean => {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

const statusOf = async (path: string): Promise<Stats | undefined> => {
  try {
    return await lstat(path)
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

/** Like realpath, also for paths that do not exist: for a dangling link, where a write would create the target. */
export const realLocation = async (path: string, links = 0): Promise<string> => {
  try {
    return await realpath(path)
  } catch (error) {
    if (links > MAX_LINKS || !isSystemError(error, 'ENOENT') || path === dirname(path)) throw error
    if ((await statusOf(path))?.isSymbolicLink()) return realLocation(resolve(dirname(path), await readlink(path)), links + 1)
    return join(await realLocation(dirname(path), links), basename(path))
  }
}

/** Documents that may be links out of the home, and their parent folders. */
export const linkedPlaces = (documents: readonly string[]): ReadonlySet<string> =>
  new Set(documents.flatMap((path) => (path.includes('/') ? [path, path.slice(0, path.lastIndexOf('/'))] : [path])))

const refuseEscape = (place: string, target: string): HermesError =>
  new HermesError(
    'invalid_path',
    `'${place}' is a symbolic link that leads out of the home (to ${target}). Replace it with the real file or folder, or, if the link is intended, name the document in 'linkedDocuments'.`,
    { details: { link: place, target } },
  )

interface Walk {
  readonly file: string
  readonly isLink: boolean
  /** A document, which cannot have entries below it. */
  readonly isFile: boolean
  /** The allowed roots after following an allowed link. */
  readonly roots: readonly string[]
}

const step = async (walk: Walk, place: string, linked: ReadonlySet<string>): Promise<Result<Walk>> => {
  const file = join(walk.file, basename(place))
  const status = await statusOf(file)
  if (!status?.isSymbolicLink()) return ok({ file, isLink: false, isFile: status?.isFile() ?? false, roots: walk.roots })
  const target = await realLocation(file)
  const isFile = (await statusOf(target))?.isFile() ?? false
  if (walk.roots.some((root) => isWithin(target, root))) return ok({ file: target, isLink: true, isFile, roots: walk.roots })
  if (!linked.has(place)) return err(refuseEscape(place, target))
  return ok({ file: target, isLink: true, isFile, roots: [...walk.roots, target] })
}

/** Step by step, for paths with links or missing parts. */
const walkTo = async (home: string, path: string, linked: ReadonlySet<string>): Promise<Result<ResolvedPath>> => {
  const realHome = await realLocation(home)
  const segments = path.split('/')
  let walk: Walk = { file: realHome, isLink: false, isFile: false, roots: [realHome] }
  for (const index of segments.keys()) {
    if (walk.isFile) {
      const blocked = notADocument(path, `'${segments.slice(0, index).join('/')}' is a document, not a folder`)
      return ok({
        file: join(walk.file, ...segments.slice(index)),
        canonical: path,
        isLink: false,
        isStraight: false,
        isMissing: false,
        blocked,
      })
    }
    const next = await step(walk, segments.slice(0, index + 1).join('/'), linked)
    if (!next.ok) return next
    walk = next.value
  }
  const canonical = isWithin(walk.file, realHome) ? relative(realHome, walk.file).split(sep).join('/') : undefined
  return ok({ file: walk.file, canonical, isLink: walk.isLink, isStraight: false, isMissing: false, blocked: undefined })
}

/** Checks all parts at once, since most paths have no links; `undefined` if a step-by-step walk is needed. */
const lookStraight = async (home: string, path: string): Promise<ResolvedPath | undefined> => {
  const way = join(home, path)
  const looks = [realpath(home), realpath(dirname(way)), lstat(way)] as const
  const [realHome, realFolder, status] = await Promise.allSettled(looks)
  if (realHome.status === 'rejected' || realFolder.status === 'rejected') return undefined
  const file = join(realHome.value, path)
  if (realFolder.value !== dirname(file)) return undefined
  const isMissing = status.status === 'rejected' && isSystemError(status.reason, 'ENOENT')
  if (!isMissing && (status.status === 'rejected' || status.value.isSymbolicLink())) return undefined
  return { file, canonical: path, isLink: false, isStraight: true, isMissing, blocked: undefined }
}

/**
 * The location of a path of the home, own files included. `home` is absolute. Throws the system's errors, such as for a loop of links.
 */
export const locatePath = async (home: string, path: string, linked: ReadonlySet<string>): Promise<Result<ResolvedPath>> => {
  const straight = path === '' ? undefined : await lookStraight(home, path)
  return straight ? ok(straight) : walkTo(home, path, linked)
}

/** The same for a document: a link to the back end's own files is refused. */
export const resolvePath = async (home: string, path: string, linked: ReadonlySet<string>): Promise<Result<ResolvedPath>> => {
  const located = await locatePath(home, path, linked)
  if (!located.ok || located.value.blocked || located.value.canonical === undefined) return located
  const checked = refuseOwnFile(located.value.canonical)
  return checked.ok ? located : checked
}
