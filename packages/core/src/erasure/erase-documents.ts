/** Erases texts from every document of a home, in rounds, until a round changes nothing. A document is read again only if its stamp has changed. */

import { archivePath, idOfDocument } from '../curator/backup-manifest.ts'
import { LARGEST_BACKUP_BYTES } from '../curator/curator-options.ts'
import { dayOfDocument } from '../journal/journal-days.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { isData, parseJson } from '../shared/json-texts.ts'
import { pause } from '../shared/pause.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { byCodeUnit, isBelow } from '../storage/document-tree.ts'
import { equalContent } from '../storage/equal-content.ts'
import { readDocument, UNCHANGED, updateDocument } from '../storage/one-document.ts'
import type { DocumentInfo, StorageBackend, StoredDocument } from '../storage/storage-backend.ts'
import { CURATOR_FOLDER, FACTS_PATH, HOMES_FOLDER, MEMORY_PATHS, OWNERS_FOLDER } from '../storage/storage-paths.ts'
import { USAGE_PATH } from '../usage/usage-sidecar.ts'
import { type ErasedCounts, NOTHING_ERASED, type RemainingText } from './forget-receipt.ts'
import { freeNameOf } from './free-name.ts'
import {
  CLEAN,
  type Erasure,
  gunzip,
  matchesInside,
  type Redacted,
  readText,
  redactAtOnce,
  redactInSteps,
  type SteppedRedactor,
} from './redaction.ts'
import { redactorOf } from './redactor-of.ts'
import { rewriteBackup } from './rewrite-backup.ts'
import { someChunk } from './text-matcher.ts'

/** Homes of others, and installed programs, such as a memory provider: many megabytes, in which a common word is found. */
const NOT_OF_THE_HOME = [HOMES_FOLDER, OWNERS_FOLDER, 'node_modules']

/** Rounds over a home to which others keep writing. */
const MAX_LOOKS = 20
const AT_ONCE = 32
/** Bytes that are read before other work can run. */
const BYTES_AT_ONCE = 262_144
/** Characters. JSON of the library below this size is parsed, to tell texts from the words of the format. */
const MAX_PARSED_CHARS = 1_048_576
/** Bytes. A larger document is not searched. */
const MAX_BYTES = 67_108_864

const TOO_LARGE = `It is larger than ${MAX_BYTES / 1_048_576} MiB and was not searched. Search it yourself.`
const UNSEEN = 'It cannot be read, so it may hold the text. Make it readable, or delete it.'
const UNPACKED = 'It cannot be unpacked, so it may hold the text. Delete it if nobody needs it.'
const IN_ARCHIVE = 'It is a compressed file that the library does not rewrite. Delete it if nobody needs it.'
const IN_NAME = 'Its name holds the text. Rename or delete it.'
const RESTLESS = 'It changed during every attempt. Stop whatever writes to this home, then forget again.'

export interface ErasedDocuments {
  readonly erased: ErasedCounts
  readonly rewrittenBackups: readonly string[]
  readonly remaining: readonly RemainingText[]
}

export interface EraseDocumentsOptions {
  readonly storage: StorageBackend
  readonly erasure: Erasure
  /** True: counts what would be erased and writes nothing. */
  readonly dryRun: boolean
  /** True for documents that the caller erases itself. */
  readonly isExempt?: (path: string) => boolean
}

/**
 * An interrupted erasure finds its entries in the memory files and the journal, so these are erased last. The facts go after the entries: without them, an entry
 * from outside would pass for one that a person wrote.
 */
const rankOf = (path: string): number => {
  if (dayOfDocument(path) !== undefined) return 3
  if (path === FACTS_PATH) return 2
  return path === MEMORY_PATHS.memory || path === MEMORY_PATHS.user ? 1 : 0
}

/** Documents that are searched without a pause. All have one rank, so that a higher rank starts only when the lower one is done. */
const nextBatch = (due: readonly DocumentInfo[], start: number): readonly DocumentInfo[] => {
  const rank = rankOf(due[start]?.path ?? '')
  let end = start
  for (let bytes = 0; end < due.length && end - start < AT_ONCE && (end === start || bytes < BYTES_AT_ONCE); end++) {
    if (rankOf(due[end]?.path ?? '') !== rank) break
    bytes += due[end]?.size ?? 0
  }
  return due.slice(start, end)
}

/** The decoded document; `undefined` if a quick search shows that nothing in it is to be erased. */
const lookInto = async ({ bytes }: StoredDocument, { mayHold, overlap, sessionId }: Erasure) => {
  const read = readText(bytes)
  const isOfSession = sessionId !== undefined && read.loose.includes(JSON.stringify(sessionId))
  return isOfSession || (await someChunk(read.loose, overlap, mayHold)) ? read : undefined
}

/** JSON of the library, in which only string values are searched, and keys that are names. */
const isOwnJson = (path: string): boolean => path === USAGE_PATH || isBelow(path, CURATOR_FOLDER)

const isHeldAsItIs = async (path: string, loose: string, { matches, overlap }: Erasure): Promise<boolean> => {
  const data = isOwnJson(path) && loose.length < MAX_PARSED_CHARS ? parseJson(loose) : undefined
  if (isData(data)) return matchesInside(data, { matches }) || (path === USAGE_PATH && Object.keys(data).some(matches))
  return someChunk(loose, overlap, matches)
}

const redactFreshly = (redact: SteppedRedactor, document: StoredDocument, erasure: Erasure): Redacted =>
  redactAtOnce(redact(readText(document.bytes), erasure))

export const eraseDocuments = async ({
  storage,
  erasure,
  dryRun,
  isExempt = () => false,
}: EraseDocumentsOptions): Promise<Result<ErasedDocuments>> => {
  const erased: Record<keyof ErasedCounts, number> = { ...NOTHING_ERASED }
  const rewrittenBackups = new Set<string>()
  const remaining = new Map<string, string>()
  /** Stamps of the documents that are done, by path. */
  const seen = new Map<string, string>()
  const problems: HermesError[] = []

  const count = (redacted: Redacted) => {
    if (redacted.kind !== 'changed') return
    erased[redacted.counted] += redacted.count
  }

  /** Returns whether the document must be read again. */
  const write = async (path: string, redact: SteppedRedactor, read: StoredDocument, redacted: Redacted): Promise<boolean> => {
    count(dryRun ? redacted : CLEAN)
    if (dryRun || redacted.kind !== 'changed') return false
    let done: Redacted = CLEAN
    const updated = await updateDocument(storage, path, (current) => {
      done = !current ? CLEAN : equalContent(current, read) ? redacted : redactFreshly(redact, current, erasure)
      return done.kind === 'changed' ? done.next : UNCHANGED
    })
    if (!updated.ok) return fail(path, updated.error)
    count(done)
    return true
  }

  const fail = (path: string, error: HermesError): boolean => {
    if (error.code === 'closed') problems.push(error)
    remaining.set(path, error.message)
    return false
  }

  const keep = (path: string, reason: string | undefined): boolean => {
    if (reason !== undefined) remaining.set(path, reason)
    return false
  }

  const eraseFromBackup = async (path: string, id: string): Promise<boolean> => {
    const rewritten = await rewriteBackup(storage, id, erasure, dryRun)
    if (!rewritten.ok) return fail(path, rewritten.error)
    const outcome = rewritten.value
    if (typeof outcome === 'object') return keep(path, outcome.reason)
    if (outcome === 'rewritten' || outcome === 'removed') erased.backups++
    if (outcome === 'rewritten') rewrittenBackups.add(id)
    return !dryRun && (outcome === 'rewritten' || outcome === 'changed-meanwhile')
  }

  const searchGzip = async (path: string, { bytes }: StoredDocument): Promise<string | undefined> => {
    const unpacked = await gunzip(bytes)
    if (!unpacked) return UNPACKED
    return (await isHeldAsItIs(path, readText(unpacked).loose, erasure)) ? IN_ARCHIVE : undefined
  }

  const eraseFromDocument = async (path: string): Promise<boolean> => {
    const read = await readDocument(storage, path)
    if (!read.ok) return fail(path, read.error)
    if (!read.value) return false
    if (/\.t?gz$/.test(path)) return keep(path, await searchGzip(path, read.value))
    const document = await lookInto(read.value, erasure)
    if (!document) return false
    const handling = redactorOf(path)
    if (typeof handling === 'string') return keep(path, (await isHeldAsItIs(path, document.loose, erasure)) ? handling : undefined)
    const redacted = await redactInSteps(handling(document, erasure))
    if (redacted.kind === 'remaining') return keep(path, redacted.reason)
    return write(path, handling, read.value, redacted)
  }

  const eraseFrom = async ({ path, size, unreadable }: DocumentInfo, exists: (path: string) => boolean): Promise<boolean> => {
    if (erasure.matches(freeNameOf(path))) keep(path, IN_NAME)
    const backup = idOfDocument(path)
    if (backup?.kind === 'manifest' && exists(archivePath(backup.id))) return false
    if (backup && size <= LARGEST_BACKUP_BYTES) return eraseFromBackup(path, backup.id)
    if (unreadable) return keep(path, UNSEEN)
    return size > MAX_BYTES ? keep(path, TOO_LARGE) : eraseFromDocument(path)
  }

  /** Returns the paths of the documents that must be read again. */
  const look = async (documents: readonly DocumentInfo[]): Promise<readonly string[]> => {
    const byPath = new Set(documents.map(({ path }) => path))
    const due = documents
      .filter(({ path, stamp }) => seen.get(path) !== stamp && !isExempt(path))
      .sort((a, b) => rankOf(a.path) - rankOf(b.path) || byCodeUnit(a.path, b.path))
    const touched: string[] = []
    for (let start = 0; start < due.length; ) {
      const some = nextBatch(due, start)
      start += some.length
      for (const { path } of some) remaining.delete(path)
      const again = await Promise.all(some.map((info) => eraseFrom(info, (path) => byPath.has(path))))
      for (const [index, { path, stamp }] of some.entries()) {
        if (again[index]) touched.push(path)
        else seen.set(path, stamp)
      }
      await pause()
    }
    return touched
  }

  for (let looks = 0, touched: readonly string[] = ['']; touched.length > 0; looks++) {
    const all = await storage.list('')
    if (!all.ok) return all
    const listed = all.value.filter(({ path }) => !NOT_OF_THE_HOME.some((folder) => isBelow(path, folder)))
    if (looks === MAX_LOOKS) {
      for (const path of touched) remaining.set(path, RESTLESS)
      break
    }
    const paths = new Set(listed.map(({ path }) => path))
    for (const path of remaining.keys()) if (!paths.has(path)) remaining.delete(path)
    touched = await look(listed)
    const [closed] = problems
    if (closed) return err(closed)
  }
  return ok({
    erased,
    rewrittenBackups: [...rewrittenBackups].sort(),
    remaining: [...remaining].map(([path, reason]) => ({ path, reason })).sort((a, b) => byCodeUnit(a.path, b.path)),
  })
}
