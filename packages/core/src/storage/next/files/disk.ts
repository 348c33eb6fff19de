/** Reads the documents of a home, and files at a position. */
import { fdatasync, ftruncate, read, write } from 'node:fs'
import { systemClock } from '../../../shared/clock.ts'
import { HermesError } from '../../../shared/hermes-error.ts'
import { ok, type Result } from '../../../shared/result.ts'
import { type FoundFile, readDocumentFile, type VersionedDocument as StoredDocument } from '../../backends/file-system/document-file.ts'
import { exactStat } from '../../backends/file-system/file-calls.ts'
import { isSystemError, toIoError } from '../../backends/file-system/io-error.ts'
import { msUntilStampsHold } from '../../backends/file-system/list-documents.ts'
import { DisplacedError, linksKeepChanging } from '../../backends/file-system/pinned-folder.ts'
import { type WalkedDocument, walkDocuments } from '../../backends/file-system/walk-documents.ts'
import { byCodeUnit, notADocument } from '../../document-tree.ts'
import type { DocumentInfo } from '../../storage-backend.ts'
import { type HomePaths, isOwnFolder } from './paths.ts'

type Done<T> = (error: Error | null, value: T) => void

const wait = <T>(start: (done: Done<T>) => void): Promise<T> =>
  new Promise((resolve, reject) => start((error, value) => (error ? reject(error) : resolve(value))))

/** The number of bytes that were there. */
export const readAt = (file: number, into: Uint8Array, position: number): Promise<number> =>
  wait((done) => read(file, into, 0, into.length, position, done))

export const writeAt = async (file: number, bytes: Uint8Array, position: number): Promise<void> => {
  for (let at = 0; at < bytes.length; )
    at += await wait<number>((done) => write(file, bytes, at, bytes.length - at, position + at, (error, count) => done(error, count)))
}

export const syncData = (file: number): Promise<void> => wait((done) => fdatasync(file, (error) => done(error, undefined)))

export const truncate = (file: number, size: number): Promise<void> =>
  wait((done) => ftruncate(file, size, (error) => done(error, undefined)))

/** What is at the path of a document. `blocked`: why nothing can be put there. */
export type Found =
  | { readonly kind: 'none'; readonly blocked: HermesError | undefined }
  | { readonly kind: 'document'; readonly document: StoredDocument; readonly isLink: boolean }
  | { readonly kind: 'folder' }
  | { readonly kind: 'fault'; readonly error: HermesError }

const fault = (error: HermesError): Found => ({ kind: 'fault', error })

/** An error of the system or of the library as a value; any other is a mistake in the program and thrown. */
export const toError = (cause: unknown, doing: 'read' | 'write', path = ''): HermesError => {
  if (HermesError.isInstance(cause)) return cause
  if (isSystemError(cause)) return toIoError(cause, doing, path)
  throw cause
}

/** `displaced`: a link has taken its place. */
const readAtPlace = async (file: string): Promise<FoundFile | 'displaced'> => {
  try {
    return await readDocumentFile(file)
  } catch (error) {
    if (error instanceof DisplacedError) return 'displaced'
    throw error
  }
}

const lookFor = async (home: HomePaths, path: string): Promise<Found> => {
  let located = await home.locate(path)
  let found = located.ok && !located.value.blocked ? await readAtPlace(located.value.file) : undefined
  if (found === 'displaced') {
    located = await home.resolve(path)
    found = located.ok && !located.value.blocked ? await readAtPlace(located.value.file) : undefined
  }
  if (!located.ok) return fault(located.error)
  const { blocked, isLink } = located.value
  if (found === undefined) return { kind: 'none', blocked }
  if (found === 'folder') return { kind: 'folder' }
  if (found === 'displaced') return fault(linksKeepChanging(path))
  if (found === 'special') return fault(notADocument(path, 'a device, pipe or socket is there'))
  return { kind: 'document', document: found.document, isLink }
}

/** An error of the system is a finding: it fails only who asks for this document. */
export const findDocument = async (home: HomePaths, path: string): Promise<Found> => {
  try {
    return await lookFor(home, path)
  } catch (cause) {
    return fault(toError(cause, 'read', path))
  }
}

/** Bytes; undefined if there is none. */
export const sizeOf = async (file: string): Promise<number | undefined> => {
  try {
    return Number((await exactStat(file)).size)
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

export interface Listed {
  readonly infos: readonly DocumentInfo[]
  /** Milliseconds until no later write can leave the same stamps. */
  readonly unsettledMs: number
}

let unsettled = 0

/**
 * The documents below some folders, in order of the path. `isHeld`: the lock is held, so nobody waits for stamps to settle; one that has not is unique,
 * which looks like a change to who compares it later.
 */
export const listDocuments = async (home: HomePaths, folders: readonly string[], isHeld: boolean): Promise<Result<Listed>> => {
  const found = new Map<string, WalkedDocument>()
  const readable = { resolve: (path: string) => home.resolve(path), expect: async () => undefined, ignoresFolder: isOwnFolder }
  for (const folder of folders) {
    const start = await home.resolve(folder)
    if (!start.ok) return start
    if (start.value.blocked) continue
    for await (const some of walkDocuments(readable, folder, start.value.file)) for (const each of some) found.set(each.path, each)
  }
  const now = systemClock()
  const infos = [...found.values()].map(({ changedAt, ...info }) =>
    isHeld && msUntilStampsHold([{ changedAt }], now) > 0 ? { ...info, stamp: `${info.stamp}:${++unsettled}` } : info,
  )
  const unsettledMs = isHeld ? 0 : msUntilStampsHold([...found.values()], now)
  return ok({ infos: infos.sort((a, b) => byCodeUnit(a.path, b.path)), unsettledMs })
}

export const lockedError = (what: string, ms: number): HermesError =>
  new HermesError(
    'locked',
    `Another program has held the lock of ${what} for ${ms} ms. Wait until it has ended, or end it, and try again. Nothing was written.`,
    { details: { lock: what } },
  )

export const hangingError = (ms: number, isUnderWay: boolean): HermesError =>
  new HermesError(
    'io',
    `The disk has not answered for ${ms} ms. Check it. ${isUnderWay ? 'Whether the update was done is not known: read before you repeat it.' : 'Nothing was written; try again.'}`,
  )
