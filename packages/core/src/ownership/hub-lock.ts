/**
 * `skills/.hub/lock.json`, which Python Hermes keeps too: where installed skills came from, so that nothing changes them automatically (reference skills-curator 1
 * and 5).
 */
import * as z from 'zod/mini'
import { isData } from '../shared/json-texts.ts'
import { ok, type Result } from '../shared/result.ts'
import { readSkill } from '../skills/read-skill.ts'
import { toDocumentPath, toFolder } from '../skills/skill-discovery.ts'
import { jsonIn, readJsonDocument } from '../storage/json-document.ts'
import { orError } from '../storage/one-document.ts'
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

/** What the lock has of each installed skill, by its key there. `unreadable` if the lock is corrupt: then it is unknown which skills are installed. */
export const readInstalled = async (storage: StorageBackend): Promise<Result<Readonly<Record<string, unknown>>>> => {
  const lock = await readJsonDocument(storage, HUB_LOCK_PATH, hubLockSchema)
  return lock.ok ? ok(lock.value?.installed ?? {}) : lock
}

export const readHubLock = async (storage: StorageBackend): Promise<Result<HubSkills>> => {
  const installed = await readInstalled(storage)
  if (!installed.ok) return installed
  const paths = new Set(Object.values(installed.value).flatMap(toPaths))
  const names = new Set(Object.keys(installed.value))
  for (const path of paths) for (const name of await nameAt(storage, path)) names.add(name)
  return ok({ names, paths })
}

type Lock = Readonly<Record<string, unknown>>

const installedIn = (lock: Lock): Lock => (isData(lock['installed']) ? lock['installed'] : {})

/** Changes the lock in one update. Keys that `change` does not know have to stay. `undefined`: nothing changes. `unreadable` if the lock is corrupt. */
export const changeHubLock = (
  storage: Pick<StorageBackend, 'update'>,
  change: (lock: Lock, installed: Lock) => Lock | undefined,
): Promise<Result<void>> =>
  orError(() =>
    storage.update([HUB_LOCK_PATH], (cut) => {
      const lock: Lock = jsonIn(cut, HUB_LOCK_PATH, hubLockSchema) ?? { version: 1 }
      const changed = change(lock, installedIn(lock))
      if (changed === undefined) return { value: undefined }
      return { put: { [HUB_LOCK_PATH]: new TextEncoder().encode(`${JSON.stringify(changed, null, 2)}\n`) }, value: undefined }
    }),
  )

/** Where an installed skill came from: its key in the lock, and what the lock has there. */
export interface SkillSource {
  readonly key: string
  readonly entry: unknown
}

/** As the program that installed it names it. */
export const identifierOf = ({ key, entry }: SkillSource): string =>
  isData(entry) && typeof entry['identifier'] === 'string' ? entry['identifier'] : key

/** Origins of skills that are in the archive, by their archive ids. */
const REMOVED = 'removed'

const removedIn = (lock: Lock): Lock => (isData(lock[REMOVED]) ? lock[REMOVED] : {})

/** Keeps the origin of a skill that goes to the archive under its id there. Undefined if it has none of its own. `path`: its folder below `skills`. */
export const keepSource = async (
  storage: StorageBackend,
  { name, path, id }: { readonly name: string; readonly path: string; readonly id: string },
): Promise<Result<SkillSource | undefined>> => {
  let kept: SkillSource | undefined
  const written = await changeHubLock(storage, (lock, installed) => {
    const found = Object.entries(installed).find(([key, entry]) => key === name || toPaths(entry).includes(path))
    kept = found && { key: found[0], entry: found[1] }
    if (!kept) return undefined
    const { [kept.key]: _, ...others } = installed
    return { ...lock, installed: others, [REMOVED]: { ...removedIn(lock), [id]: kept } }
  })
  return written.ok ? ok(kept) : written
}

/** After the skill came back from the archive. Does nothing if no origin was kept for it. */
export const returnSource = (storage: StorageBackend, id: string): Promise<Result<void>> =>
  changeHubLock(storage, (lock, installed) => {
    const { [id]: kept, ...others } = removedIn(lock)
    if (!isData(kept) || typeof kept['key'] !== 'string') return undefined
    const { [REMOVED]: _, ...rest } = lock
    const back = { ...rest, installed: { [kept['key']]: kept['entry'], ...installed } }
    return Object.keys(others).length === 0 ? back : { ...back, [REMOVED]: others }
  })
