/** Finds the documents of a home, one by one and below folders. Links inside the home are followed, links out of it are not. */
import type { BigIntStats, Dirent } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '../../shared/clock.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { byCodeUnit, notADocument } from '../document-tree.ts'
import type { DocumentInfo, StoredDocument, UnreadableEntry } from '../storage-backend.ts'
import { checkStoragePath } from '../storage-paths.ts'
import { open, orMissing, readAt, readEntries, statusAt, statusOf, TO_READ, withFile } from './disk.ts'
import { type Home, isOwnFile } from './home.ts'
import { isSystemError, toIoError } from './io-error.ts'
import { nearestName } from './nearest-name.ts'

/** What is at the path of a document. `file`: where it is or would be, links followed. */
export type Found =
  /** `under`: a document is in the place of this folder above it. */
  | { readonly kind: 'none'; readonly file: string; readonly under?: string | undefined }
  /** `bytes`: unless it is larger than was asked for. */
  | {
      readonly kind: 'document'
      readonly file: string
      readonly size: number
      readonly executable: boolean
      readonly bytes: Uint8Array | undefined
      /** Of what this process has written under the lock that it holds: its beginning, without the times. */
      readonly stamp: string
    }
  | { readonly kind: 'folder'; readonly file: string }
  | { readonly kind: 'fault'; readonly error: HermesError }

/** An error of the system or of the library as a value; any other is a mistake in the program and thrown. */
export const toError = (cause: unknown, doing: 'read' | 'write', path = ''): HermesError => {
  if (HermesError.isInstance(cause)) return cause
  if (isSystemError(cause)) return toIoError(cause, doing, path)
  throw cause
}

/** The file, without its content. */
export const identityOf = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`

/** Differs after a file was replaced or written to, except twice within the resolution of the file system's clock. */
const stampOf = (status: BigIntStats): string => `${identityOf(status)}:${status.size}:${status.mtimeNs}:${status.ctimeNs}`

const OWNER_MAY_EXECUTE = 0o100n

const special = (path: string): Found => ({ kind: 'fault', error: notADocument(path, 'a device, pipe or socket is there') })

const documentAbove = async (home: Home, path: string): Promise<string | undefined> => {
  for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) {
    const folder = path.slice(0, end)
    if (!(await statusAt(await home.folderAt(folder)))?.isDirectory()) return folder
  }
  return undefined
}

/** Small documents are read while their size is being asked for. */
const FIRST_BYTES = 16 * 1024

const lookAt = async (home: Home, path: string, file: string, mostBytes: number): Promise<Found | 'link'> => {
  let opened: number
  try {
    opened = await open(file, TO_READ)
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return { kind: 'none', file }
    if (isSystemError(error, 'ENOTDIR')) return { kind: 'none', file, under: await documentAbove(home, path) }
    if (isSystemError(error, 'ELOOP', 'EMLINK')) return 'link'
    if (isSystemError(error, 'ENXIO', 'EOPNOTSUPP')) return special(path)
    // Windows cannot open folders.
    if (isSystemError(error, 'EISDIR', 'EPERM', 'EACCES') && (await statusAt(file))?.isDirectory()) return { kind: 'folder', file }
    throw error
  }
  return withFile(opened, async () => {
    const [status, first] = await Promise.all([statusOf(opened), readAt(opened, 0, FIRST_BYTES).catch(() => undefined)])
    if (status.isDirectory()) return { kind: 'folder', file }
    if (!status.isFile()) return special(path)
    const executable = (status.mode & OWNER_MAY_EXECUTE) !== 0n
    const size = Number(status.size)
    if (size > mostBytes) return { kind: 'document', file, size, executable, bytes: undefined, stamp: stampOf(status) }
    // It may be larger than it says: one of /proc, or one that is being written to.
    const isWhole = first !== undefined && first.length < FIRST_BYTES && first.length === size
    const bytes = isWhole ? first : new Uint8Array(await readFile(file))
    return { kind: 'document', file, size: bytes.length, executable, bytes, stamp: stampOf(status) }
  })
}

/** An error of the system is a finding: it fails only who asks for this document. */
export const findDocument = async (home: Home, path: string, mostBytes = Number.POSITIVE_INFINITY): Promise<Found> => {
  try {
    const found = await lookAt(home, path, await home.fileOf(path), mostBytes)
    if (found !== 'link') return found
    const target = await lookAt(home, path, await home.followLink(path), mostBytes)
    if (target !== 'link') return target
    throw new HermesError('invalid_path', `The symbolic links at '${path}' keep changing. Try again when nobody changes them.`)
  } catch (cause) {
    return { kind: 'fault', error: toError(cause, 'read', path) }
  }
}

/** Whether what was found is still there, as far as the stamp tells. */
export const isStillThere = async (found: Found): Promise<boolean> => {
  if (found.kind === 'fault') return true
  const status = await statusAt(found.file)
  if (found.kind === 'none') return status === undefined
  if (found.kind === 'folder') return status?.isDirectory() === true
  return status !== undefined && `${stampOf(status)}:`.startsWith(`${found.stamp}:`)
}

/** What a reader sees: nothing in the place of a folder without documents. */
export const toStored = async (home: Home, path: string, found: Found): Promise<StoredDocument | HermesError | undefined> => {
  if (found.kind === 'fault') return found.error
  if (found.kind === 'folder')
    return (await listDocuments(home, [path], { isHeld: true })).infos.length > 0 ? notADocument(path, 'it is a folder') : undefined
  if (found.kind === 'none' || !found.bytes) return undefined
  return { bytes: found.bytes, ...(found.executable ? { executable: true } : {}) }
}

/** Milliseconds: a little more than the coarsest time resolution of local file systems. */
const TIMESTAMP_STEP_MS = 12

const FOLDERS_AT_ONCE = 8

interface Folder {
  readonly path: string
  readonly file: string
  /** The real folders above, to see links that form a loop. */
  readonly above: readonly string[]
}

const unreadable = (path: string, why: UnreadableEntry): DocumentInfo => ({ path, size: 0, stamp: '', unreadable: why })

/** Names that are not valid text are reported with replacement characters, so that no file is found at them. */
const isNamed = async (path: string, { name }: Dirent, file: string): Promise<boolean> =>
  checkStoragePath(path).ok && (!name.includes('\ufffd') || (await statusAt(file)) !== undefined)

export interface Listed {
  /** In code-unit order of the path. */
  readonly infos: readonly DocumentInfo[]
  /** Milliseconds until no later write can leave the same stamps. */
  readonly unsettledMs: number
}

let unsettled = 0

class Listing {
  readonly #home: Home
  readonly #ignores: (folder: string) => boolean
  readonly infos = new Map<string, DocumentInfo>()
  readonly #changedAt = new Map<string, number>()

  constructor(home: Home, ignores: (folder: string) => boolean) {
    this.#home = home
    this.#ignores = ignores
  }

  async walk(path: string): Promise<void> {
    const waiting: Folder[] = [{ path, file: await this.#home.folderAt(path), above: [] }]
    while (waiting.length > 0)
      for (const inner of await Promise.all(waiting.splice(-FOLDERS_AT_ONCE).map((folder) => this.#lookInto(folder))))
        waiting.push(...inner)
  }

  async #lookInto(folder: Folder): Promise<readonly Folder[]> {
    const entries = await this.#entriesOf(folder)
    const seen = await Promise.all(entries.map((entry) => this.#lookAt(folder, entry)))
    const taken = new Set(entries.filter((_, index) => seen[index] !== 'unnamed').map(({ name }) => name))
    for (const [index, entry] of entries.entries())
      if (seen[index] === 'unnamed' && (entry.isFile() || entry.isDirectory() || entry.isSymbolicLink()))
        this.#add(unreadable(below(folder.path, nearestName(entry.name, taken)), entry.isDirectory() ? 'unnamed-folder' : 'unnamed-file'))
    return seen.filter((each) => typeof each === 'object')
  }

  async #entriesOf({ path, file, above }: Folder): Promise<readonly Dirent[]> {
    try {
      const entries = (await orMissing(readEntries(file))) ?? []
      return entries.filter(({ name }) => !isOwnFile(below(path, name)))
    } catch (error) {
      if (above.length === 0 || !isSystemError(error, 'EACCES', 'EPERM')) throw error
      this.#add(unreadable(path, 'closed-folder'))
      return []
    }
  }

  async #lookAt(folder: Folder, entry: Dirent): Promise<Folder | 'unnamed' | undefined> {
    const path = below(folder.path, entry.name)
    const own = join(folder.file, entry.name)
    if (!(await isNamed(path, entry, own))) return 'unnamed'
    const file = entry.isSymbolicLink() ? await this.#target(path) : own
    if (file === undefined) return undefined
    const status = entry.isDirectory() ? undefined : await statusAt(file)
    if (status?.isFile()) this.#add({ path, size: Number(status.size), stamp: stampOf(status) }, Number(status.ctimeNs / 1_000_000n))
    const isFolder = entry.isDirectory() || status?.isDirectory()
    const above = [...folder.above, folder.file]
    return isFolder && !above.includes(file) && !this.#ignores(entry.name) ? { path, file, above } : undefined
  }

  /** Of a link; undefined if it leads to nothing that could be a document. */
  async #target(path: string): Promise<string | undefined> {
    try {
      return await this.#home.followLink(path)
    } catch (error) {
      if (HermesError.isInstance(error) && error.details['link'] !== undefined) this.#add(unreadable(path, 'outward-link'))
      else if (!HermesError.isInstance(error) && !isSystemError(error)) throw error
      return undefined
    }
  }

  #add(info: DocumentInfo, changedAt = 0): void {
    this.infos.set(info.path, info)
    this.#changedAt.set(info.path, changedAt)
  }

  /** `now`: epoch milliseconds. Times in the future are ignored. */
  unsettledMs(path: string, now: number): number {
    const changedAt = this.#changedAt.get(path) ?? 0
    return changedAt > now ? 0 : Math.max(0, changedAt + TIMESTAMP_STEP_MS - now)
  }
}

const below = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

export interface ListOptions {
  /** The lock is held, so nobody waits for stamps to settle; one that has not is unique, which looks like a change to who compares it later. */
  readonly isHeld?: boolean
  /** Names of folders to skip. */
  readonly ignores?: (folder: string) => boolean
}

/**
 * The documents below some folders. A subfolder without permission is one unreadable document, and so is an entry with an invalid name. Throws `invalid_path`
 * for a link out of the home, and the system's errors.
 */
export const listDocuments = async (
  home: Home,
  folders: readonly string[],
  { isHeld = false, ignores = () => false }: ListOptions = {},
): Promise<Listed> => {
  const listing = new Listing(home, ignores)
  for (const folder of folders) await listing.walk(folder)
  const now = systemClock()
  let unsettledMs = 0
  const infos = [...listing.infos.values()].map((info) => {
    const wait = listing.unsettledMs(info.path, now)
    if (isHeld && wait > 0) return { ...info, stamp: `${info.stamp}:${++unsettled}` }
    unsettledMs = Math.max(unsettledMs, wait)
    return info
  })
  return { infos: infos.sort((a, b) => byCodeUnit(a.path, b.path)), unsettledMs }
}
