/** Walks the documents below a folder; own files, empty folders and links out of the home do not count. */
import { type BigIntStats, type Dirent, lstatSync, readdirSync, rmdirSync, statSync, unlinkSync } from 'node:fs'
import { join, sep } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DocumentInfo, UnreadableEntry } from '../../storage-backend.ts'
import { checkStoragePath } from '../../storage-paths.ts'
import { identityOf } from './document-file.ts'
import type { Home } from './home.ts'
import { isSystemError } from './io-error.ts'
import { nearestName } from './nearest-name.ts'
import { isOwnFile } from './own-files.ts'
import { sweepTemporaryFiles } from './temporary-files.ts'

/** Looked at in one go, since a thread for each folder costs more than the look; then whatever else waits has its turn. */
const ENTRIES_AT_ONCE = 256

export interface WalkedDocument extends DocumentInfo {
  /** Epoch milliseconds; when the file system last saw a change. */
  readonly changedAt: number
}

interface Place {
  readonly path: string
  readonly folder: string
  /** The real folders on the way: a link to one of them leads round in circles. */
  readonly above: readonly string[]
}

/** What a link leads to, or `undefined` where it leads nowhere or to what no document path may reach. */
const follow = (home: Home, path: string): { readonly file: string; readonly status: BigIntStats } | undefined => {
  try {
    const resolved = home.resolve(path)
    const status = resolved.ok ? statSync(resolved.value.file, { bigint: true, throwIfNoEntry: false }) : undefined
    return resolved.ok && status ? { file: resolved.value.file, status } : undefined
  } catch (error) {
    if (isSystemError(error)) return undefined
    throw error
  }
}

const toDocument = (path: string, status: BigIntStats): WalkedDocument => ({
  path,
  size: Number(status.size),
  stamp: identityOf(status),
  changedAt: Number(status.ctimeNs / 1_000_000n),
})

const toUnreadable = (path: string, unreadable: UnreadableEntry): WalkedDocument => ({ path, size: 0, stamp: '', unreadable, changedAt: 0 })

/** The system tells names whose bytes are no text with signs that lead nowhere. */
const isGarbled = (name: string, file: string): boolean =>
  name.includes('\ufffd') && lstatSync(file, { throwIfNoEntry: false }) === undefined

const below = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

/** What no document path can name; other kinds of entries than these hold nothing that could be missed. */
const toUnnamed = (unnamed: readonly Dirent[], entries: readonly Dirent[], folder: string): readonly WalkedDocument[] => {
  if (unnamed.length === 0) return []
  const taken = new Set(entries.filter((entry) => !unnamed.includes(entry)).map(({ name }) => name))
  return unnamed
    .filter((entry) => entry.isFile() || entry.isDirectory() || entry.isSymbolicLink())
    .map((entry) => toUnreadable(below(folder, nearestName(entry.name, taken)), entry.isDirectory() ? 'unnamed-folder' : 'unnamed-file'))
}

/** `undefined` for a folder that may not be looked into; nothing where there is none any more. */
const entriesOf = ({ folder, above }: Place): readonly Dirent[] | undefined => {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return []
    if (above.length > 0 && isSystemError(error, 'EACCES', 'EPERM')) return undefined
    throw error
  }
}

interface Look {
  readonly documents: readonly WalkedDocument[]
  readonly folders: readonly Place[]
  readonly entries: number
}

const lookInto = (home: Home, place: Place): Look => {
  const entries = entriesOf(place)
  if (!entries) return { documents: [toUnreadable(place.path, 'closed-folder')], folders: [], entries: 1 }
  sweepTemporaryFiles(place.folder, entries)
  const documents: WalkedDocument[] = []
  const folders: Place[] = []
  const unnamed: Dirent[] = []
  const within = [...place.above, place.folder]
  for (const entry of entries) {
    const path = below(place.path, entry.name)
    if (isOwnFile(path)) continue
    const own = `${place.folder}${sep}${entry.name}`
    if (!checkStoragePath(path).ok || isGarbled(entry.name, own)) {
      unnamed.push(entry)
      continue
    }
    const link = entry.isSymbolicLink() ? follow(home, path) : undefined
    const file = link?.file ?? own
    const type = link?.status ?? entry
    if (type.isFile()) {
      const status = link?.status ?? statSync(file, { bigint: true, throwIfNoEntry: false })
      if (status) documents.push(toDocument(path, status))
    } else if (type.isDirectory() && !within.includes(file)) {
      folders.push({ path, folder: file, above: within })
    }
  }
  documents.push(...toUnnamed(unnamed, entries, place.path))
  return { documents, folders, entries: entries.length + 1 }
}

/**
 * Below a folder, given as a document path and as the real folder behind it; in no order, some at a time. A folder further down that may
 * not be looked into counts as one unreadable document, and so does what no path can name. Throws the system's errors.
 */
export async function* walkDocuments(home: Home, prefix: string, folder: string): AsyncGenerator<readonly WalkedDocument[]> {
  const waiting: Place[] = [{ path: prefix, folder, above: [] }]
  let batch: WalkedDocument[] = []
  let seen = 0
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    const { documents, folders, entries } = lookInto(home, place)
    waiting.push(...folders)
    batch.push(...documents)
    seen += entries
    if (seen < ENTRIES_AT_ONCE) continue
    yield batch
    batch = []
    seen = 0
    await nextTurn()
  }
  yield batch
}

/** What has no name that a path may have is none of them. */
export const holdsDocuments = async (home: Home, prefix: string, folder: string): Promise<boolean> => {
  for await (const documents of walkDocuments(home, prefix, folder)) {
    if (documents.some(({ unreadable }) => unreadable === undefined || unreadable === 'closed-folder')) return true
  }
  return false
}

/**
 * Removes a folder that holds no documents, and the lock files in it that the caller holds. Anything else in there, such as a file
 * whose name is no document path, makes it fail with ENOTEMPTY and stays.
 */
export const removeEmptyFolder = (folder: string, heldLocks: readonly string[] = []): void => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const inner = join(folder, entry.name)
    if (entry.isDirectory()) removeEmptyFolder(inner, heldLocks)
    else if (heldLocks.includes(inner)) unlinkSync(inner)
  }
  rmdirSync(folder)
}
