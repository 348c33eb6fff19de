/** Whether skills were written since a backup, by anybody: an undo that restores all of them must not take such a write back too. */

import { createHash } from 'node:crypto'
import { err, HermesError, ok, type Result, type StorageBackend } from '@hermes/core'
import { listBackups, type SkillBackup } from '@hermes/core/curator'
import { readDocument } from '@hermes/core/storage'
import type { UndoStep } from './undo-step.ts'

const SKILLS = 'skills'

/** Programs make these anew; no backup holds them. */
const REMADE: ReadonlySet<string> = new Set(['node_modules', 'site-packages', 'venv', '__pycache__'])

const isOfSkill = (path: string): boolean => !path.split('/').some((part) => part.startsWith('.') || REMADE.has(part))

const AT_ONCE = 16

/** Paths of live files that the backup has otherwise or not at all. Files that are gone do not count: a restore brings them back. */
const writtenSince = async (storage: StorageBackend, { files, leftOut }: SkillBackup): Promise<Result<readonly string[]>> => {
  const listed = await storage.list(SKILLS)
  if (!listed.ok) return listed
  const then = new Map(files.map(({ path, sha256 }) => [path, sha256]))
  const ignored = new Set(leftOut.map(({ path }) => path))
  const paths = listed.value.map(({ path }) => path).filter((path) => isOfSkill(path) && !ignored.has(path))
  const written: string[] = []
  for (let start = 0; start < paths.length; start += AT_ONCE) {
    const batch = paths.slice(start, start + AT_ONCE)
    const read = await Promise.all(batch.map((path) => readDocument(storage, path)))
    for (const [index, file] of read.entries()) {
      if (!file.ok) return file
      const path = batch[index] ?? ''
      const bytes = file.value?.bytes
      if (bytes && createHash('sha256').update(bytes).digest('hex') !== then.get(path)) written.push(path)
    }
  }
  return ok(written)
}

const refuse = (why: string, backup: string): Result<never> =>
  err(new HermesError('drift', `${why}, so nothing was undone. To go back all the same, after a backup: hermes curator rollback ${backup}`))

/** `drift` if restoring the backup would take back more than the write itself changed. */
export const checkRollback = async (
  { backup, since, changed }: Extract<UndoStep, { readonly kind: 'rollback' }>,
  storage: StorageBackend,
): Promise<Result<void>> => {
  const listed = await listBackups(storage)
  if (!listed.ok) return listed
  const then = listed.value.backups.find(({ id }) => id === since)
  if (!then) return refuse(`The backup ${since} is gone, so it is unknown whether skills have been changed since`, backup)
  const written = await writtenSince(storage, then)
  if (!written.ok) return written
  const others = written.value.filter((path) => !path.split('/').some((part) => changed.includes(part)))
  const [first] = others
  if (first === undefined) return ok(undefined)
  const more = others.length === 1 ? '' : ` and ${others.length - 1} more`
  return refuse(`Skills have been changed since ('${first}'${more})`, backup)
}
