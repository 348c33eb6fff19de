/** Archives the skills whose content an umbrella holds, and checks that each archived copy is as it was when merged. */

import type { MergeSource } from '../../curator/merge-intent.ts'
import type { GrantedStep } from '../../ownership/ownership-grant.ts'
import { readOwnershipMarks } from '../../ownership/ownership-marks.ts'
import type { SkillHome } from '../../ownership/skill-home.ts'
import { describeProtection, judgeOwnership, protectionAgainst } from '../../ownership/skill-ownership.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { sha256Of } from '../../shared/sha256.ts'
import { ARCHIVE_FOLDER, type ArchivedSkill, concernsOneSkill } from '../../skills/archive.ts'
import { SKILL_FILE, SKILLS_FOLDER, toFolder } from '../../skills/skill-discovery.ts'
import { readDocument } from '../../storage/one-document.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'

export interface MergeDeps extends SkillHome {
  /** The proposing model's name, as its provider reports it; undefined if unknown. */
  readonly model?: (() => string | undefined) | undefined
}

export interface ArchivedSources {
  /** By name. */
  readonly archived: ReadonlyMap<string, ArchivedSkill>
  /** Skills that were not archived, by name, with the reason. */
  readonly kept: ReadonlyMap<string, string>
}

export const CHANGED_MEANWHILE = 'It was changed or moved while it was being merged, so it stays.'

/** Skills that were pinned or are no longer the agent's, by name, with the reason. `steps`: what is about to be done with them. */
export const findProtected = async (
  skills: readonly Pick<MergeSource, 'name' | 'path'>[],
  { storage, usage, clock }: Pick<MergeDeps, 'storage' | 'usage' | 'clock'>,
  steps: readonly GrantedStep[] = ['merge', 'archive'],
): Promise<Result<ReadonlyMap<string, string>>> => {
  const marks = await readOwnershipMarks(storage, { clock })
  if (!marks.ok) return marks
  const records = await usage.load()
  if (!records.ok) return records
  const found = new Map<string, string>()
  for (const { name, path } of skills) {
    const ownership = judgeOwnership({ name, ...toFolder(path) }, records.value.get(name), marks.value)
    const [protection] = steps.flatMap((step) => protectionAgainst(ownership, step) ?? [])
    if (protection) found.set(name, describeProtection(protection, name))
  }
  return ok(found)
}

const holdsAll = async (storage: StorageBackend, folder: string, { files }: MergeSource): Promise<Result<boolean>> => {
  for (const { path, sha256 } of files) {
    const read = await readDocument(storage, `${folder}/${path}`)
    if (!read.ok) return read
    if (read.value === undefined || (await sha256Of(read.value.bytes)) !== sha256) return ok(false)
  }
  return ok(true)
}

type Moved = { readonly archived: ArchivedSkill } | { readonly kept: string }

const moveOne = async (
  source: MergeSource,
  umbrellaPath: string | undefined,
  { storage, skills, clock }: MergeDeps,
): Promise<Result<Moved>> => {
  const { path, reason } = source
  const before = await holdsAll(storage, `${SKILLS_FOLDER}/${path}`, source)
  if (!before.ok) return before
  if (!before.value) return ok({ kept: CHANGED_MEANWHILE })
  const absorbed = umbrellaPath === undefined ? {} : { absorbedInto: `${umbrellaPath}/${SKILL_FILE}` }
  const archived = await skills.archive(`${path}/${SKILL_FILE}`, { reason, ...absorbed, at: clock() })
  if (!archived.ok) return concernsOneSkill(archived.error) ? ok({ kept: archived.error.message }) : archived
  const after = await holdsAll(storage, `${ARCHIVE_FOLDER}/${archived.value.path}`, source)
  if (!after.ok) return after
  if (after.value) return ok({ archived: archived.value })
  const restored = await skills.restore(archived.value.id)
  return restored.ok ? ok({ kept: CHANGED_MEANWHILE }) : restored
}

/**
 * Without an umbrella, archives the skills as they are. Records every move; a skill pinned in between is restored. A storage error leaves
 * the remaining skills where they are.
 */
export const archiveSources = async (
  sources: readonly MergeSource[],
  umbrellaPath: string | undefined,
  deps: MergeDeps,
): Promise<Result<ArchivedSources>> => {
  const pinned = await findProtected(sources, deps)
  if (!pinned.ok) return pinned
  const kept = new Map(pinned.value)
  const archived = new Map<string, ArchivedSkill>()
  for (const source of sources) {
    if (kept.has(source.name)) continue
    const moved = await moveOne(source, umbrellaPath, deps)
    if (!moved.ok) return moved
    if ('kept' in moved.value) kept.set(source.name, moved.value.kept)
    else archived.set(source.name, moved.value.archived)
  }
  const states = new Map([...archived.keys()].map((name) => [name, 'archived'] as const))
  if (states.size === 0) return ok({ archived, kept })
  const written = await deps.usage.setStates(states, (_, { pinned: isPinned }) => !isPinned)
  if (!written.ok) return written
  for (const [name, record] of written.value.left) {
    const entry = archived.get(name)
    if (!entry || record === undefined) continue
    const restored = await deps.skills.restore(entry.id)
    if (!restored.ok) return err(restored.error)
    archived.delete(name)
    kept.set(name, describeProtection('pinned', name))
  }
  return ok({ archived, kept })
}
