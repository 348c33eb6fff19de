/** Removes the files of an umbrella that a merge wrote; files that were changed since are kept. */

import type { MergeIntent } from '../../curator/merge-intent.ts'
import { equalBytes } from '../../shared/equal-bytes.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { sha256Of } from '../../shared/sha256.ts'
import { SKILL_FILE, SKILLS_FOLDER } from '../../skills/skill-discovery.ts'
import { readDocument, updateDocument } from '../../storage/one-document.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'

type Write = MergeIntent['writes'][number]

/** The present bytes if the merge wrote them; otherwise `undefined`. */
const findWritten = async (storage: StorageBackend, { path, after }: Write): Promise<Result<Uint8Array | undefined>> => {
  const read = await readDocument(storage, path)
  if (!read.ok) return read
  const bytes = read.value?.bytes
  return ok(bytes && (await sha256Of(bytes)) === after ? bytes : undefined)
}

/** The path of a file that does not hold what the merge wrote; `undefined`: the umbrella is complete. */
export const findUnwritten = async (storage: StorageBackend, { writes }: MergeIntent): Promise<Result<string | undefined>> => {
  for (const write of writes) {
    const written = await findWritten(storage, write)
    if (!written.ok) return written
    if (!written.value) return ok(write.path)
  }
  return ok(undefined)
}

const takeBackOne = async (storage: StorageBackend, write: Write): Promise<Result<boolean>> => {
  const written = await findWritten(storage, write)
  if (!written.ok) return written
  const bytes = written.value
  if (!bytes) return ok(false)
  const before = write.before === null ? undefined : new TextEncoder().encode(write.before)
  let isTaken = false
  const updated = await updateDocument(storage, write.path, (current) => {
    isTaken = current !== undefined && equalBytes(current.bytes, bytes)
    return isTaken ? before : current?.bytes
  })
  return updated.ok ? ok(isTaken) : updated
}

/** Whether a new umbrella has other files: without its SKILL.md they would not belong to any skill. */
const holdsMore = async (storage: StorageBackend, { umbrella, writes }: MergeIntent): Promise<Result<boolean>> => {
  if (!umbrella.isNew) return ok(false)
  const listed = await storage.list(`${SKILLS_FOLDER}/${umbrella.path}`)
  if (!listed.ok) return listed
  const ours = new Set(writes.map(({ path }) => path))
  return ok(listed.value.some(({ path }) => !ours.has(path)))
}

/** Returns whether everything is as before the merge. Safe to run twice. */
export const undoWrites = async (storage: StorageBackend, intent: MergeIntent): Promise<Result<boolean>> => {
  const more = await holdsMore(storage, intent)
  if (!more.ok) return more
  if (more.value) return ok(false)
  const isMain = ({ path }: Write): boolean => path.endsWith(`/${SKILL_FILE}`)
  // The text of an existing skill is restored first, so that it never points to missing files; that of a new one is removed last.
  const main = intent.writes.filter(isMain)
  const rest = intent.writes.filter((write) => !isMain(write))
  let isWhole = true
  for (const write of intent.umbrella.isNew ? [...rest, ...main] : [...main, ...rest]) {
    const taken = await takeBackOne(storage, write)
    if (!taken.ok) return err(taken.error)
    if (taken.value) continue
    const now = await readDocument(storage, write.path)
    if (!now.ok) return now
    const was = write.before === null ? undefined : new TextEncoder().encode(write.before)
    const isAsBefore = now.value && was ? equalBytes(now.value.bytes, was) : now.value === undefined && was === undefined
    // A text that was changed since may point to the files beside it.
    if (!isAsBefore && isMain(write) && !intent.umbrella.isNew) return ok(false)
    isWhole &&= isAsBefore
  }
  return ok(isWhole)
}
