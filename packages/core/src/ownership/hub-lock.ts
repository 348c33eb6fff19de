/** `skills/.hub/lock.json`: the skills that came from a registry, by name, with the folder each lies in (reference skills-curator 1 and 5). */
import * as z from 'zod'
import { ok, type Result } from '../shared/result.ts'
import { toDocumentPath, toFolder } from '../skills/skill-discovery.ts'
import { readSkill } from '../skills/skill-read.ts'
import { readJsonDocument } from '../storage/json-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { checkStoragePath } from '../storage/storage-paths.ts'

const HUB_LOCK_PATH = 'skills/.hub/lock.json'

// Whatever a newer hub keeps beside it is no reason to refuse; only what is asked here must be what it seems.
const hubLockSchema = /* @__PURE__ */ z.lazy(() => z.looseObject({ installed: z.record(z.string(), z.unknown()).nullish() }))

export interface HubSkills {
  /** Keys of the lock, and the names in the SKILL.md of what it points to. */
  readonly names: ReadonlySet<string>
  /** Folders below `skills`, such as `devops/deploy`. */
  readonly paths: ReadonlySet<string>
}

/** Below the folder of skills, however the hub wrote it; a folder called `skills` may also lie inside the library, so both readings count. */
const toPaths = (installed: unknown): readonly string[] => {
  const path = typeof installed === 'object' && installed !== null && 'install_path' in installed ? installed.install_path : undefined
  if (typeof path !== 'string') return []
  const plain = path.replaceAll('\\', '/').replace(/^(?:\.?\/)+|\/+$/g, '')
  return [plain, plain.replace(/^(?:.*\/)?skills\//, '')].filter((each) => checkStoragePath(each).ok)
}

/** The name of the skill that lies there, as the catalogue has it. A skill that is gone or broken adds none. */
const nameAt = async (storage: StorageBackend, path: string): Promise<readonly string[]> => {
  const folder = toFolder(path)
  if (!checkStoragePath(toDocumentPath(folder)).ok) return []
  const skill = await readSkill(storage, folder)
  return skill?.ok ? [skill.value.document.name] : []
}

/** `unreadable` where the lock is corrupt: then it is not known what the hub owns. */
export const readHubLock = async (storage: StorageBackend): Promise<Result<HubSkills>> => {
  const lock = await readJsonDocument(storage, HUB_LOCK_PATH, hubLockSchema)
  if (!lock.ok) return lock
  const installed = Object.entries(lock.value?.installed ?? {})
  const paths = new Set(installed.flatMap(([, entry]) => toPaths(entry)))
  const names = new Set(installed.map(([name]) => name))
  for (const path of paths) for (const name of await nameAt(storage, path)) names.add(name)
  return ok({ names, paths })
}
