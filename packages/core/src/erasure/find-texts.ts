/** Finds the texts to erase for a target: the given text, one entry, or what a session wrote. */

import { createJournal } from '../journal/journal.ts'
import type { JournalRecord } from '../journal/journal-record.ts'
import { decodeMemoryDocument, locateEntry } from '../memory/memory-document.ts'
import { parseFacts } from '../memory/facts.ts'
import { readArchiveInSlices } from '../memory/memory-archive.ts'
import { MEMORY_TARGETS } from '../memory/memory-op.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { stripWhiteSpace } from '../shared/white-space.ts'
import { readDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { FACTS_PATH, MEMORY_ARCHIVE_PATH, MEMORY_PATHS } from '../storage/storage-paths.ts'
import { type CheckedTarget, isLongEnough } from './erase-target.ts'
import type { Erasure } from './redaction.ts'
import { createMatcher, foldForSearch } from './text-matcher.ts'

const readEntries = async (storage: StorageBackend): Promise<Result<readonly string[]>> => {
  const entries: string[] = []
  for (const target of MEMORY_TARGETS) {
    const document = await readDocument(storage, MEMORY_PATHS[target])
    if (!document.ok) return document
    const decoded = decodeMemoryDocument(target, document.value?.bytes)
    if (decoded.ok) entries.push(...decoded.value.entries)
  }
  return ok(entries)
}

const readArchived = async (storage: StorageBackend): Promise<Result<readonly string[]>> => {
  const document = await readDocument(storage, MEMORY_ARCHIVE_PATH)
  if (!document.ok) return document
  const archive = await readArchiveInSlices(document.value?.bytes)
  return ok([...archive.values()].map(({ text }) => text))
}

const readJournal = (storage: StorageBackend, filter: { readonly sessionId?: string; readonly text?: string }) =>
  createJournal({ storage, clock: () => 0, createId: () => '' }).list(filter)

/** The text that an applied memory operation wrote. */
const contentOf = ({ verdict, target, op }: JournalRecord): readonly string[] =>
  verdict === 'applied' && target !== 'skill' && op && 'content' in op ? [op.content] : []

const readJournalled = async (storage: StorageBackend, text: string): Promise<Result<readonly string[]>> => {
  const records = await readJournal(storage, { text })
  if (!records.ok) return records
  const isEntry = ({ target }: JournalRecord): boolean => target === 'memory' || target === 'user'
  return ok(records.value.filter(isEntry).flatMap((record) => [...contentOf(record), ...(record.previous ?? [])]))
}

/** Entries that contain one of the texts but are not to be erased. */
const shieldsOf = (needles: readonly string[], entries: readonly string[]): readonly string[] => {
  const folded = needles.map(foldForSearch)
  return entries.filter((entry) => {
    const own = foldForSearch(entry)
    return folded.some((needle) => own.includes(needle)) && !folded.includes(own)
  })
}

/** `live`: all entries; those that are not to be erased are spared. */
const toErasure = (texts: readonly string[], live: readonly string[] = []): Erasure => ({
  ...createMatcher(texts, shieldsOf(texts, live)),
  texts,
})

const MAX_SHOWN = 5

const ambiguous = (text: string, candidates: readonly string[]): HermesError => {
  const shown = candidates.slice(0, MAX_SHOWN).map((entry) => `'${entry.slice(0, 80)}'`)
  const message = `${candidates.length} entries contain '${text.slice(0, 80)}', such as ${shown.join(', ')}. Pass a longer piece of the entry you mean.`
  return new HermesError('ambiguous', message, { details: { candidates } })
}

/** Searches memory, then the archive, then the journal, so that an interrupted erasure finds its entry again. */
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
  const document = await readDocument(storage, FACTS_PATH)
  const parsed = document.ok ? parseFacts(document.value?.bytes) : document
  const records = await readJournal(storage, { sessionId: id })
  if (!records.ok) return records
  const written = new Set(records.value.flatMap(contentOf))
  for (const entry of live) {
    const record = parsed.ok ? (parsed.value.facts.memory.get(entry) ?? parsed.value.facts.user.get(entry)) : undefined
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
    if (!written.ok) return written
    return ok({ ...toErasure(written.value, live.value), sessionId: target.id })
  }
  const entry = await findEntry(storage, target.text, live.value)
  if (!entry.ok) return entry
  if (entry.value !== undefined && !isLongEnough(entry.value))
    return err(new HermesError('invalid', `The entry '${entry.value}' is too short to search for. Remove it from memory instead.`))
  const needles = entry.value === undefined ? [] : [entry.value]
  return ok(toErasure(needles, live.value))
}
