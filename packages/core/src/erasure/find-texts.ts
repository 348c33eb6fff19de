/** What a caller asks to be forgotten, and the texts to erase for it: the given text, one entry, or what a session wrote. */
import { createJournal } from '../journal/journal.ts'
import type { JournalRecord } from '../journal/journal-record.ts'
import { type FactRecords, parseFacts } from '../memory/facts.ts'
import { readArchiveInSlices } from '../memory/memory-archive.ts'
import { decodeMemoryDocument, locateEntry, normaliseNewlines } from '../memory/memory-document.ts'
import { ENTRY_DELIMITER } from '../memory/memory-limits.ts'
import { isMemoryTarget, MEMORY_TARGETS, PERSON_TARGETS } from '../memory/memory-op.ts'
import { type MemoryPaths, memoryPathsOf } from '../memory/memory-paths.ts'
import { readPythonArchive } from '../memory/python-archive.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { stripWhiteSpace } from '../shared/white-space.ts'
import { readDocument } from '../storage/one-document.ts'
import { projectsIn } from '../storage/project.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { PROJECTS_FOLDER, PYTHON_ARCHIVE_PATH } from '../storage/storage-paths.ts'
import { foldForSearch } from './fold-for-search.ts'
import type { Erasure } from './redaction.ts'
import { createMatcher } from './text-matcher.ts'

/**
 * A string: everything that contains this text. `entry`: one memory entry, given by its text or by a piece of text that no other entry contains. `session`:
 * everything stored for the session with this id, and what it wrote to memory.
 */
export type ForgetTarget = string | { readonly entry: string } | { readonly session: string }

export type CheckedTarget =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'entry'; readonly text: string }
  | { readonly kind: 'session'; readonly id: string }

/** Characters, after folding. A shorter text occurs nearly everywhere. */
const MIN_TEXT_CHARS = 3

const isLongEnough = (text: string): boolean => Array.from(foldForSearch(text).trim()).length >= MIN_TEXT_CHARS

const invalid = (message: string): Result<never> => err(new HermesError('invalid', message))

const checkText = (kind: 'text' | 'entry', text: string): Result<CheckedTarget> => {
  if (normaliseNewlines(text).includes(ENTRY_DELIMITER))
    return invalid('The text spans several memory entries. Forget each entry separately.')
  if (isLongEnough(text)) return ok({ kind, text })
  return invalid(
    `The text to forget needs at least ${MIN_TEXT_CHARS} visible characters; a shorter text occurs nearly everywhere. Pass a longer piece.`,
  )
}

/** Fails with `invalid` if the value is not a `ForgetTarget`. */
export const checkTarget = (target: unknown): Result<CheckedTarget> => {
  if (typeof target === 'string') return checkText('text', target)
  const [[key, value] = [], ...more] = typeof target === 'object' && target !== null ? Object.entries(target) : []
  if (typeof value === 'string' && more.length === 0) {
    if (key === 'entry') return checkText('entry', value)
    if (key === 'session' && value !== '' && value.isWellFormed()) return ok({ kind: 'session', id: value })
  }
  return invalid("Pass what to forget: a text, { entry: 'a piece of one memory entry' } or { session: 'the id of a session' }.")
}

/** Those of the person and of every project. */
const storesOf = async (storage: StorageBackend): Promise<Result<readonly MemoryPaths[]>> => {
  const listed = await storage.list(PROJECTS_FOLDER)
  if (!listed.ok) return listed
  const projects = projectsIn(listed.value).map((project) => memoryPathsOf('project', project))
  return ok([...PERSON_TARGETS.map((target) => memoryPathsOf(target, undefined)), ...projects])
}

const readEntries = async (storage: StorageBackend): Promise<Result<readonly string[]>> => {
  const stores = await storesOf(storage)
  if (!stores.ok) return stores
  const entries: string[] = []
  for (const { file } of stores.value) {
    const document = await readDocument(storage, file)
    if (!document.ok) return document
    const decoded = decodeMemoryDocument(file, document.value?.bytes)
    if (decoded.ok) entries.push(...decoded.value.entries)
  }
  return ok(entries)
}

const readArchived = async (storage: StorageBackend): Promise<Result<readonly string[]>> => {
  const stores = await storesOf(storage)
  if (!stores.ok) return stores
  const texts: string[] = []
  for (const path of new Set(stores.value.map(({ archive }) => archive))) {
    const document = await readDocument(storage, path)
    if (!document.ok) return document
    const archive = await readArchiveInSlices(document.value?.bytes)
    texts.push(...[...archive.values()].map(({ text }) => text))
  }
  const python = await readDocument(storage, PYTHON_ARCHIVE_PATH)
  if (!python.ok) return python
  texts.push(...[...(await readPythonArchive(python.value?.bytes)).values()].map(({ text }) => text))
  return ok(texts)
}

const readJournal = (storage: StorageBackend, filter: { readonly sessionId?: string; readonly text?: string }) =>
  createJournal({ storage, clock: () => 0, createId: () => '' }).list(filter)

/** The text that an applied memory operation wrote. */
const contentOf = ({ kind, target, op }: JournalRecord): readonly string[] =>
  kind === 'applied' && target !== 'skill' && op && 'content' in op ? [op.content] : []

const readJournalled = async (storage: StorageBackend, text: string): Promise<Result<readonly string[]>> => {
  const records = await readJournal(storage, { text })
  if (!records.ok) return records
  const isEntry = ({ target }: JournalRecord): boolean => isMemoryTarget(target)
  return ok(records.value.filter(isEntry).flatMap((record) => [...contentOf(record), ...(record.previous ?? [])]))
}

/** `live`: all entries; a longer one that contains one of the texts is spared. */
const toErasure = (texts: readonly string[], live: readonly string[] = []): Erasure => {
  const folded = new Set(texts.map(foldForSearch))
  const { holds } = createMatcher(texts)
  const shields = live.filter((entry) => {
    const own = foldForSearch(entry)
    return !folded.has(own) && holds(own)
  })
  return { ...createMatcher(texts, shields), texts }
}

const MAX_SHOWN = 5

const ambiguous = (text: string, candidates: readonly string[]): HermesError => {
  const shown = candidates.slice(0, MAX_SHOWN).map((entry) => `'${entry.slice(0, 80)}'`)
  const message = `${candidates.length} entries contain '${text.slice(0, 80)}', such as ${shown.join(', ')}. Pass a longer piece of the entry you mean.`
  return new HermesError('ambiguous', message, { details: { candidates } })
}

/** Searches memory, then the archive, then the journal: an entry may have left memory long ago. */
const findEntry = async (storage: StorageBackend, text: string, live: readonly string[]): Promise<Result<string | undefined>> => {
  const places = [async () => ok(live), () => readArchived(storage), () => readJournalled(storage, text)]
  for (const read of places) {
    const entries = await read()
    if (!entries.ok) return entries
    const found = locateEntry(entries.value, stripWhiteSpace(text))
    if (found.kind === 'ambiguous') return err(ambiguous(text, found.matches))
    if (found.kind === 'found') return ok(entries.value[found.index])
  }
  return ok(undefined)
}

/** What the session wrote according to the journal and the facts, without entries that another session has written since. */
const findWritten = async (storage: StorageBackend, id: string, live: readonly string[]): Promise<Result<readonly string[]>> => {
  const stores = await storesOf(storage)
  if (!stores.ok) return stores
  const known: FactRecords[] = []
  for (const path of new Set(stores.value.map(({ facts }) => facts))) {
    const document = await readDocument(storage, path)
    const parsed = document.ok ? parseFacts(document.value?.bytes, path) : document
    if (parsed.ok) known.push(...MEMORY_TARGETS.flatMap((target) => parsed.value.facts[target] ?? []))
  }
  const records = await readJournal(storage, { sessionId: id })
  if (!records.ok) return records
  const written = new Set(records.value.flatMap(contentOf))
  for (const entry of live) {
    // The same text may be in several stores.
    const [record] = known.flatMap((each) => each.get(entry) ?? []).sort((a, b) => b.lastConfirmedAt - a.lastConfirmedAt)
    if (record?.sessionId === id) written.add(entry)
    else if (record) written.delete(entry)
  }
  return ok([...written].filter(isLongEnough))
}

/** Fails with `ambiguous` if several entries contain the text; `details.candidates` lists them. */
export const findTexts = async (storage: StorageBackend, target: CheckedTarget): Promise<Result<Erasure>> => {
  if (target.kind === 'text') return ok(toErasure([target.text]))
  const live = await readEntries(storage)
  if (!live.ok) return live
  if (target.kind === 'session') {
    const written = await findWritten(storage, target.id, live.value)
    return written.ok ? ok({ ...toErasure(written.value, live.value), sessionId: target.id }) : written
  }
  const entry = await findEntry(storage, target.text, live.value)
  if (!entry.ok) return entry
  if (entry.value === undefined) return ok(toErasure([]))
  if (isLongEnough(entry.value)) return ok(toErasure([entry.value], live.value))
  return invalid(`The entry '${entry.value}' is too short to search for. Remove it from memory instead.`)
}
