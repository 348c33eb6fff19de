/** Writes a checked skill with its origin and its record in one update: a skill that can be seen is complete. */
import { createHash } from 'node:crypto'
import { type Hermes, ok, type Result, type StorageBackend } from '@hermes/core'
import { createJournal } from '@hermes/core/journal'
import { changeHubLock, SkillStore } from '@hermes/core/skills'
import { inTransaction } from '@hermes/core/storage'
import type { Context } from '../../../context.ts'
import type { CheckedSkill } from './found-skill.ts'

interface LockEntry {
  /** `npm`, `git` or `local`. */
  readonly source: string
  readonly identifier: string
  /** Epoch milliseconds. */
  readonly at: number
}

const hashOf = ({ text, files }: CheckedSkill): string => {
  const hash = createHash('sha256').update(text)
  for (const { path, bytes } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) hash.update(`\0${path}\0`).update(bytes)
  return `sha256:${hash.digest('hex')}`
}

const recordOrigin = (storage: StorageBackend, skill: CheckedSkill, { source, identifier, at }: LockEntry): Promise<Result<void>> => {
  const time = new Date(at).toISOString()
  const entry = {
    source,
    identifier,
    trust_level: 'community',
    scan_verdict: 'safe',
    content_hash: hashOf(skill),
    install_path: skill.name,
    files: ['SKILL.md', ...skill.files.map(({ path }) => path)],
    installed_at: time,
    updated_at: time,
  }
  return changeHubLock(storage, (lock, installed) => ({ ...lock, installed: { ...installed, [skill.name]: entry } }))
}

/** All files, the origin and the journal's record, over the storage of one update. `occupied` if the name or the folder is taken. */
const place = async (skill: CheckedSkill, origin: LockEntry, over: StorageBackend, { clock, world }: Context): Promise<Result<unknown>> => {
  const { name, text: content, files } = skill
  const created = await new SkillStore({ storage: over, clock }).create({ name, content })
  if (!created.ok) return created
  const put = Object.fromEntries(files.map(({ path, bytes, executable }) => [`skills/${name}/${path}`, { bytes, executable }]))
  const written = files.length === 0 ? ok(undefined) : await over.update(Object.keys(put), () => ({ put, value: undefined }))
  if (!written.ok) return written
  // The origin, so that the curator never takes it for one of its own.
  const recorded = await recordOrigin(over, skill, origin)
  if (!recorded.ok) return recorded
  const reason = `A person installed it from ${origin.identifier}.`
  return createJournal({ storage: over, clock, createId: world.createId }).append([
    { actor: 'person', kind: 'applied', reason, target: 'skill', op: { action: 'create', name, content } },
  ])
}

/**
 * Installs a skill in one update. `replaces`: the present skill of that name moves to the archive in it, after a backup of all skills; resolves to its id
 * there.
 */
export const placeSkill = async (
  skill: CheckedSkill,
  replaces: boolean,
  origin: LockEntry,
  hermes: Hermes,
  context: Context,
): Promise<Result<string | undefined>> => {
  const backup = replaces ? await hermes.curator.backup(`before installing ${skill.name}`) : ok(undefined)
  if (!backup.ok) return backup
  return inTransaction<string | undefined>(context.storage, async (over) => {
    const reason = `Replaced by the skill installed from ${origin.identifier}.`
    const aside = replaces ? await new SkillStore({ storage: over, clock: context.clock }).archive(skill.name, { reason }) : ok(undefined)
    if (!aside.ok) return aside
    const placed = await place(skill, origin, over, context)
    return placed.ok ? ok(aside.value?.id) : placed
  })
}
