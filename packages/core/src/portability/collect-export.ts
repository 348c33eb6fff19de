/** Reads the documents of an export. Each document is read whole; data that moves between documents meanwhile is read in at least one of them. */

import { collectFiles } from '../curator/backup/backup-collect.ts'
import { readJournalLayout } from '../journal/journal-layout.ts'
import { encodeLines, type JournalLine, linesOf, mergeLines } from '../journal/journal-lines.ts'
import { appendsFolder, dayDocumentPath, dayOfAppend } from '../journal/journal-path.ts'
import { documentIn } from '../memory/change-memory.ts'
import { encodeFacts, parseFacts } from '../memory/facts.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import { ok, type Result } from '../shared/result.ts'
import { byCodeUnit } from '../storage/document-tree.ts'
import { readDocument } from '../storage/one-document.ts'
import type { DocumentContent, StorageBackend } from '../storage/storage-backend.ts'
import { FACTS_PATH, MEMORY_ARCHIVE_PATH, MEMORY_PATHS, PENDING_FOLDER, PENDING_SKILLS_FOLDER } from '../storage/storage-paths.ts'
import { LARGEST_EXPORT_BYTES, LARGEST_EXPORT_FILE_BYTES, MOST_EXPORT_FILES } from './export-manifest.ts'
import { partOf } from './export-scope.ts'
import { skillFilesOf } from './exported-skill.ts'

export interface CollectedExport {
  /** Documents by path, sorted. */
  readonly contents: ReadonlyMap<string, DocumentContent>
  readonly leftOut: readonly { readonly path: string; readonly why: string }[]
}

/** If the home changes during each attempt, the last attempt is exported. */
const MAX_ATTEMPTS = 4

interface Collection {
  readonly take: (path: string, content: DocumentContent) => void
  readonly leaveOut: (path: string, why: string) => void
  /** Remaining bytes. */
  readonly room: () => number
  readonly done: () => CollectedExport
}

const createCollection = (): Collection => {
  const contents = new Map<string, DocumentContent>()
  const leftOut = new Map<string, string>()
  let used = 0
  const room = () => LARGEST_EXPORT_BYTES - used
  const whyNot = ({ length }: Uint8Array): string | undefined => {
    if (length > LARGEST_EXPORT_FILE_BYTES) return 'file too large'
    return length > room() || contents.size >= MOST_EXPORT_FILES ? 'export full' : undefined
  }
  return {
    take: (path, content) => {
      const why = whyNot(content.bytes)
      if (why !== undefined) leftOut.set(path, why)
      else {
        used += content.bytes.length - (contents.get(path)?.bytes.length ?? 0)
        contents.set(path, content)
      }
    },
    leaveOut: (path, why) => void leftOut.set(path, why),
    room,
    done: () => ({
      contents: new Map([...contents].sort(([a], [b]) => byCodeUnit(a, b))),
      leftOut: [...leftOut].map(([path, why]) => ({ path, why })).sort((a, b) => byCodeUnit(a.path, b.path)),
    }),
  }
}

const isUnreadable = ({ code }: HermesError): boolean => code === 'unreadable' || code === 'invalid_path'

/** A document that cannot be read is left out and named. Any other failure of the storage ends the export. */
const takeDocument = async (storage: StorageBackend, collection: Collection, path: string): Promise<Result<void>> => {
  const read = await readDocument(storage, path)
  if (read.ok) {
    if (read.value) collection.take(path, read.value)
    return ok(undefined)
  }
  if (!isUnreadable(read.error)) return read
  collection.leaveOut(path, 'unreadable')
  return ok(undefined)
}

const takeFolder = async (storage: StorageBackend, collection: Collection, folder: string): Promise<Result<void>> => {
  const listed = await storage.list(folder)
  if (!listed.ok) return listed
  for (const { path } of listed.value) {
    const taken = partOf(path) === undefined ? ok(undefined) : await takeDocument(storage, collection, path)
    if (!taken.ok) return taken
  }
  return ok(undefined)
}

/** In one cut, so that the facts are those of the entries; without what other entries were once known for. */
const takeMemory = async (storage: StorageBackend, collection: Collection): Promise<Result<void>> => {
  const paths = [MEMORY_PATHS.memory, MEMORY_PATHS.user, FACTS_PATH, MEMORY_ARCHIVE_PATH]
  const cut = await storage.read(paths)
  if (!cut.ok) return cut
  for (const path of paths) {
    const document = documentIn(cut.value, path)
    if (!document.ok && !isUnreadable(document.error)) return document
    if (!document.ok) collection.leaveOut(path, 'unreadable')
    else if (document.value) collection.take(path, path === FACTS_PATH ? { bytes: presentFacts(document.value.bytes) } : document.value)
  }
  for (const folder of [PENDING_FOLDER, PENDING_SKILLS_FOLDER]) {
    const taken = await takeFolder(storage, collection, folder)
    if (!taken.ok) return taken
  }
  return ok(undefined)
}

const presentFacts = (bytes: Uint8Array): Uint8Array => {
  const parsed = parseFacts(bytes)
  return parsed.ok ? encodeFacts(parsed.value.facts) : bytes
}

const takeSkills = async (storage: StorageBackend, collection: Collection): Promise<Result<void>> => {
  for (let attempt = 1; ; attempt++) {
    const found = new Map<string, DocumentContent>()
    const into = { add: async (path: string, content: DocumentContent) => void found.set(path, content) }
    const bounds = { maxBytes: collection.room(), maxFileBytes: LARGEST_EXPORT_FILE_BYTES }
    const collected = await collectFiles(storage, into, bounds)
    if (!collected.ok) return collected
    if (collected.value.missedSkill && attempt < MAX_ATTEMPTS) continue
    const belonging = skillFilesOf([...found.keys()])
    for (const path of belonging) {
      const content = found.get(path)
      if (content) collection.take(path, content)
    }
    for (const { path, why } of collected.value.leftOut) if (partOf(path) !== undefined) collection.leaveOut(path, why)
    return ok(undefined)
  }
}

/** Merges a day into one document. The appends are read first, because compaction writes the day document before it removes them. */
const takeDay = async (storage: StorageBackend, collection: Collection, day: string): Promise<Result<void>> => {
  const listed = await storage.list(appendsFolder(day))
  if (!listed.ok) return listed
  const added: JournalLine[] = []
  for (const { path } of listed.value) {
    if (dayOfAppend(path) !== day) continue
    const read = await readDocument(storage, path)
    if (!read.ok) collection.leaveOut(path, 'unreadable')
    else if (read.value) added.push(...linesOf(path, read.value.bytes))
  }
  const path = dayDocumentPath(day)
  const read = await readDocument(storage, path)
  if (!read.ok) collection.leaveOut(path, 'unreadable')
  const current = read.ok && read.value ? linesOf(path, read.value.bytes) : []
  const lines = mergeLines(current, added, ({ text }) => text)
  if (lines.length > 0) collection.take(path, { bytes: encodeLines(lines.map(({ text }) => text)) })
  return ok(undefined)
}

/** Newest days first, so that the oldest are left out if the export is full. */
const takeJournal = async (storage: StorageBackend, collection: Collection): Promise<Result<void>> => {
  const layout = await readJournalLayout(storage)
  if (!layout.ok) return layout
  const days = [...new Set([...layout.value.documents.keys(), ...layout.value.appends.keys()])].sort().reverse()
  for (const day of days) {
    const taken = await takeDay(storage, collection, day)
    if (!taken.ok) return taken
    await pause()
  }
  return ok(undefined)
}

export const collectExport = async (storage: StorageBackend): Promise<Result<CollectedExport>> => {
  const collection = createCollection()
  for (const take of [takeMemory, takeSkills, takeJournal]) {
    const taken = await take(storage, collection)
    if (!taken.ok) return taken
  }
  return ok(collection.done())
}
