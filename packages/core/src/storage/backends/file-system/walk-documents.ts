/** Walks the documents below a folder; own files, empty folders and links out of the home do not count. */
import type { BigIntStats, Dirent } from 'node:fs'
import { lstat, readdir, rmdir, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import type { DocumentInfo, UnreadableEntry } from '../../storage-backend.ts'
import { checkStoragePath } from '../../storage-paths.ts'
import { identityOf } from './document-file.ts'
import type { ReadableHome } from './home.ts'
import { isSystemError } from './io-error.ts'
import { nearestName } from './nearest-name.ts'
import { isOwnFile } from './own-files.ts'
import { withFolder } from './pinned-folder.ts'

/** Looked into side by side: more would only wait for the threads that look, and keep them from others. */
const FOLDERS_AT_ONCE = 8
const ENTRIES_AT_ONCE = 32

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

const statusOf = async (file: string): Promise<BigIntStats | undefined> => {
  try {
    return await stat(file, { bigint: true })
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

/** What a link leads to; `outside` for one that leads out of the home, `undefined` where it leads nowhere or to what no document path may reach. */
const follow = async (
  home: ReadableHome,
  path: string,
): Promise<{ readonly file: string; readonly status: BigIntStats } | 'outside' | undefined> => {
  try {
    const resolved = await home.resolve(path)
    if (!resolved.ok && resolved.error.details['link'] !== undefined) return 'outside'
    const status = resolved.ok ? await statusOf(resolved.value.file) : undefined
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
const isGarbled = async (name: string, file: string): Promise<boolean> => {
  if (!name.includes('\ufffd')) return false
  try {
    await lstat(file)
    return false
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return true
    throw error
  }
}

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
const entriesOf = async ({ folder, above }: Place): Promise<readonly Dirent[] | undefined> => {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return []
    if (above.length > 0 && isSystemError(error, 'EACCES', 'EPERM')) return undefined
    throw error
  }
}

type Seen = { readonly document: WalkedDocument } | { readonly inside: Place } | { readonly unnamed: Dirent } | undefined

const lookAt = async (home: ReadableHome, place: Place, entry: Dirent): Promise<Seen> => {
  const path = below(place.path, entry.name)
  if (isOwnFile(path)) return undefined
  const own = `${place.folder}${sep}${entry.name}`
  if (!checkStoragePath(path).ok || (await isGarbled(entry.name, own))) return { unnamed: entry }
  const link = entry.isSymbolicLink() ? await follow(home, path) : undefined
  if (link === 'outside') return { document: toUnreadable(path, 'outward-link') }
  const file = link?.file ?? own
  const type = link?.status ?? entry
  if (type.isFile()) {
    const status = link?.status ?? (await statusOf(file))
    return status && { document: toDocument(path, status) }
  }
  const above = [...place.above, place.folder]
  if (home.ignoresFolder?.(entry.name)) return undefined
  return type.isDirectory() && !above.includes(file) ? { inside: { path, folder: file, above } } : undefined
}

interface Look {
  readonly documents: readonly WalkedDocument[]
  readonly folders: readonly Place[]
}

const lookInto = async (home: ReadableHome, place: Place): Promise<Look> => {
  const entries = await entriesOf(place)
  if (!entries) return { documents: [toUnreadable(place.path, 'closed-folder')], folders: [] }
  const documents: WalkedDocument[] = []
  const folders: Place[] = []
  const unnamed: Dirent[] = []
  for (let start = 0; start < entries.length; start += ENTRIES_AT_ONCE) {
    const some = entries.slice(start, start + ENTRIES_AT_ONCE)
    for (const seen of await Promise.all(some.map((entry) => lookAt(home, place, entry)))) {
      if (!seen) continue
      if ('document' in seen) documents.push(seen.document)
      else if ('inside' in seen) folders.push(seen.inside)
      else unnamed.push(seen.unnamed)
    }
  }
  for (const each of toUnnamed(unnamed, entries, place.path)) documents.push(each)
  return { documents, folders }
}

/**
 * Below a folder, given as a document path and as the real folder behind it; in no order, some at a time. A folder further down that may
 * not be looked into counts as one unreadable document, and so does what no path can name. Throws the system's errors.
 */
export async function* walkDocuments(home: ReadableHome, prefix: string, folder: string): AsyncGenerator<readonly WalkedDocument[]> {
  const waiting: Place[] = [{ path: prefix, folder, above: [] }]
  while (waiting.length > 0) {
    const looks = await Promise.all(waiting.splice(-FOLDERS_AT_ONCE).map((place) => lookInto(home, place)))
    for (const { folders } of looks) for (const folder of folders) waiting.push(folder)
    yield looks.flatMap((look) => look.documents)
  }
}

/** What has no name that a path may have is none of them. */
export const holdsDocuments = async (home: ReadableHome, prefix: string, folder: string): Promise<boolean> => {
  for await (const documents of walkDocuments(home, prefix, folder)) {
    if (documents.some(({ unreadable }) => unreadable === undefined || unreadable === 'closed-folder')) return true
  }
  return false
}

/**
 * Removes a folder that holds no documents, and the lock files in it that the caller holds. Anything else in there, such as a file
 * whose name is no document path, makes it fail with ENOTEMPTY and stays.
 */
export const removeEmptyFolder = async (folder: string, heldLocks: readonly string[] = []): Promise<void> => {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const inner = join(folder, entry.name)
    if (entry.isDirectory()) await removeEmptyFolder(inner, heldLocks)
    else if (heldLocks.includes(inner)) await withFolder(folder, ({ at }) => unlink(at(entry.name)))
  }
  await withFolder(dirname(folder), ({ at }) => rmdir(at(basename(folder))))
}
