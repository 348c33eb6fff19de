/** Where the documents of a home are on disk. No path leads out of it (DESIGN 9, promise 7). */
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { HermesError } from '../../shared/hermes-error.ts'
import { ok } from '../../shared/result.ts'
import { isSystemError, isTemporary, orMissing, readEntries, realpath, statusAt, TEMPORARY_PREFIX, unlink } from './disk.ts'
import { OWN_FOLDER, refuseOwnFiles } from './names.ts'
import { fs } from './node-fs.ts'

/** Absolute; `~` is the user's home folder. `from`: base of a relative path. */
export const expandFolder = (folder: string, from = '.'): string =>
  folder === '~' || /^~[\\/]/.test(folder) ? join(homedir(), folder.slice(1)) : resolve(from, folder)

const isWithin = (file: string, folder: string): boolean => {
  const way = relative(folder, file)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

const MAX_LINKS = 40
const FOLDERS_AT_ONCE = 8
const CALLS_AT_ONCE = 64

const noneIfClosed = (error: unknown): readonly [] => {
  if (isSystemError(error, 'EACCES', 'EPERM')) return []
  throw error
}

interface Location {
  readonly real: string
  readonly exists: boolean
}

/** Like realpath, also for what does not exist: for a link to nothing, where a write would create the target. */
const realLocation = async (path: string, links = 0): Promise<Location> => {
  try {
    return { real: await realpath(path), exists: true }
  } catch (error) {
    if (links > MAX_LINKS || !isSystemError(error, 'ENOENT', 'ENOTDIR') || path === dirname(path)) throw error
    const status = await statusAt(path).catch(() => undefined)
    if (status?.isSymbolicLink()) return realLocation(resolve(dirname(path), await fs.promises.readlink(path)), links + 1)
    return { real: join((await realLocation(dirname(path), links)).real, basename(path)), exists: false }
  }
}

const leadsOut = (link: string, target: string): HermesError =>
  new HermesError(
    'invalid_path',
    `'${link}' is a symbolic link that leads out of the home (to ${target}). Replace it with the real file or folder, or, if the link is intended, name the document in 'linkedDocuments'.`,
    { details: { link, target } },
  )

const parentOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '')

/** The folders of a home, each resolved when it is first met: links that somebody puts there later are not looked for (DESIGN 3, threat model). */
export class Home {
  /** As given, absolute; may be a link. */
  readonly root: string
  readonly #linked: ReadonlySet<string>
  readonly #folders = new Map<string, string>()
  readonly #looks = new Map<string, Promise<string>>()
  readonly #swept = new Map<string, Promise<void>>()
  #own: string | undefined
  /** In the names of its temporary files: two homes may share a linked folder. */
  tag = ''
  #lastProgress = 0
  /** Of the log, as this process last saw or wrote it: what it counts was in place by then. */
  lastMark: string | undefined
  /** As the file says that names it; undefined until it was read. */
  lockKind: string | undefined
  #hasLinks = false

  /** `linkedDocuments`: these and the folders above them may be links out of the home. */
  constructor(folder: string, linkedDocuments: readonly string[] = []) {
    this.root = expandFolder(folder)
    this.#linked = new Set(linkedDocuments.flatMap((path) => [path, parentOf(path)]))
  }

  /** Before anything else. Throws `invalid_path` if the back end's own folder is a link out of the home, and the system's errors. */
  async open(): Promise<void> {
    this.#own ??= await this.folderAt(OWN_FOLDER)
  }

  /** A file of the back end, by its name. */
  own(name: string): string {
    return join(this.#own ?? join(this.root, OWN_FOLDER), name)
  }

  /** The real folder at a path; it may be missing. Throws `invalid_path` for a link out of the home, and the system's errors. */
  async folderAt(path: string): Promise<string> {
    const known = this.#folders.get(path)
    if (known !== undefined) return known
    const look = this.#looks.get(path) ?? this.#lookFor(path).finally(() => this.#looks.delete(path))
    this.#looks.set(path, look)
    return look
  }

  async #lookFor(path: string): Promise<string> {
    const place = path === '' ? this.root : join(await this.folderAt(parentOf(path)), basename(path))
    const { real, exists } = path === '' ? await realLocation(place) : await this.#follow(path, place)
    this.#hasLinks ||= path !== '' && real !== place
    if (exists) this.#folders.set(path, real)
    return real
  }

  /** Where a link leads, if it is one. */
  async #follow(path: string, place: string): Promise<Location> {
    const location = await realLocation(place)
    const target = location.real
    if (target === place || (this.#linked.has(path) && path !== OWN_FOLDER)) return location
    const root = await this.folderAt('')
    if (!isWithin(target, root) && !(await this.#isInLinkedFolder(path, target))) throw leadsOut(path, target)
    const canonical = isWithin(target, root) ? relative(root, target).split(sep).join('/') : ''
    const checked = path === OWN_FOLDER ? ok(undefined) : refuseOwnFiles([canonical])
    if (!checked.ok) throw checked.error
    return location
  }

  async #isInLinkedFolder(path: string, target: string): Promise<boolean> {
    for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder))
      if (this.#linked.has(folder) && isWithin(target, await this.folderAt(folder))) return true
    return false
  }

  /** The file of a document; it may be missing, or be a link (`followLink`). Throws `invalid_path` for a folder that leads out, and the system's errors. */
  async fileOf(path: string): Promise<string> {
    return path === '' ? this.folderAt('') : `${await this.folderAt(parentOf(path))}${sep}${path.slice(path.lastIndexOf('/') + 1)}`
  }

  /** Where it is if there is no link on the way. */
  async straightFileOf(path: string): Promise<string> {
    return `${await this.folderAt('')}${sep}${sep === '/' ? path : path.replaceAll('/', sep)}`
  }

  /** The file that a document's link leads to. Throws `invalid_path` if it is out of the home, and the system's errors. */
  async followLink(path: string): Promise<string> {
    return (await this.#follow(path, await this.fileOf(path))).real
  }

  /** Called when folders have gone. */
  forgetFolders(): void {
    this.#folders.clear()
  }

  /** Called between moves. Without links, each folder would be found where it is known to be, or there is none. */
  forgetLinkedFolders(): void {
    if (this.#hasLinks) this.#folders.clear()
  }

  /** Under the lock, where only claims write temporary files: removes what killed processes left in a folder, at the first look. */
  sweep(folder: string): Promise<void> {
    const known = this.#swept.get(folder)
    if (known !== undefined) return known
    const sweeping = this.#sweep(folder)
    this.#swept.set(folder, sweeping)
    sweeping.catch(() => this.#swept.delete(folder))
    return sweeping
  }

  async #sweep(folder: string): Promise<void> {
    // Somebody who claims a name removes their own file.
    for (const { name } of (await orMissing(readEntries(folder))) ?? [])
      if (name.startsWith(TEMPORARY_PREFIX)) await orMissing(unlink(join(folder, name)))
  }

  /**
   * The same in all folders of the home, without the lock: only new files of records up to `number`, which are in their places or dead, and those of claims, which
   * begin again. A folder that this user may not read holds none of ours.
   */
  async sweepAll(number: number): Promise<void> {
    const isDead = (name: string) => !name.startsWith(`${TEMPORARY_PREFIX}${this.tag}-`) || Number(name.split('-')[3]) <= number
    const waiting = [this.root]
    while (waiting.length > 0)
      await Promise.all(
        waiting.splice(-FOLDERS_AT_ONCE).map(async (folder) => {
          for (const entry of (await orMissing(readEntries(folder).catch(noneIfClosed))) ?? []) {
            const place = join(folder, entry.name)
            if (entry.isDirectory()) waiting.push(place)
            else if (isTemporary(entry) && isDead(entry.name)) await orMissing(unlink(place))
          }
          this.noteProgress()
        }),
      )
  }

  /** Called under the lock whenever a call of an update has come back from the disk. */
  noteProgress(): void {
    this.#lastProgress = performance.now()
  }

  get msSinceProgress(): number {
    return performance.now() - this.#lastProgress
  }

  /** Under the lock: some calls at once, the next ones when all of these are done. If one fails, the others are waited for. */
  async inParts<T, Done>(all: Iterable<T>, work: (each: T) => Promise<Done>): Promise<readonly Done[]> {
    const waiting = [...all]
    const done: Done[] = []
    for (let at = 0; at < waiting.length; at += CALLS_AT_ONCE) {
      const part = waiting.slice(at, at + CALLS_AT_ONCE).map((each) => work(each).finally(() => this.noteProgress()))
      for (const each of await Promise.allSettled(part)) {
        if (each.status === 'rejected') throw each.reason
        done.push(each.value)
      }
    }
    return done
  }

  /** Makes `sweep` look again. */
  forgetSweeps(): void {
    this.#swept.clear()
  }
}
