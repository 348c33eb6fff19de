/** Walks the documents below a folder; own files, empty folders and links out of the home are left out. */

import type { BigIntStats, Dirent } from 'node:fs'
import { rmdir } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import type { DocumentInfo, UnreadableEntry } from '../../storage-backend.ts'
import { checkStoragePath } from '../../storage-paths.ts'
import { identityOf } from './document-file.ts'
import { exactStat, lstat, readEntries } from './file-calls.ts'
import { isSystemError } from './io-error.ts'
import { nearestName } from './nearest-name.ts'
import { isOwnFile } from './own-files.ts'
import { withFolder } from './pinned-folder.ts'
import type { ReadableHome } from './readable-home.ts'

/** Number of folders read concurrently; more would only occupy the thread pool. */
const FOLDERS_AT_ONCE = 8
const ENTRIES_AT_ONCE = 32

export interface WalkedDocument extends DocumentInfo {
  /** Epoch milliseconds of the last change, as reported by the file system. */
  readonly changedAt: number
}

interface Place {
  readonly path: string
  readonly folder: string
  /** The real parent folders, to detect links that form a loop. */
  readonly above: readonly string[]
}

const statusOf = async (file: string): Promise<BigIntStats | undefined> => {
  try {
    return await exactStat(file)
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

/** The target of a link; `outside` if it is out of the home, `undefined` if it does not exist or is not a valid document path. */
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

/** Names that are not valid text are reported with replacement characters, so that no file is found at them. */
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

/** Entries with names that are not valid in a document path; other kinds of entries hold no documents. */
const toUnnamed = (unnamed: readonly Dirent[], entries: readonly Dirent[], folder: string): readonly WalkedDocument[] => {
  if (unnamed.length === 0) return []
  const taken = new Set(entries.filter((entry) => !unnamed.includes(entry)).map(({ name }) => name))
  return unnamed
    .filter((entry) => entry.isFile() || entry.isDirectory() || entry.isSymbolicLink())
    .map((entry) => toUnreadable(below(folder, nearestName(entry.name, taken)), entry.isDirectory() ? 'unnamed-folder' : 'unnamed-file'))
}

/** `undefined` for a folder without permission; empty if it is gone. */
const entriesOf = async ({ folder, above }: Place): Promise<readonly Dirent[] | undefined> => {
  try {
    return await readEntries(folder)
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
 * Yields the documents below a folder, given as a document path and as the real folder, in batches without order. A subfolder without
 * permission is one unreadable document, and so is an entry with an invalid name. Throws the system's errors.
 */
export async function* walkDocuments(home: ReadableHome, prefix: string, folder: string): AsyncGenerator<readonly WalkedDocument[]> {
  const waiting: Place[] = [{ path: prefix, folder, above: [] }]
  while (waiting.length > 0) {
    const looks = await Promise.all(waiting.splice(-FOLDERS_AT_ONCE).map((place) => lookInto(home, place)))
    for (const { folders } of looks) for (const folder of folders) waiting.push(folder)
    yield looks.flatMap((look) => look.documents)
  }
}

/** Entries with invalid names do not count. */
export const holdsDocuments = async (home: ReadableHome, prefix: string, folder: string): Promise<boolean> => {
  for await (const documents of walkDocuments(home, prefix, folder)) {
    if (documents.some(({ unreadable }) => unreadable === undefined || unreadable === 'closed-folder')) return true
  }
  return false
}

/** Removes a folder without documents. Fails with ENOTEMPTY if there is anything else in it, such as a file with an invalid name. */
export const removeEmptyFolder = async (folder: string): Promise<void> => {
  for (const entry of await readEntries(folder)) if (entry.isDirectory()) await removeEmptyFolder(join(folder, entry.name))
  await withFolder(dirname(folder), ({ at }) => rmdir(at(basename(folder))))
}
