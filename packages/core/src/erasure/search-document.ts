/** Searches one document of a home for what is to be erased, and redacts it. */
import { archivePath, idOfDocument } from '../curator/backup-manifest.ts'
import { LARGEST_BACKUP_BYTES } from '../curator/curator-options.ts'
import { isData, parseJson } from '../shared/json-texts.ts'
import { pause } from '../shared/pause.ts'
import { ok, type Result } from '../shared/result.ts'
import { isBelow } from '../storage/document-tree.ts'
import type { Cut, DocumentInfo, StorageBackend, StoredDocument } from '../storage/storage-backend.ts'
import { CURATOR_FOLDER, JOURNAL_FOLDER } from '../storage/storage-paths.ts'
import { USAGE_PATH } from '../usage/usage-sidecar.ts'
import { type ErasedBackup, eraseBackup, gunzip } from './erase-backup.ts'
import { type Changed, type Erasure, matchesInside, ReadDocument, type Redacted, type Redactor, type Steps } from './redaction.ts'
import { redactorOf } from './redactor-of.ts'
import { someChunk } from './text-matcher.ts'

/** A document that holds the text, or a backup, and what to write. */
export type Found = FoundDocument | ({ readonly path: string } & ErasedBackup)

export interface FoundDocument {
  readonly path: string
  readonly read: StoredDocument
  readonly redactor: Redactor
  readonly redacted: Changed
}

/** Characters. JSON of the library below this size is parsed, to tell texts from the words of the format. */
const MAX_PARSED_CHARS = 1_048_576
/** Bytes. A larger document is not searched. */
export const MAX_BYTES = 67_108_864

const TOO_LARGE = `It is larger than ${MAX_BYTES / 1_048_576} MiB and was not searched. Search it yourself.`
const UNSEEN = 'It cannot be read, so it may hold the text. Make it readable, or delete it.'
const UNPACKED = 'It cannot be unpacked, so it may hold the text. Delete it if nobody needs it.'
const IN_ARCHIVE = 'It is a compressed file that the library does not rewrite. Delete it if nobody needs it.'

/** JSON of the library, in which only string values are searched, and keys that are names. */
const isOwnJson = (path: string): boolean => path === USAGE_PATH || isBelow(path, CURATOR_FOLDER)

const isHeldAsItIs = async (path: string, loose: string, { matches, overlap }: Erasure): Promise<boolean> => {
  const data = isOwnJson(path) && loose.length < MAX_PARSED_CHARS ? parseJson(loose) : undefined
  if (isData(data)) return matchesInside(data, { matches }) || (path === USAGE_PATH && Object.keys(data).some(matches))
  return someChunk(loose, overlap, matches)
}

/** Other work runs between the steps. */
const redactInSteps = async (redacted: Redacted | Steps): Promise<Redacted> => {
  if ('kind' in redacted) return redacted
  for (;;) {
    const step = redacted.next()
    if (step.done) return step.value
    await pause()
  }
}

/** A quick search shows that nothing in the document is to be erased. A day of the journal is searched by its redactor, block by block. */
const isClean = async ({ loose }: ReadDocument, { mayHold, overlap, sessionId }: Erasure): Promise<boolean> =>
  !(sessionId !== undefined && loose.includes(JSON.stringify(sessionId))) && !(await someChunk(loose, overlap, mayHold))

const searchBackup = async (
  storage: StorageBackend,
  erasure: Erasure,
  path: string,
  id: string,
): Promise<Result<Found | string | undefined>> => {
  const found = await eraseBackup(storage, id, erasure)
  if (!found.ok) return found
  if (found.value === 'clean') return ok(undefined)
  return ok('reason' in found.value ? found.value.reason : { path, ...found.value })
}

const searchContent = async (erasure: Erasure, path: string, read: StoredDocument): Promise<Found | string | undefined> => {
  if (/\.t?gz$/.test(path)) {
    const unpacked = await gunzip(read.bytes)
    if (!unpacked) return UNPACKED
    return (await isHeldAsItIs(path, new ReadDocument(unpacked).loose, erasure)) ? IN_ARCHIVE : undefined
  }
  const document = new ReadDocument(read.bytes)
  const redactor = redactorOf(path)
  // What a quick search does not show: the lines of a day, and files of a held skill that are not text.
  const isHidden = isBelow(path, JOURNAL_FOLDER) || (isBelow(path, 'pending') && document.loose.includes('"base64"'))
  if (!isHidden && (await isClean(document, erasure))) return undefined
  if (typeof redactor === 'string') return (await isHeldAsItIs(path, document.loose, erasure)) ? redactor : undefined
  const redacted = await redactInSteps(redactor(document, erasure))
  if (redacted.kind === 'clean') return undefined
  return redacted.kind === 'remaining' ? redacted.reason : { path, read, redactor, redacted }
}

/** `paths`: of all documents of the home. `cut`: the document is in it. Resolves to a reason if the document, or what may be in it, remains. */
export const searchDocument = async (
  storage: StorageBackend,
  erasure: Erasure,
  info: DocumentInfo,
  paths: ReadonlySet<string>,
  cut: Cut,
): Promise<Result<Found | string | undefined>> => {
  const { path, size, unreadable } = info
  const backup = idOfDocument(path)
  // Searched with its archive.
  if (backup?.kind === 'manifest' && paths.has(archivePath(backup.id))) return ok(undefined)
  if (backup && size <= LARGEST_BACKUP_BYTES) return searchBackup(storage, erasure, path, backup.id)
  if (unreadable) return ok(UNSEEN)
  if (size > MAX_BYTES) return ok(TOO_LARGE)
  const read = cut.document(path)
  return ok(read && (await searchContent(erasure, path, read)))
}
