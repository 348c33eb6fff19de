/** Lists the documents below folders of a home. Links inside the home are followed, links out of it are not. */
import type { Dirent } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../shared/clock.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { byCodeUnit, notADocument } from '../document-tree.ts'
import { toStoredDocument } from '../plan.ts'
import type { DocumentInfo, StoredDocument, UnreadableEntry } from '../storage-backend.ts'
import { checkStoragePath } from '../storage-paths.ts'
import { isSystemError, orMissing, readEntries, statusAt } from './disk.ts'
import { type Found, stampOf } from './documents.ts'
import type { Home } from './home.ts'
import { isOwnFile } from './names.ts'

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

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is written differently here
const unusable = /[\u0000-\u001f\u007f\\:*?"<>|]|[. ]$/g

const toEscape = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

/** The name in a listing for an entry whose own name is not a valid path segment: URL-encoded and different from all `taken` names; it is added to them. */
const nearestName = (name: string, taken: Set<string>): string => {
  const nearest = name.replace(/[\ud800-\udfff]/gu, '\ufffd').replace(unusable, toEscape)
  let free = nearest
  for (let serial = 2; taken.has(free); serial++) free = `${nearest}~${serial}`
  taken.add(free)
  return free
}

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

  async walk(path: string, isHeld: boolean): Promise<void> {
    const waiting: Folder[] = [{ path, file: await this.#home.folderAt(path), above: [] }]
    while (waiting.length > 0) {
      for (const inner of await Promise.all(waiting.splice(-FOLDERS_AT_ONCE).map((folder) => this.#lookInto(folder))))
        waiting.push(...inner)
      if (isHeld) this.#home.noteProgress()
    }
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
  await Promise.all(folders.map((folder) => listing.walk(folder, isHeld)))
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

/** What a reader sees: nothing in the place of a folder without documents. The bytes are those that were found. */
export const toStored = async (home: Home, path: string, found: Found): Promise<StoredDocument | HermesError | undefined> => {
  if (found.kind === 'fault') return found.error
  if (found.kind === 'folder')
    return (await listDocuments(home, [path], { isHeld: true })).infos.length > 0 ? notADocument(path, 'it is a folder') : undefined
  if (found.kind === 'none' || !found.bytes) return undefined
  return toStoredDocument(found.bytes, found.executable)
}
