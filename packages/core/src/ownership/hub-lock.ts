/** `skills/.hub/lock.json`: the skills installed from a registry, by name, with their folders (reference skills-curator 1 and 5). */
import * as z from 'zod/mini'
import { ok, type Result } from '../shared/result.ts'
import { readSkill } from '../skills/read-skill.ts'
import { toDocumentPath, toFolder } from '../skills/skill-discovery.ts'
import { readJsonDocument } from '../storage/json-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { checkStoragePath } from '../storage/storage-paths.ts'

const HUB_LOCK_PATH = 'skills/.hub/lock.json'

// Unknown keys of a newer hub are accepted; only the keys used here are checked.
const hubLockSchema = /* @__PURE__ */ z.lazy(() => z.looseObject({ installed: z.nullish(z.record(z.string(), z.unknown())) }))

export interface HubSkills {
  /** Keys of the lock, and the names in the SKILL.md files it refers to. */
  readonly names: ReadonlySet<string>
  /** Folders below `skills`, such as `devops/deploy`. */
  readonly paths: ReadonlySet<string>
}

/**
 * Paths relative to the skills folder, in any form the hub writes; since the library may itself have a folder named `skills`, both
 * readings count.
 */
const toPaths = (installed: unknown): readonly string[] => {
  const path = typeof installed === 'object' && installed !== null && 'install_path' in installed ? installed.install_path : undefined
  if (typeof path !== 'string') return []
  const plain = path.replaceAll('\\', '/').replace(/^(?:\.?\/)+|\/+$/g, '')
  return [plain, plain.replace(/^(?:.*\/)?skills\//, '')].filter((each) => checkStoragePath(each).ok)
}

/** The name of the skill at this path, as in the catalogue. Empty for a missing or broken skill. */
const nameAt = async (storage: StorageBackend, path: string): Promise<readonly string[]> => {
  const folder = toFolder(path)
  if (!checkStoragePath(toDocumentPath(folder)).ok) return []
  const skill = await readSkill(storage, folder)
  return skill?.ok ? [skill.value.document.name] : []
}

/** `unreadable` if the lock is corrupt: then the hub's skills are unknown. */
export const readHubLock = async (storage: StorageBackend): Promise<Result<HubSkills>> => {
  const lock = await readJsonDocument(storage, HUB_LOCK_PATH, hubLockSchema)
  if (!lock.ok) return lock
  const installed = Object.entries(lock.value?.installed ?? {})
  const paths = new Set(installed.flatMap(([, entry]) => toPaths(entry)))
  const names = new Set(installed.map(([name]) => name))
  for (const path of paths) for (const name of await nameAt(storage, path)) names.add(name)
  return ok({ names, paths })
}
