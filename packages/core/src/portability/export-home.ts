/** Packs a home into a `.tar.gz`: `hermes-export.json` first, then the documents at their paths, all of one cut. */
import { createArchiveWriter } from '../curator/backup-archive.ts'
import { dayOfDocument } from '../journal/journal-days.ts'
import { pendingProposalSchema } from '../journal/pending-proposal.ts'
import { encodeFacts, type FactRecords, NO_FACTS, parseFacts } from '../memory/facts.ts'
import { decodeInSlices } from '../memory/large-document.ts'
import { decodeArchive, encodeArchived, readArchiveInSlices } from '../memory/memory-archive.ts'
import { decodeMemoryDocument, documentIn } from '../memory/memory-document.ts'
import { type MemoryTarget, PERSON_TARGETS } from '../memory/memory-op.ts'
import { memoryPathsOf } from '../memory/memory-paths.ts'
import { readPythonArchive } from '../memory/python-archive.ts'
import { DOCUMENT_LIMITS, parseBoundedJson } from '../shared/bounded-json.ts'
import { canonicalJson } from '../shared/canonical-json.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { sha256Of } from '../shared/sha256.ts'
import { SKILL_FILE, SKILLS_FOLDER } from '../skills/skill-discovery.ts'
import { byCodeUnit } from '../storage/document-tree.ts'
import { insideProject, projectOfPath } from '../storage/project.ts'
import type { Cut, DocumentContent, DocumentInfo, StorageBackend } from '../storage/storage-backend.ts'
import {
  FACTS_PATH,
  JOURNAL_FOLDER,
  MEMORY_ARCHIVE_PATH,
  MEMORY_FOLDER,
  MEMORY_PATHS,
  PROJECTS_FOLDER,
  PYTHON_ARCHIVE_PATH,
} from '../storage/storage-paths.ts'
import { USAGE_PATH } from '../usage/usage-sidecar.ts'
import {
  EXPORT_FORMAT,
  EXPORT_MANIFEST,
  EXPORT_VERSION,
  type ExportCounts,
  type ExportFile,
  type ExportManifest,
  type ExportPart,
  LARGEST_EXPORT_BYTES,
  LARGEST_EXPORT_FILE_BYTES,
  MOST_EXPORT_FILES,
  partOf,
} from './export-manifest.ts'
import { skillFilesOf, toExportedSkills } from './exported-skill.ts'
import { addPythonBlobs } from './python-ledger-files.ts'

export interface CollectedExport {
  /** Documents by path, sorted. */
  readonly contents: ReadonlyMap<string, DocumentContent>
  readonly leftOut: readonly { readonly path: string; readonly why: string }[]
}

/** If documents come and go during each attempt, the last one is exported. */
const MAX_ATTEMPTS = 4

const FOLDERS = [MEMORY_FOLDER, PROJECTS_FOLDER, 'pending', SKILLS_FOLDER, JOURNAL_FOLDER].map((folder) => `${folder}/`)

const listed = (cut: Cut): readonly DocumentInfo[] =>
  FOLDERS.flatMap((folder) => cut.list(folder)).filter(({ path }) => partOf(path) !== undefined)

/** What comes first if not all fits. Of the journal, the newest days. */
const rankOf = (path: string): number => {
  const part = partOf(path)
  if (part === 'journal') return 4
  if (part === 'archivedSkills') return 3
  return part === 'skills' && path !== USAGE_PATH && !path.endsWith(`/${SKILL_FILE}`) ? 2 : 1
}

const inOrder = (a: DocumentInfo, b: DocumentInfo): number => {
  const rank = rankOf(a.path)
  return rank - rankOf(b.path) || (rank === 4 ? byCodeUnit(b.path, a.path) : byCodeUnit(a.path, b.path))
}

/** What is read, and why the rest is not. */
const choose = (documents: readonly DocumentInfo[]) => {
  const chosen: string[] = []
  const leftOut = new Map<string, string>()
  let used = 0
  for (const { path, size, unreadable } of documents.toSorted(inOrder)) {
    if (unreadable && unreadable !== 'closed-folder')
      leftOut.set(path, unreadable === 'outward-link' ? 'link out of the home' : 'unusable name')
    else if (size > LARGEST_EXPORT_FILE_BYTES) leftOut.set(path, 'file too large')
    else if (used + size > LARGEST_EXPORT_BYTES || chosen.length >= MOST_EXPORT_FILES) leftOut.set(path, 'export full')
    else {
      used += size
      chosen.push(path)
    }
  }
  return { chosen, leftOut }
}

/** Those of the entries in a file of the cut. Of a file whose entries cannot be told, all: without them, an entry would pass for one that a person wrote. */
const presentRecords = async (cut: Cut, path: string, records: FactRecords): Promise<FactRecords> => {
  const document = documentIn(cut, path)
  const decoded = await decodeInSlices(path, (document.ok ? document.value?.bytes : undefined) ?? new Uint8Array())
  if (!decoded.ok) return records
  const entries = new Set(decoded.value.entries)
  return new Map([...records].filter(([entry]) => entries.has(entry)))
}

/** Without what other entries were once known for. */
const presentFacts = async (cut: Cut, path: string, bytes: Uint8Array): Promise<Uint8Array> => {
  const parsed = parseFacts(bytes, path)
  if (!parsed.ok) return bytes
  const project = projectOfPath(path)?.project
  const kept = new Map<MemoryTarget, FactRecords>()
  for (const target of project === undefined ? PERSON_TARGETS : (['project'] as const)) {
    const records = parsed.value.facts[target]
    if (records) kept.set(target, await presentRecords(cut, memoryPathsOf(target, project).file, records))
  }
  return encodeFacts({ ...NO_FACTS, ...Object.fromEntries(kept) })
}

const readHeld = (bytes: Uint8Array) => {
  const data = parseBoundedJson(bytes, DOCUMENT_LIMITS)
  return data.ok ? pendingProposalSchema.safeParse(data.value).data : undefined
}

/** A decision about the skills of this home, which another one does not have. */
const isWaitingMerge = (path: string, content: DocumentContent | undefined): boolean => {
  const held = content && partOf(path) === 'pending' ? readHeld(content.bytes) : undefined
  return held?.target === 'skill' && held.merge !== undefined
}

/** What cannot be exported is noted in `leftOut`. */
const readChosen = (cut: Cut, chosen: readonly string[], leftOut: Map<string, string>): Result<Map<string, DocumentContent>> => {
  const found = new Map<string, DocumentContent>()
  for (const path of chosen) {
    const document = documentIn(cut, path)
    if (!document.ok && document.error.code !== 'unreadable' && document.error.code !== 'invalid_path') return document
    if (!document.ok) leftOut.set(path, 'unreadable')
    else if (isWaitingMerge(path, document.value)) leftOut.set(path, 'waiting merge')
    else if (document.value) found.set(path, document.value)
  }
  return ok(found)
}

/** Entries that only Python Hermes archived are exported as ours, so that every importer knows them. */
const addPythonArchive = async (cut: Cut, found: Map<string, DocumentContent>): Promise<void> => {
  const document = documentIn(cut, PYTHON_ARCHIVE_PATH)
  if (!document.ok || !document.value) return
  const own = found.get(MEMORY_ARCHIVE_PATH)?.bytes
  const known = await readArchiveInSlices(own)
  const added = [...(await readPythonArchive(document.value.bytes)).values()].filter(({ id }) => !known.has(id))
  if (added.length === 0) return
  const lines = `${decodeArchive(own)}\n${decodeArchive(encodeArchived(added))}`.replace(/^\n|\n(?=\n)/g, '')
  found.set(MEMORY_ARCHIVE_PATH, { bytes: new TextEncoder().encode(lines) })
}

export const collectExport = async (storage: StorageBackend): Promise<Result<CollectedExport>> => {
  for (let attempt = 1; ; attempt++) {
    const before = await storage.read(FOLDERS)
    if (!before.ok) return before
    const { chosen, leftOut } = choose(listed(before.value))
    const memory = [...Object.values(MEMORY_PATHS), PYTHON_ARCHIVE_PATH]
    const cut = await storage.read([...FOLDERS, ...new Set([...memory, ...chosen])])
    if (!cut.ok) return cut
    const now = choose(listed(cut.value))
    if (attempt < MAX_ATTEMPTS && now.chosen.join('\n') !== chosen.join('\n')) continue
    const read = readChosen(cut.value, chosen, leftOut)
    if (!read.ok) return read
    const found = read.value
    for (const [path, { bytes }] of found)
      if (insideProject(path) === FACTS_PATH) found.set(path, { bytes: await presentFacts(cut.value, path, bytes) })
    await addPythonArchive(cut.value, found)
    const blobs = await addPythonBlobs(storage, found, leftOut)
    if (!blobs.ok) return blobs
    const ofSkills = new Set(skillFilesOf([...found.keys()]))
    const isSkill = (path: string): boolean => ['skills', 'archivedSkills'].includes(partOf(path) ?? '')
    const contents = [...found].filter(([path]) => !isSkill(path) || ofSkills.has(path)).sort(([a], [b]) => byCodeUnit(a, b))
    return ok({
      contents: new Map(contents),
      leftOut: [...leftOut].map(([path, why]) => ({ path, why })).sort((a, b) => byCodeUnit(a.path, b.path)),
    })
  }
}

const countEntries = (contents: CollectedExport['contents'], path: string): number => {
  const decoded = decodeMemoryDocument(path, contents.get(path)?.bytes)
  return decoded.ok ? decoded.value.entries.length : 0
}

const countContents = async (contents: CollectedExport['contents']): Promise<ExportCounts> => {
  const paths = [...contents.keys()]
  const countOf = (part: ExportPart): number => paths.filter((path) => partOf(path) === part).length
  const { live, archived } = toExportedSkills(paths)
  const notes = paths.filter((path) => projectOfPath(path)?.path === MEMORY_PATHS.memory)
  const projects = notes.reduce((sum, path) => sum + countEntries(contents, path), 0)
  let memoryArchive = 0
  for (const path of paths.filter((each) => insideProject(each) === MEMORY_ARCHIVE_PATH))
    memoryArchive += (await readArchiveInSlices(contents.get(path)?.bytes)).size
  return {
    memory: countEntries(contents, MEMORY_PATHS.memory),
    user: countEntries(contents, MEMORY_PATHS.user),
    ...(contents.has(MEMORY_PATHS.profile) ? { profile: countEntries(contents, MEMORY_PATHS.profile) } : {}),
    ...(projects === 0 ? {} : { projects }),
    memoryArchive,
    skills: live.length,
    archivedSkills: archived.length,
    pending: countOf('pending'),
    journalDays: paths.filter((path) => dayOfDocument(path) !== undefined).length,
  }
}

const BYTES_BETWEEN_PAUSES = 262_144

/** Overhead that is counted for each file, in bytes. */
const BYTES_PER_FILE = 2_048

const toManifest = async ({ contents, leftOut }: CollectedExport): Promise<ExportManifest> => {
  const files: ExportFile[] = []
  let sincePause = 0
  for (const [path, { bytes, executable }] of contents) {
    files.push({ path, size: bytes.length, sha256: await sha256Of(bytes), ...(executable ? { executable } : {}) })
    sincePause += BYTES_PER_FILE + bytes.length
    if (sincePause < BYTES_BETWEEN_PAUSES) continue
    sincePause = 0
    await pause()
  }
  const counts = await countContents(contents)
  return { format: EXPORT_FORMAT, version: EXPORT_VERSION, counts, files, leftOut }
}

/** Equal homes give equal bytes, whenever they are exported. */
const NO_TIME = 0

const pack = async (manifest: ExportManifest, contents: CollectedExport['contents']): Promise<Uint8Array> => {
  const writer = await createArchiveWriter(NO_TIME)
  try {
    await writer.add(EXPORT_MANIFEST, { bytes: new TextEncoder().encode(canonicalJson(manifest)) })
    for (const [path, content] of contents) await writer.add(path, content)
    return await writer.finish()
  } catch (cause) {
    await writer.abandon()
    throw cause
  }
}

/** Returns the archive; equal homes give equal bytes. Fails with the error of the storage, or with `io` if packing fails. */
export const exportHome = async (storage: StorageBackend): Promise<Result<Uint8Array>> => {
  const collected = await collectExport(storage)
  if (!collected.ok) return collected
  try {
    return ok(await pack(await toManifest(collected.value), collected.value.contents))
  } catch (cause) {
    return err(new HermesError('io', `The export could not be packed: ${String(cause)}. Try again.`, { cause }))
  }
}
