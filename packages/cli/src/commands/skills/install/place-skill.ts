/** Writes a checked skill beside the library and moves it in, in one step: a skill that can be seen is complete. */
import { err, type Hermes, HermesError, ok, type Result, type StorageBackend } from '@hermes/core'
import { createJournal } from '@hermes/core/journal'
import { moveDocuments, readDocument, UNCHANGED, updateDocument } from '@hermes/core/storage'
import type { Context } from '../../../context.ts'
import type { CheckedSkill } from './found-skill.ts'
import { isRecorded, type LockEntry, recordOrigin, restoreOrigin } from './hub-lock.ts'
import { incomingFolder } from './incoming.ts'

/** Whether an earlier installation, such as one that was interrupted later, has placed the same skill from there, and its files are unchanged. */
export const isPlaced = async (skill: CheckedSkill, identifier: string, storage: StorageBackend): Promise<boolean> => {
  if (!(await isRecorded(storage, skill, identifier))) return false
  for (const { path, bytes } of [...skill.files, { path: 'SKILL.md', bytes: new TextEncoder().encode(skill.text) }]) {
    const read = await readDocument(storage, `skills/${skill.name}/${path}`)
    if (!read.ok || !read.value || Buffer.compare(read.value.bytes, bytes) !== 0) return false
  }
  return true
}

const clear = async (storage: StorageBackend, paths: readonly string[]): Promise<void> => {
  for (const path of paths) await updateDocument(storage, path, () => undefined)
}

const stage = async (storage: StorageBackend, { text, files }: CheckedSkill, folder: string, written: string[]): Promise<Result<void>> => {
  const skillFile = { path: 'SKILL.md', bytes: new TextEncoder().encode(text), executable: false }
  for (const { path, bytes, executable } of [...files, skillFile]) {
    const document = `${folder}/${path}`
    written.push(document)
    const done = await updateDocument(storage, document, (current) => (current === undefined ? { bytes, executable } : UNCHANGED))
    if (!done.ok) return done
  }
  return ok(undefined)
}

/** Every agent sees it from now on; the journal tells of it as of any other new skill. */
const moveIn = async (skill: CheckedSkill, folder: string, { identifier }: LockEntry, context: Context): Promise<Result<void>> => {
  const { name, text: content } = skill
  const moved = await moveDocuments(context.storage, folder, `skills/${name}`)
  if (!moved.ok) {
    if (moved.error.code !== 'occupied') return moved
    return err(new HermesError('occupied', `'skills/${name}' was written by another program meanwhile and was left as it is.`))
  }
  const reason = `A person installed it from ${identifier}.`
  const { storage, clock, world } = context
  const told = await createJournal({ storage, clock, createId: world.createId }).append([
    { actor: 'person', kind: 'applied', reason, target: 'skill', op: { action: 'create', name, content } },
  ])
  if (!told.ok) context.warn(told.error.message)
  return ok(undefined)
}

/** The origin is recorded before the skill can be seen, so that the curator never takes it for one of its own. `occupied` if its name or folder is taken. */
export const placeSkill = async (skill: CheckedSkill, origin: LockEntry, hermes: Hermes, context: Context): Promise<Result<void>> => {
  const { storage, world, clock } = context
  const planned = await hermes.skillStore().plan({ action: 'create', name: skill.name, content: skill.text })
  if (!planned.ok) return planned
  const folder = incomingFolder(world.createId(), clock())
  const written: string[] = []
  const staged = await stage(storage, skill, folder, written)
  const recorded = staged.ok ? await recordOrigin(storage, skill, origin) : staged
  const moved = recorded.ok ? await moveIn(skill, folder, origin, context) : recorded
  if (moved.ok) return ok(undefined)
  await clear(storage, written)
  if (recorded.ok) await restoreOrigin(storage, skill.name, recorded.value)
  return moved
}

/** Moves the present skill of that name to the archive, after a backup of all skills. Returns the id in the archive. */
export const putAside = async (name: string, from: string, hermes: Hermes): Promise<Result<string>> => {
  const backup = await hermes.curator.backup(`before installing ${name}`)
  if (!backup.ok) return backup
  const archived = await hermes.skillStore().archive(name, { reason: `Replaced by the skill installed from ${from}.` })
  return archived.ok ? ok(archived.value.id) : archived
}
