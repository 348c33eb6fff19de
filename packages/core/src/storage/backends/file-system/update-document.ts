/** One atomic read-modify-write of a document, under its lock. */
import { basename, dirname, join } from 'node:path'
import { HermesError } from '../../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../../shared/result.ts'
import { notADocument } from '../../document-tree.ts'
import { type DocumentContent, type StoredDocument, UNCHANGED, type UpdateOptions } from '../../storage-backend.ts'
import { writeAtomically } from './atomic-write.ts'
import { createDocument } from './create-document.ts'
import { type DocumentFile, type FoundFile, identityOf, readDocumentFile, statusAt, toDocument } from './document-file.ts'
import { withEnsuredFolder } from './durable-folder.ts'
import { type EarlyLook, lookEarly } from './early-look.ts'
import { unlink } from './file-calls.ts'
import type { HeldLocks } from './file-lock.ts'
import type { Home } from './home.ts'
import { isSystemError } from './io-error.ts'
import { lockOf } from './own-files.ts'
import { linksKeepChanging, orDisplaced, type PinnedFolder } from './pinned-folder.ts'
import { removeEmptied } from './remove-emptied.ts'
import type { ResolvedPath } from './resolve-path.ts'
import { runChange } from './run-change.ts'
import { type AskedUpdate, updateTogether } from './update-together.ts'
import { holdsDocuments, removeEmptyFolder } from './walk-documents.ts'

const MAX_ATTEMPTS = 20

const locksOf = (path: string, { canonical }: ResolvedPath): string[] => [lockOf(path), ...(canonical ? [lockOf(canonical)] : [])]

/** The present document; a folder without documents counts as nothing and is removed only if something is written. */
const readCurrent = async (
  home: Home,
  path: string,
  { file, blocked }: ResolvedPath,
  read: (file: string) => Promise<FoundFile> | FoundFile,
): Promise<Result<DocumentFile | undefined | 'folder'>> => {
  const found = blocked ? undefined : await read(file)
  if (found === 'special') return err(notADocument(path, 'a device, pipe or socket is there'))
  if (found === 'folder' && (await holdsDocuments(home, path, file))) return err(notADocument(path, 'it is a folder'))
  return ok(found)
}

const lostLock = (file: string): HermesError =>
  new HermesError(
    'locked',
    `The lock of ${file} was lost while its process was stopped, and another program may have written. Nothing was written: try again.`,
  )

interface Place {
  readonly resolved: ResolvedPath
  readonly locks: HeldLocks
  readonly early?: EarlyLook
}

type Written = { readonly document: StoredDocument | undefined }

const isStill = async (current: DocumentFile | undefined, file: string): Promise<boolean> => {
  const status = await statusAt(file)
  return (status && identityOf(status)) === current?.identity
}

/** `undefined` if the file is no longer the one that was read. */
const write = (
  { resolved: { file }, locks, early }: Place,
  current: DocumentFile | undefined,
  next: Required<DocumentContent> | undefined,
  { durable = true }: UpdateOptions,
): Promise<Result<Written | undefined>> => {
  const act = async (pinned: PinnedFolder): Promise<Result<Written | undefined>> => {
    let isLost = false
    // Called last: a program that ignores locks can only write between this check and the rename.
    const mayReplace = async (): Promise<boolean> => {
      isLost = !(await locks.isHeld())
      return !isLost && isStill(current, pinned.at(basename(file)))
    }
    if (next === undefined) {
      if (!(await mayReplace())) return isLost ? err(lostLock(file)) : ok(undefined)
      await unlink(pinned.at(basename(file)))
      if (durable) await pinned.sync()
      return ok({ document: undefined })
    }
    // A copy, since the caller may reuse its buffer meanwhile; `slice` of a Buffer would not copy.
    const content = { bytes: new Uint8Array(next.bytes), executable: next.executable, durable }
    if (!(await writeAtomically(pinned, basename(file), content, mayReplace))) return isLost ? err(lostLock(file)) : ok(undefined)
    return ok({ document: toDocument(content.bytes, content.executable) })
  }
  return early ? early.pin.use(act) : withEnsuredFolder(dirname(file), act)
}

/** Requires the lock. Programs that ignore locks may still write: `change` then runs again on their content. */
const replace = async (home: Home, path: string, place: Place, asked: AskedUpdate): Promise<Result<StoredDocument | undefined>> => {
  const { resolved, early } = place
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const isEarly = early !== undefined && attempt === 0
    const found = await readCurrent(home, path, resolved, isEarly ? () => early.found : readDocumentFile)
    if (!found.ok) return found
    const current = found.value === 'folder' ? undefined : found.value
    const next = runChange(path, asked.change, current?.document)
    if (next === UNCHANGED || (next === undefined && !current)) {
      if (isEarly && asked.isJoined && !(await isStill(current, resolved.file))) continue
      return ok(current?.document)
    }
    if (resolved.blocked) return err(resolved.blocked)
    if (found.value === 'folder') await removeEmptyFolder(resolved.file)
    const written = await write(place, current, next, asked)
    if (!written.ok) return written
    if (written.value) return ok(written.value.document)
  }
  return err(new HermesError('locked', `'${path}' keeps being written by a program that takes no lock. Close that program and try again.`))
}

/** The location of the document, and its locks. */
const lockPlace = async (home: Home, path: string, looksTwice: boolean): Promise<Result<Place>> => {
  const early = looksTwice ? undefined : await lookEarly(home, path)
  if (early) return early.ok ? ok({ resolved: early.value.resolved, locks: early.value.locks, early: early.value }) : early
  const lock = lockOf(path)
  const isBeside = dirname(lock) === dirname(path)
  // Most paths have no links, so the location of the lock is resolved concurrently.
  const [resolved, apart] = await Promise.all([home.resolve(path), isBeside ? undefined : home.lockFiles([lock])])
  if (!resolved.ok) return resolved
  const names = locksOf(path, resolved.value)
  const { file, isStraight } = resolved.value
  const files = isBeside ? [join(dirname(file), basename(lock))] : apart?.ok ? apart.value : undefined
  const locks = await home.acquire(names, isStraight ? files : undefined)
  return locks.ok ? ok({ resolved: resolved.value, locks: locks.value }) : locks
}

/**
 * `undefined` if a link on the path was changed meanwhile; the caller resolves it again. `looksTwice`: resolve again before the change
 * even if the path has no links.
 */
const updateOnce = async (
  home: Home,
  path: string,
  asked: AskedUpdate,
  looksTwice: boolean,
): Promise<Result<StoredDocument | undefined> | undefined> => {
  const place = await lockPlace(home, path, looksTwice)
  if (!place.ok) return place
  const { resolved: before, locks, early } = place.value
  try {
    await home.prepare()
    const now = before.isStraight && !looksTwice ? ok(before) : await home.resolve(path)
    if (!now.ok) return now
    // A link changed during the wait: the held locks may not guard its new target.
    if (now.value.file !== before.file) return undefined
    if (now.value.canonical === undefined) await home.sweepOnce(dirname(now.value.file))
    const replaced = await replace(home, path, { ...place.value, resolved: now.value }, asked)
    if (replaced.ok && replaced.value === undefined) await removeEmptied(now.value)
    return replaced
  } catch (error) {
    // Something other than a folder was put on a path that was not checked again.
    if (!looksTwice && isSystemError(error, 'ENOTDIR')) return undefined
    throw error
  } finally {
    early?.letGo()
    await locks.release()
  }
}

const updateLocked = async (home: Home, path: string, asked: AskedUpdate): Promise<Result<StoredDocument | undefined>> => {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const updated = await orDisplaced(updateOnce(home, path, asked, attempt > 0))
    if (updated) return updated
  }
  return err(linksKeepChanging(path))
}

/** Throws the system's errors, and `ChangeThrew`. */
export const updateDocument = async (home: Home, path: string, asked: AskedUpdate): Promise<Result<StoredDocument | undefined>> => {
  // Beside the search for the place; awaited before anything is written.
  home.prepare().catch(() => undefined)
  try {
    const created = asked.newName && asked.durable !== false ? await orDisplaced(createDocument(home, path, asked.change)) : undefined
    if (created) return ok(created)
    const { identity, lockTimeoutMs: timeoutMs, clock } = home
    const update = (together: AskedUpdate) => updateLocked(home, path, together)
    return await updateTogether(asked, { document: `${identity} ${path}`, path, timeoutMs, clock, update })
  } finally {
    home.tend()
  }
}
