/** From a document path to the real file behind it, refusing every way out of the home that nobody allowed (DESIGN 8, promise 7). */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { HermesError } from '../../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../../shared/result.ts'
import { notADocument } from '../../document-tree.ts'
import { isSystemError } from './io-error.ts'
import { refuseOwnFile } from './own-files.ts'

export interface ResolvedPath {
  /** Absolute, with every link followed. */
  readonly file: string
  /** The document path of `file` where it lies in the home: another name of the same document when links are involved. */
  readonly canonical: string | undefined
  /** The entry itself is a symbolic link. */
  readonly isLink: boolean
  /** Why nothing can lie here, where a document stands in the place of a folder. */
  readonly blocked: HermesError | undefined
}

const MAX_LINKS = 40

const isWithin = (path: string, folder: string): boolean => {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Like realpath, for what does not exist yet too: the target of a dangling link is where a write would create it. */
export const realLocation = (path: string, links = 0): string => {
  try {
    return realpathSync.native(path)
  } catch (error) {
    if (links > MAX_LINKS || !isSystemError(error, 'ENOENT') || path === dirname(path)) throw error
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
    if (isLink) return realLocation(resolve(dirname(path), readlinkSync(path)), links + 1)
    return join(realLocation(dirname(path), links), basename(path))
  }
}

/** Documents that may be links to the outside, and the folders they lie in. */
export const linkedPlaces = (documents: readonly string[]): ReadonlySet<string> =>
  new Set(documents.flatMap((path) => (path.includes('/') ? [path, path.slice(0, path.lastIndexOf('/'))] : [path])))

const refuseEscape = (place: string, target: string): HermesError =>
  new HermesError(
    'invalid_path',
    `'${place}' is a symbolic link that leads out of the home (to ${target}). Put the real file or folder in its place, or name the document in 'linkedDocuments' if it is meant to.`,
    { details: { link: place, target } },
  )

interface Walk {
  readonly file: string
  readonly isLink: boolean
  /** A document, below which nothing can lie. */
  readonly isFile: boolean
  /** The way on, where an allowed link led to. */
  readonly roots: readonly string[]
}

const step = (walk: Walk, place: string, linked: ReadonlySet<string>): Result<Walk> => {
  const file = join(walk.file, basename(place))
  const status = lstatSync(file, { throwIfNoEntry: false })
  if (!status?.isSymbolicLink()) return ok({ file, isLink: false, isFile: status?.isFile() ?? false, roots: walk.roots })
  const target = realLocation(file)
  const isFile = lstatSync(target, { throwIfNoEntry: false })?.isFile() ?? false
  if (walk.roots.some((root) => isWithin(target, root))) return ok({ file: target, isLink: true, isFile, roots: walk.roots })
  if (!linked.has(place)) return err(refuseEscape(place, target))
  return ok({ file: target, isLink: true, isFile, roots: [...walk.roots, target] })
}

/** `home` is absolute. Throws the system's errors, such as a loop of links. */
export const resolvePath = (home: string, path: string, linked: ReadonlySet<string>): Result<ResolvedPath> => {
  const realHome = realLocation(home)
  const segments = path === '' ? [] : path.split('/')
  let walk: Walk = { file: realHome, isLink: false, isFile: false, roots: [realHome] }
  for (const index of segments.keys()) {
    if (walk.isFile) {
      const blocked = notADocument(path, `'${segments.slice(0, index).join('/')}' is a document, not a folder`)
      return ok({ file: join(walk.file, ...segments.slice(index)), canonical: path, isLink: false, blocked })
    }
    const next = step(walk, segments.slice(0, index + 1).join('/'), linked)
    if (!next.ok) return next
    walk = next.value
  }
  const canonical = isWithin(walk.file, realHome) ? relative(realHome, walk.file).split(sep).join('/') : undefined
  const checked = canonical === undefined ? ok(canonical) : refuseOwnFile(canonical)
  return checked.ok ? ok({ file: walk.file, canonical, isLink: walk.isLink, blocked: undefined }) : checked
}
