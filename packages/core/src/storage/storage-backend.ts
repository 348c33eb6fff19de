/**
 * The storage port: a small versioned document tree (DESIGN 4). Memory, sessions, journal and skills are all documents at a
 * path, so a back end cannot get delimiters, budgets or lifecycles wrong. Run `storageConformance` from
 * `@hermes/core/testing` against your own.
 */
import type { Result } from '../shared/result.ts'

/** What a document holds. */
export interface DocumentContent {
  readonly bytes: Uint8Array
  /** The document is a program: in a file system its owner may execute it. Missing means false. */
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
   * Opaque. Contract: two listings of a path show the same stamp only if nothing was written there in between, also where the size is the
   * same or another document took the place; so what was made of a document may be kept by path and stamp.
   */
  readonly stamp: string
  /** What stands here is no document; set so that nothing is passed over in silence. */
  readonly unreadable?: UnreadableEntry
}

/**
 * `closed-folder`: may not be looked into; what lies below is unknown, and reading the path tells why. `unnamed-folder`, `unnamed-file`: its name is none that a
 * path may have, so it can be neither looked into nor read, and moves only along with the folder above. The path says its name as nearly as a path can, and is that
 * of no document. `outward-link`: a link that leads out of the tree, which is not followed; reading the path tells where to.
 */
export type UnreadableEntry = 'closed-folder' | 'unnamed-folder' | 'unnamed-file' | 'outward-link'

/** Returned by a change to leave the document as it is: nothing is written, no version moves. */
export const UNCHANGED: unique symbol = Symbol.for('hermes.unchanged')

/**
 * `undefined` in: the document does not exist. Out: the next bytes (`executable` stays as it is; a new document is not executable), the next content with its own
 * `executable`, `undefined` to remove the document, or `UNCHANGED`.
 */
export type DocumentChange = (current: StoredDocument | undefined) => Uint8Array | DocumentContent | undefined | typeof UNCHANGED

/** The part of a storage that reads. */
export type ReadableStorage = Pick<StorageBackend, 'read' | 'list'>

export interface StorageBackend {
  /** Contract: resolves to `undefined` where there is no document; never to half of one. */
  read(path: string): Promise<Result<StoredDocument | undefined>>

  /**
   * Atomic read-modify-write; resolves to the document as it is afterwards.
   * Contract: `change` may run more than once, so it is pure and synchronous; no other writer's bytes are ever lost; durable when it
   * resolves. What `change` throws is a programmer's error and rejects, and so is an answer that is neither bytes, `undefined` nor
   * `UNCHANGED`, a promise for one (rejects with a TypeError); nothing is written then.
   */
  update(path: string, change: DocumentChange): Promise<Result<StoredDocument | undefined>>

  /**
   * Contract: every document below the folder `prefix` (`''` = all), at any depth, in code-unit order of the path; `foo` lists
   * `foo/a`, never `foobar/a` nor the document `foo` itself. The back end's own files (locks, temporary files) never show. Reads no document.
   */
  list(prefix: string): Promise<Result<readonly DocumentInfo[]>>

  /**
   * Moves a document or a whole folder.
   * Contract: atomic; fails with `occupied` if anything is at or below the target, with `not_found` if nothing is at the source.
   */
  move(fromPrefix: string, toPrefix: string): Promise<Result<void>>

  /** Contract: waits for what is under way; afterwards every call fails with `closed`. Closing twice is fine. */
  close(): Promise<void>
}
