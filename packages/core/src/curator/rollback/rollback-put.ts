/** Restores one document in one atomic step: readers never see it missing or partial, and no other writer's bytes are lost. */

import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { sha256Of } from '../../shared/sha256.ts'
import { SKILLS_FOLDER } from '../../skills/skill-discovery.ts'
import { equalContent } from '../../storage/equal-content.ts'
import { keepCopy } from '../../storage/keep-copy.ts'
import { readDocument, UNCHANGED, updateDocument } from '../../storage/one-document.ts'
import type { DocumentContent, StorageBackend } from '../../storage/storage-backend.ts'
import { REPLACED_FOLDER } from '../backup/backup-scope.ts'
import type { RollbackState } from './rollback-state.ts'

const MAX_ATTEMPTS = 20

/**
 * The name of the folder for what a rollback replaces. No other rollback has it, since the id of a safety snapshot is given only once. Undoing has a folder of its
 * own.
 */
export const replacedName = ({ safety, direction }: Pick<RollbackState, 'safety' | 'direction'>): string =>
  direction === 'undo' ? `${safety}-undo` : safety

/** The path for a document that a rollback replaces; raise `serial` if the name is taken. `folder`: see `replacedName`. */
export const replacedPath = (path: string, folder: string, serial = 1): string =>
  `${REPLACED_FOLDER}/${folder}/${path.slice(SKILLS_FOLDER.length + 1)}${serial === 1 ? '' : `~${serial}`}`

/** Keeps a copy under a name that no other content has. */
export const keepReplaced = (storage: StorageBackend, path: string, content: DocumentContent, folder: string): Promise<Result<string>> =>
  keepCopy(storage, content, (serial) => replacedPath(path, folder, serial), path)

/** A document to restore. */
export interface Put {
  readonly path: string
  readonly content: DocumentContent
  /** See `replacedName`. */
  readonly folder: string
  /** True if a backup holds these bytes at this path, so that no copy is needed. */
  readonly isBackedUp: (path: string, sha256: string) => boolean
}

/** Returns whether it had to be written. */
export const putDocument = async (storage: StorageBackend, { path, content, folder, isBackedUp }: Put): Promise<Result<boolean>> => {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const read = await readDocument(storage, path)
    if (!read.ok) return read
    const seen = read.value
    if (equalContent(seen, content)) return ok(attempt > 0)
    if (seen && !isBackedUp(path, await sha256Of(seen.bytes))) {
      const kept = await keepReplaced(storage, path, seen, folder)
      if (!kept.ok) return kept
    }
    // A write in between is noticed, and its bytes kept, in the next attempt.
    const written = await updateDocument(storage, path, (current) => (equalContent(current, seen) ? content : UNCHANGED))
    if (!written.ok) return written
    if (equalContent(written.value, content)) return ok(true)
  }
  return err(
    new HermesError('locked', `'${path}' keeps being written by another program. Close that program and try again.`, {
      details: { path },
    }),
  )
}
