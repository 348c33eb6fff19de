/**
 * Erases texts from every document of a home: finds what holds them, then changes all of it in one update, and looks again until it finds nothing. A document is
 * read again only if its stamp has changed.
 */
import { archivePath, idOfDocument, manifestPath } from '../curator/backup-manifest.ts'
import { equalBytes } from '../shared/equal-bytes.ts'
import { joined } from '../shared/joined-bytes.ts'
import { pause } from '../shared/pause.ts'
import { ok, type Result } from '../shared/result.ts'
import { byCodeUnit, isBelow } from '../storage/document-tree.ts'
import { equalContent } from '../storage/equal-content.ts'
import { orError } from '../storage/one-document.ts'
import { insideProject, projectsIn } from '../storage/project.ts'
import type { Cut, DocumentInfo, StorageBackend } from '../storage/storage-backend.ts'
import { BLOCK_VIEW_PATH, HOMES_FOLDER, JOURNAL_FOLDER, MEMORY_FOLDER, OWNERS_FOLDER } from '../storage/storage-paths.ts'
import { type ErasedCounts, type ForgetReceipt, NOTHING_ERASED } from './forget-receipt.ts'
import { type Changed, changed, type Erasure, ReadDocument, type Redacted, redactAtOnce } from './redaction.ts'
import { freeNameOf } from './redactor-of.ts'
import { type Found, type FoundDocument, MAX_BYTES, searchDocument } from './search-document.ts'

/** Homes of others, and installed programs, such as a memory provider: many megabytes, in which a common word is found. */
const NOT_OF_THE_HOME = [HOMES_FOLDER, OWNERS_FOLDER, 'node_modules']

/** Rounds over a home to which others keep writing. */
const MAX_LOOKS = 20
/** Documents, and their bytes, that are read in one cut. */
const AT_ONCE = 32
const BYTES_AT_ONCE = 262_144
/** Bytes of one update; more are written in several, since a database in a file holds up other work while it writes one. */
const BYTES_TOGETHER = 4_194_304
const IN_NAME = 'Its name holds the text. Rename or delete it.'
const RESTLESS = 'It changed during every attempt. Stop whatever writes to this home, then forget again.'

interface WrittenErasure {
  readonly found: Found
  /** Undefined for a backup. */
  readonly redacted?: Changed
}

const LINE_FEED = 0x0a
const EMPTY = new Uint8Array()

const pathsOf = (found: Found): readonly string[] => ('id' in found ? [...found.read.keys()] : [found.path])

const sizeOf = (found: Found): number =>
  'id' in found ? (found.packed?.archive.length ?? 0) + (found.packed?.manifest.length ?? 0) : (found.redacted.next?.length ?? 0)

/**
 * Nearly always one. All of memory is in the last: if an erasure in several updates is killed, the same call finds there again what was meant. What a session wrote
 * is found in its journal too, so then all of the journal is in the last as well.
 */
const partsOf = (found: readonly Found[], { sessionId }: Erasure): readonly (readonly Found[])[] => {
  const ofJournal = sessionId === undefined ? 1 : 2
  const rankOf = ({ path }: Found): number =>
    isBelow(insideProject(path), MEMORY_FOLDER) ? 2 : isBelow(path, JOURNAL_FOLDER) ? ofJournal : 0
  const parts: Found[][] = []
  let room = 0
  for (const each of found.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const last = parts.at(-1)
    const size = sizeOf(each)
    if (last && (size <= room || rankOf(last[0] ?? each) === 2)) last.push(each)
    else {
      parts.push([each])
      room = BYTES_TOGETHER
    }
    room -= size
  }
  return parts
}

/** What is read in one cut. */
const batchAt = (due: readonly DocumentInfo[], start: number): readonly DocumentInfo[] => {
  let end = start
  for (let bytes = 0; end < due.length && end - start < AT_ONCE && (end === start || bytes < BYTES_AT_ONCE); end++)
    bytes += due[end]?.size ?? 0
  return due.slice(start, end)
}

/** Of a day of the journal that has only grown since it was read, no more than its end is searched. */
const redactAnew = ({ path, read, redactor, redacted }: FoundDocument, now: Uint8Array, erasure: Erasure): Redacted => {
  const { bytes } = read
  const hasGrown = isBelow(path, JOURNAL_FOLDER) && bytes.at(-1) === LINE_FEED && equalBytes(now.subarray(0, bytes.length), bytes)
  if (!hasGrown) return redactAtOnce(redactor(new ReadDocument(now), erasure))
  const added = now.subarray(bytes.length)
  const end = redactAtOnce(redactor(new ReadDocument(added), erasure))
  if (end.kind === 'changed')
    return changed(joined([redacted.next ?? EMPTY, end.next ?? EMPTY]), redacted.counted, redacted.count + end.count)
  return changed(joined([redacted.next ?? EMPTY, added]), redacted.counted, redacted.count)
}

export type ErasedDocuments = Pick<ForgetReceipt, 'erased' | 'projects' | 'rewrittenBackups' | 'remaining'>

export class DocumentEraser {
  readonly #storage: StorageBackend
  readonly #erasure: Erasure
  readonly #isExempt: (path: string) => boolean
  readonly #erased: Record<keyof ErasedCounts, number> = { ...NOTHING_ERASED }
  readonly #rewritten = new Set<string>()
  /** Paths of the documents that were counted. */
  readonly #touched = new Set<string>()
  /** The texts of next sessions. */
  #views: readonly string[] = []
  /** Why each remains, by path. */
  readonly #remaining = new Map<string, string>()
  /** Stamps of the documents that are done, by path. */
  readonly #seen = new Map<string, string>()
  /** What was written to documents in which nothing remains, by path. */
  readonly #final = new Map<string, Uint8Array>()

  /** `isExempt`: true for documents that the caller erases itself. */
  constructor(storage: StorageBackend, erasure: Erasure, isExempt: (path: string) => boolean = () => false) {
    this.#storage = storage
    this.#erasure = erasure
    this.#isExempt = isExempt
  }

  /** What an erasure would do. */
  async preview(): Promise<Result<ErasedDocuments>> {
    const found = await this.#look()
    if (!found.ok) return found
    for (const each of found.value) this.#count('id' in each ? { found: each } : { found: each, redacted: each.redacted })
    return ok(this.#done())
  }

  async erase(): Promise<Result<ErasedDocuments>> {
    for (let looks = 0; ; looks++) {
      const found = await this.#look()
      if (!found.ok) return found
      if (found.value.length === 0) return ok(this.#done())
      if (looks === MAX_LOOKS) {
        for (const { path } of found.value) this.#remaining.set(path, RESTLESS)
        return ok(this.#done())
      }
      for (const part of partsOf(found.value, this.#erasure)) {
        const written = await this.#write(part)
        if (!written.ok) return written
      }
    }
  }

  #done(): ErasedDocuments {
    const remaining = [...this.#remaining].map(([path, reason]) => ({ path, reason }))
    return {
      erased: this.#erased,
      projects: projectsIn([...this.#touched].map((path) => ({ path }))),
      rewrittenBackups: [...this.#rewritten].sort(),
      remaining: remaining.sort((a, b) => byCodeUnit(a.path, b.path)),
    }
  }

  /** Everything that holds the text and can be erased. What cannot is noted as remaining. */
  async #look(): Promise<Result<readonly Found[]>> {
    const all = await this.#storage.list('')
    if (!all.ok) return all
    this.#views = all.value.map(({ path }) => path).filter((path) => insideProject(path) === BLOCK_VIEW_PATH)
    const isOut = (path: string) =>
      insideProject(path) === BLOCK_VIEW_PATH || this.#isExempt(path) || NOT_OF_THE_HOME.some((folder) => isBelow(path, folder))
    const listed = all.value.filter(({ path }) => !isOut(path))
    const paths = new Set(listed.map(({ path }) => path))
    for (const path of this.#remaining.keys()) if (!paths.has(path)) this.#remaining.delete(path)
    const due = listed.filter(({ path, stamp }) => this.#seen.get(path) !== stamp)
    const found: Found[] = []
    for (let start = 0; start < due.length; ) {
      const batch = batchAt(due, start)
      const read = await this.#readTogether(batch)
      if (!read.ok) return read
      for (const info of batch) {
        const one = await this.#lookAt(info, read.value, paths)
        if (!one.ok) return one
        if (one.value) found.push(one.value)
      }
      start += batch.length
      await pause()
    }
    return ok(found)
  }

  /** Fails only if the storage is closed. */
  async #lookAt(info: DocumentInfo, cut: Cut, paths: ReadonlySet<string>): Promise<Result<Found | undefined>> {
    const { path } = info
    this.#seen.set(path, info.stamp)
    this.#remaining.delete(path)
    if (this.#erasure.matches(freeNameOf(path))) this.#remaining.set(path, IN_NAME)
    const one = await orError<Found | string | undefined>(async () =>
      this.#isFinal(info, cut) ? ok(undefined) : searchDocument(this.#storage, this.#erasure, info, paths, cut),
    )
    if (!one.ok && one.error.code === 'closed') return one
    const there = one.ok ? one.value : one.error.message
    if (typeof there === 'string') this.#remaining.set(path, there)
    return ok(typeof there === 'string' ? undefined : there)
  }

  /** One that is too large or may not be read now is not in the cut. */
  #isFinal({ path, size, unreadable }: DocumentInfo, cut: Cut): boolean {
    const written = this.#final.get(path)
    if (!written || unreadable || size !== written.length) return false
    return equalBytes(cut.document(path)?.bytes ?? EMPTY, written)
  }

  #readTogether(batch: readonly DocumentInfo[]): Promise<Result<Cut>> {
    const paths = batch.flatMap(({ path, size, unreadable }) => (unreadable || size > MAX_BYTES || idOfDocument(path) ? [] : [path]))
    return this.#storage.read(paths.length > 0 ? paths : [`${MEMORY_FOLDER}/`])
  }

  #count({ found, redacted }: WrittenErasure): void {
    for (const path of pathsOf(found)) this.#touched.add(path)
    if ('id' in found) {
      this.#erased.backups++
      if (found.packed) this.#rewritten.add(found.id)
    } else if (redacted) {
      this.#erased[redacted.counted] += redacted.count
      if (redacted.isFinal && redacted.next) this.#final.set(found.path, redacted.next)
    }
  }

  /** If together they cannot be written, each is written by itself: what is in the way of one remains, and is named. */
  async #write(part: readonly Found[]): Promise<Result<void>> {
    const written = await orError(() => this.#update(part))
    if (written.ok) {
      for (const each of written.value) this.#count(each)
      return ok(undefined)
    }
    if (written.error.code === 'closed') return written
    if (part.length === 1) for (const { path } of part) this.#remaining.set(path, written.error.message)
    else
      for (const each of part) {
        const alone = await this.#write([each])
        if (!alone.ok) return alone
      }
    return ok(undefined)
  }

  /**
   * A document that has changed since it was read is redacted as it is now, a backup in the next look. The text of the next session is derived from the documents, so
   * it is removed with them. Resolves to what was written. What the storage keeps of it is left to the last update of the erasure.
   */
  #update(part: readonly Found[]): Promise<Result<readonly WrittenErasure[]>> {
    const views = [BLOCK_VIEW_PATH, ...this.#views]
    return this.#storage.update([...new Set([...views, ...part.flatMap(pathsOf)])], (cut) => {
      const put: Record<string, Uint8Array | null> = Object.fromEntries(views.map((path) => [path, null]))
      const value = part.flatMap((found): readonly WrittenErasure[] => {
        if ('id' in found) {
          if (![...found.read].every(([path, read]) => equalContent(cut.document(path), read))) return []
          put[archivePath(found.id)] = found.packed?.archive ?? null
          put[manifestPath(found.id)] = found.packed?.manifest ?? null
          return [{ found }]
        }
        const current = cut.document(found.path)
        if (!current) return []
        const redacted = equalContent(current, found.read) ? found.redacted : redactAnew(found, current.bytes, this.#erasure)
        if (redacted.kind !== 'changed') return []
        put[found.path] = redacted.next ?? null
        return [{ found, redacted }]
      })
      return { put, value }
    })
  }
}
