/** One atomic read-modify-write of a document, under its lock. */
import { unlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { HermesError } from '../../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../../shared/result.ts'
import { checkChangeResult } from '../../check-change-result.ts'
import { notADocument } from '../../document-tree.ts'
import { type DocumentChange, type StoredDocument, UNCHANGED } from '../../storage-backend.ts'
import { writeAtomically } from './atomic-write.ts'
import { type DocumentFile, identityAt, readDocumentFile, toDocument } from './document-file.ts'
import { ensureFolder, syncFolder } from './durable-folder.ts'
import type { Home } from './home.ts'
import { LOCK_FOLDER, lockOf } from './own-files.ts'
import type { ResolvedPath } from './resolve-path.ts'
import { holdsDocuments, removeEmptyFolder } from './walk-documents.ts'

/** Carries what a host's `change` threw past the translation of system errors. */
export class ChangeThrew extends Error {
  override readonly name = 'ChangeThrew'
}

const MAX_ATTEMPTS = 20

const runChange = (path: string, change: DocumentChange, current: StoredDocument | undefined) => {
  try {
    return checkChangeResult(path, change(current))
  } catch (cause) {
    throw new ChangeThrew('A change threw.', { cause })
  }
}

const locksOf = (path: string, { canonical }: ResolvedPath): string[] => [lockOf(path), ...(canonical ? [lockOf(canonical)] : [])]

/** What is there now; a folder without documents counts as nothing and makes way only when something is written. */
const readCurrent = async (
  home: Home,
  path: string,
  { file, blocked }: ResolvedPath,
): Promise<Result<DocumentFile | undefined | 'folder'>> => {
  const found = blocked ? undefined : await readDocumentFile(file)
  if (found === 'special') return err(notADocument(path, 'a device, pipe or socket is there'))
  if (found === 'folder' && (await holdsDocuments(home, path, file))) return err(notADocument(path, 'it is a folder'))
  return ok(found)
}

type Written = { readonly document: StoredDocument | undefined }

/** `undefined` when the file is no longer the one that was read. */
const write = async (file: string, current: DocumentFile | undefined, next: Uint8Array | undefined): Promise<Written | undefined> => {
  const isSame = () => identityAt(file) === current?.identity
  if (next === undefined) {
    if (!isSame()) return undefined
    unlinkSync(file)
    await syncFolder(dirname(file))
    return { document: undefined }
  }
  // A copy, since the caller may go on using its buffer while the disk is slow; the slice of a Buffer would be none.
  const bytes = new Uint8Array(next)
  return (await writeAtomically(file, bytes, isSame)) ? { document: toDocument(bytes) } : undefined
}

/** Under the lock. Programs that know nothing of locks may still write: what they did meanwhile is read and changed again. */
const replace = async (
  home: Home,
  path: string,
  resolved: ResolvedPath,
  change: DocumentChange,
): Promise<Result<StoredDocument | undefined>> => {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const found = await readCurrent(home, path, resolved)
    if (!found.ok) return found
    const current = found.value === 'folder' ? undefined : found.value
    const next = runChange(path, change, current?.document)
    if (next === UNCHANGED || (next === undefined && !current)) return ok(current?.document)
    if (resolved.blocked) return err(resolved.blocked)
    if (found.value === 'folder') removeEmptyFolder(resolved.file)
    const written = await write(resolved.file, current, next)
    if (written) return ok(written.document)
  }
  return err(
    new HermesError(
      'locked',
      `'${path}' is being written again and again by a program that takes no lock. Close that program and try again.`,
    ),
  )
}

/** Throws the system's errors, and `ChangeThrew`. */
export const updateDocument = async (home: Home, path: string, change: DocumentChange): Promise<Result<StoredDocument | undefined>> => {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = home.resolve(path)
    if (!before.ok) return before
    const names = locksOf(path, before.value)
    // A lock beside its document needs the folder that the document will need too, wherever a link leads.
    if (!before.value.blocked && names.some((name) => !name.startsWith(LOCK_FOLDER))) await ensureFolder(dirname(before.value.file))
    const locked = await home.acquire(names)
    if (!locked.ok) return locked
    try {
      const now = home.resolve(path)
      if (!now.ok) return now
      // A link changed while we waited: the locks we hold may not guard what it leads to now.
      if (now.value.file !== before.value.file) continue
      await home.sweepOnce(dirname(now.value.file))
      return await replace(home, path, now.value, change)
    } finally {
      locked.value()
    }
  }
  return err(new HermesError('io', `The symbolic links on the way to '${path}' keep changing. Stop what changes them and try again.`))
}
