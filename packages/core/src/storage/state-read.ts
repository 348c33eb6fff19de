/** What a transaction has read, by the paths of its beginning, and what of it its plans have looked at. */
import { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { equalContent } from './equal-content.ts'
import { isWithin } from './staged.ts'
import type { Cut, DocumentInfo, StorageBackend, StoredDocument } from './storage-backend.ts'

/** What a commit resolves to if something that was looked at is not so any more: nothing was written. */
export const STALE: unique symbol = Symbol('stale')

export type Read = StoredDocument | HermesError | undefined

/** What a cut throws for a document that cannot be read is a finding, too. */
export const documentOrError = (cut: Cut, path: string): Read => {
  try {
    return cut.document(path)
  } catch (cause) {
    if (HermesError.isInstance(cause)) return cause
    throw cause
  }
}

/**
 * What changes in `skills/` all the time: counts, the state of the curator, the ledger of Python Hermes and lock files. Whoever needs one reads it as a document.
 * Any other file counts, such as the `.env` of a skill.
 */
const isMark = (path: string): boolean => /^skills\/\.(usage\.json|curator_state|curator_ledger\.jsonl|[^/]*\.lock)$/.test(path)

const isSameListing = (before: readonly DocumentInfo[], now: readonly DocumentInfo[]): boolean =>
  now.length === before.length &&
  now.every(({ path, stamp }, index) => path === before[index]?.path && (isMark(path) || stamp === before[index].stamp))

const isSameDocument = (before: Read, now: Read): boolean =>
  before instanceof Error || now instanceof Error ? before instanceof Error && now instanceof Error : equalContent(now, before)

export class StateRead {
  readonly documents = new Map<string, Read>()
  readonly folders = new Map<string, readonly DocumentInfo[]>()
  /** If these are not so any more, the plans do not hold. */
  readonly seenDocuments = new Set<string>()
  readonly seenFolders = new Set<string>()
  readonly #storage: Pick<StorageBackend, 'read'>

  constructor(storage: Pick<StorageBackend, 'read'>) {
    this.#storage = storage
  }

  /** Reads what is not known yet. `onRead`: called before anything new is known. */
  async look(documents: readonly string[], folders: readonly string[], onRead: () => void): Promise<Result<void>> {
    const unread = documents.filter((path) => !this.documents.has(path))
    const unlisted = folders.filter((folder) => this.listingOf(folder) === undefined)
    if (unread.length + unlisted.length === 0) return ok(undefined)
    const cut = await this.#storage.read([...unread, ...unlisted.map((folder) => `${folder}/`)])
    if (!cut.ok) return cut
    onRead()
    for (const path of unread) this.documents.set(path, documentOrError(cut.value, path))
    for (const folder of unlisted) this.folders.set(folder, cut.value.list(folder))
    return ok(undefined)
  }

  /** The listed folder that tells of a folder: the first that was read. */
  listingOf(folder: string): string | undefined {
    return [...this.folders.keys()].find((listed) => listed === '' || isWithin(folder, listed))
  }

  /** The documents that are there, as far as they are known. */
  get present(): readonly string[] {
    const listed = [...this.folders.values()].flatMap((infos) => infos.map(({ path }) => path))
    return [...listed, ...[...this.documents].flatMap(([path, found]) => (found ? [path] : []))]
  }

  /** What was looked at, for another cut. */
  get seenPaths(): readonly string[] {
    return [...this.seenDocuments, ...[...this.seenFolders].map((folder) => `${folder}/`)]
  }

  /** Whether all that was looked at is in the cut as it was read. */
  isStill(cut: Cut): boolean {
    const documents = [...this.seenDocuments].every((path) => isSameDocument(this.documents.get(path), documentOrError(cut, path)))
    return documents && [...this.seenFolders].every((folder) => isSameListing(this.folders.get(folder) ?? [], cut.list(folder)))
  }
}
