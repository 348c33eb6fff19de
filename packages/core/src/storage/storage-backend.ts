/**
 * The storage port: a small versioned document tree (DESIGN 4). Memory, sessions, journal and skills are all documents at a path, so a
 * back end needs no knowledge of their formats. Test your own with `storageConformance` from `@hermes/core/testing`.
 */
import type { Result } from '../shared/result.ts'

export interface DocumentContent {
  readonly bytes: Uint8Array
  /** The document is a program: in a file system its owner may execute it. Default false. */
  readonly executable?: boolean
}

export interface StoredDocument extends DocumentContent {
  /** Opaque; differs whenever the bytes differ. */
  readonly version: string
}

export interface DocumentInfo {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /**
   * Opaque. Contract: two listings of a path show the same stamp only if nothing was written there in between, even if the size is the
   * same or another document replaced it. Derived data may therefore be cached by path and stamp.
   */
  readonly stamp: string
  /** Set if this is not a readable document, so that nothing is skipped silently. */
  readonly unreadable?: UnreadableEntry
}

/**
 * `closed-folder`: no permission to list it; reading the path returns the reason. `unnamed-folder`, `unnamed-file`: its name is not a
 * valid path segment, so it cannot be listed or read and moves only with its parent folder; the path is the nearest valid one, and no
 * document has it. `outward-link`: a link out of the tree, which is not followed; reading the path returns its target.
 */
export type UnreadableEntry = 'closed-folder' | 'unnamed-folder' | 'unnamed-file' | 'outward-link'

/** Returned by a change to keep the document: nothing is written, and its version stays the same. */
export const UNCHANGED: unique symbol = Symbol.for('hermes.unchanged')

/**
 * Argument: the present document, `undefined` if there is none. Result: the next bytes (`executable` is kept; a new document is not
 * executable), the next content with its own `executable`, `undefined` to remove the document, or `UNCHANGED`.
 */
export type DocumentChange = (current: StoredDocument | undefined) => Uint8Array | DocumentContent | undefined | typeof UNCHANGED

export interface UpdateOptions {
  /**
   * False: the next reader in any process sees the write, but a power cut may take it back, or leave a damaged document, until the
   * document is updated again. For a document that costs little to lose; a back end may ignore it. Default true.
   */
  readonly durable?: boolean
  /**
   * True: the path was made up for this call, such as from a new UUID, so no other caller creates a document there. A back end may then do
   * without a lock, or ignore it. `change` still decides about a document that is there all the same. Default false.
   */
  readonly newName?: boolean
}

/** The reading part of a storage. */
export type ReadableStorage = Pick<StorageBackend, 'read' | 'list'>

export interface StorageBackend {
  /** Contract: resolves to `undefined` if there is no document; never to a partial one. */
  read(path: string): Promise<Result<StoredDocument | undefined>>

  /**
   * Atomic read-modify-write; resolves to the document as it is afterwards.
   * Contract: `change` may run more than once, so it is pure and synchronous; other writers' changes are never lost; durable when it
   * resolves, unless `options` waive it. If `change` throws, the promise rejects with the same error; for any result but bytes, content, `undefined` or `UNCHANGED`,
   * such as a promise, it rejects with a TypeError. Nothing is written then.
   */
  update(path: string, change: DocumentChange, options?: UpdateOptions): Promise<Result<StoredDocument | undefined>>

  /**
   * Contract: every document below the folder `prefix` (`''` = all), at any depth, in code-unit order of the path; `foo` lists `foo/a`,
   * never `foobar/a` nor the document `foo` itself. The back end's own files (locks, temporary files) are not listed. Does not read
   * documents.
   */
  list(prefix: string): Promise<Result<readonly DocumentInfo[]>>

  /**
   * Moves a document or a whole folder.
   * Contract: atomic; fails with `occupied` if anything is at or below the target, with `not_found` if nothing is at the source.
   */
  move(fromPrefix: string, toPrefix: string): Promise<Result<void>>

  /**
   * Removes what killed writers left below the folder `prefix`, such as temporary files, in which text of a document may remain. Optional.
   * Contract: documents and writes in progress are not changed.
   */
  removeLeftovers?(prefix: string): Promise<Result<void>>

  /** Contract: waits for calls in progress; afterwards every call fails with `closed`. Closing twice is safe. */
  close(): Promise<void>
}
