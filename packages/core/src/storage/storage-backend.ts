/**
 * The storage port: a small tree of documents that changes by transactions (DESIGN 4). Memory, sessions, journal and skills are all documents at a path,
 * so a back end needs no knowledge of their formats, and no verb orders two writes. Test your own with `storageConformance` from `@hermes/testing`.
 */
import type { Result } from '../shared/result.ts'

export interface DocumentContent {
  readonly bytes: Uint8Array
  /** The document is a program: in a file system its owner may execute it. Default false. */
  readonly executable?: boolean
}

/** A document of a cut: the caller's own copy. */
export type StoredDocument = DocumentContent

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

/** One consistent state of what a call named: nobody's write lies between two of its documents. */
export interface Cut {
  /** A document whose path was named. Undefined if there is none. Throws a TypeError for a path that was not named, and a HermesError for a document that cannot be read. */
  document(path: string): StoredDocument | undefined
  /**
   * The documents below `folder`, which was named with a `/` at its end, or is below such a folder; in code-unit order of the path. Throws a TypeError for
   * any other folder.
   */
  list(folder: string): readonly DocumentInfo[]
}

/** What an update does: all of it or nothing. Moves come first, in order; the rest goes to the tree as they leave it. */
export interface Plan<T> {
  /** The whole new document. Bytes alone keep `executable`; a new document is not executable. `null` removes the document; there may be none. */
  readonly put?: Readonly<Record<string, Uint8Array | DocumentContent | null>>
  /** Goes to the end of the document as it is then, which need not be read for it. Creates the document if there is none. */
  readonly append?: Readonly<Record<string, Uint8Array>>
  /**
   * A document or a whole folder. Fails with `not_found` if nothing is at the source, with `occupied` if anything is at or below the target. What one move has
   * brought to its place is not moved by another.
   */
  readonly move?: readonly (readonly [from: string, to: string])[]
  /** What the update resolves to. */
  readonly value: T
}

export interface UpdateOptions {
  /**
   * False: the next reader in any process sees the update, but a power cut may take it back, or leave a damaged document. For what costs little to lose; a
   * back end may ignore it. Default true.
   */
  readonly durable?: boolean
  /**
   * True: of what the update replaces or removes nothing is left when it resolves, in none of the back end's own files (log, temporary files, free pages), as
   * far as it can. For text that a person wants forgotten. Default false.
   */
  readonly forget?: boolean
  /**
   * True: the plan does no more than create the one document that it names, if there is none, and so does every other update that may create it. Then a back end can
   * do without its lock; it may ignore this. Default false.
   */
  readonly claim?: boolean
}

/**
 * Paths are relative, with `/` between segments (`checkStoragePath`). One that ends with `/` names a folder, `'/'` the whole tree: a cut lists what is below
 * it, and a plan may touch what is below it. A list of no paths is refused.
 */
export type Paths = readonly string[]

export interface StorageBackend {
  /** One cut. A document that cannot be read fails the call only once it is asked for. */
  read(paths: Paths): Promise<Result<Cut>>

  /**
   * Atomic read-modify-write of any number of documents; resolves to the plan's `value`.
   * Contract: all of the plan is done or nothing, at a kill and at a power cut; durable and visible to every program when it resolves, unless `options` waive
   * it; no other writer's bytes are lost. `plan` may run again on a fresher cut, so it is pure and synchronous. What it throws is thrown, except for
   * the error of a document that cannot be read. A plan that is wrong
   * (a promise, a path that was not named, two changes of one document) is a TypeError. Nothing is written then.
   */
  update<T>(paths: Paths, plan: (cut: Cut) => Plan<T>, options?: UpdateOptions): Promise<Result<T>>

  /**
   * Every document below the folder `prefix` (`''` = all), at any depth, in code-unit order of the path; `foo` lists `foo/a`, never `foobar/a` nor the
   * document `foo` itself. The back end's own files are not listed.
   */
  list(prefix: string): Promise<Result<readonly DocumentInfo[]>>

  /** Waits for calls in progress; afterwards every call fails with `closed`. Closing twice is safe. */
  close(): Promise<void>
}

/** The reading part of a storage. */
export type ReadableStorage = Pick<StorageBackend, 'read' | 'list'>
