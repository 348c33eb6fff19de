/** Reads the documents of an export. Each document is read whole; data that moves between documents meanwhile is read in at least one of them. */

import { collectFiles } from '../curator/backup-collect.ts'
import { listJournalDays } from '../journal/journal-days.ts'
import { encodeFacts, type FactRecords, parseFacts } from '../memory/facts.ts'
import { decodeInSlices } from '../memory/large-document.ts'
import { documentIn } from '../memory/memory-document.ts'
import type { MemoryTarget } from '../memory/memory-op.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import { ok, type Result } from '../shared/result.ts'
import { byCodeUnit } from '../storage/document-tree.ts'
import { readDocument } from '../storage/one-document.ts'
import type { Cut, DocumentContent, StorageBackend } from '../storage/storage-backend.ts'
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
    else if (document.value)
      collection.take(path, path === FACTS_PATH ? { bytes: await presentFacts(cut.value, document.value.bytes) } : document.value)
  }
  for (const folder of [PENDING_FOLDER, PENDING_SKILLS_FOLDER]) {
    const taken = await takeFolder(storage, collection, folder)
    if (!taken.ok) return taken
  }
  return ok(undefined)
}

/** Those of the entries in a file of the cut. Of a file whose entries cannot be told, all: without them, an entry would pass for one that a person wrote. */
const presentRecords = async (cut: Cut, target: MemoryTarget, records: FactRecords): Promise<FactRecords> => {
  const document = documentIn(cut, MEMORY_PATHS[target])
  const decoded = await decodeInSlices(target, (document.ok ? document.value?.bytes : undefined) ?? new Uint8Array())
  if (!decoded.ok) return records
  const entries = new Set(decoded.value.entries)
  return new Map([...records].filter(([entry]) => entries.has(entry)))
}

const presentFacts = async (cut: Cut, bytes: Uint8Array): Promise<Uint8Array> => {
  const parsed = parseFacts(bytes)
  if (!parsed.ok) return bytes
  const { memory, user } = parsed.value.facts
  return encodeFacts({ memory: await presentRecords(cut, 'memory', memory), user: await presentRecords(cut, 'user', user) })
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

/** Newest days first, so that the oldest are left out if the export is full. */
const takeJournal = async (storage: StorageBackend, collection: Collection): Promise<Result<void>> => {
  const days = await listJournalDays(storage)
  if (!days.ok) return days
  for (const { path } of days.value) {
    const taken = await takeDocument(storage, collection, path)
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
