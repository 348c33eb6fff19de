/** The markers that decide who owns a skill, read together: bundled, hub, grants. Authorship and pins are in the usage record. */

import * as z from 'zod/mini'
import { type Clock, systemClock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { readSkill } from '../skills/read-skill.ts'
import { toDocumentPath, toFolder } from '../skills/skill-discovery.ts'
import { readJsonDocument } from '../storage/json-document.ts'
import { readDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { checkStoragePath } from '../storage/storage-paths.ts'
import { isValidAt, type OwnershipGrant, readGrants } from './ownership-grant.ts'

/** The skills that came with a product, one `name:hash` a line, `#` for comments (reference skills-curator 1). */
const BUNDLED_PATH = 'skills/.bundled_manifest'

/** Enough for tens of thousands of skills. */
const MAX_BYTES = 1_048_576

const toName = (line: string): string => (line.split(':')[0] ?? '').trim()

/** Only the names; older manifests have no hash. */
const parseBundledManifest = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .replace(/^\uFEFF/, '')
      .split(/\r\n?|\n/)
      .map((line) => line.trim())
      .filter((line) => !line.startsWith('#'))
      .map(toName)
      .filter((name) => name !== ''),
  )

/** `unreadable` if it is not UTF-8 text or too large: then the bundled skills are unknown. */
const readBundledManifest = async (storage: StorageBackend): Promise<Result<ReadonlySet<string>>> => {
  const document = await readDocument(storage, BUNDLED_PATH)
  if (!document.ok) return document
  if (!document.value) return ok(new Set())
  if (document.value.bytes.length > MAX_BYTES) {
    const message = `'${BUNDLED_PATH}' is larger than ${MAX_BYTES} bytes, so it is not read, and it is unknown which skills are bundled. Install the bundled skills again.`
    return err(new HermesError('unreadable', message, { details: { path: BUNDLED_PATH } }))
  }
  try {
    return ok(parseBundledManifest(new TextDecoder('utf-8', { fatal: true }).decode(document.value.bytes)))
  } catch (cause) {
    const message = `'${BUNDLED_PATH}' is not valid UTF-8, so it is unknown which skills are bundled. Repair it, or install the bundled skills again.`
    return err(new HermesError('unreadable', message, { cause, details: { path: BUNDLED_PATH } }))
  }
}

/** The skills installed from a registry, by name, with their folders (reference skills-curator 1 and 5). */
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
const readHubLock = async (storage: StorageBackend): Promise<Result<HubSkills>> => {
  const lock = await readJsonDocument(storage, HUB_LOCK_PATH, hubLockSchema)
  if (!lock.ok) return lock
  const installed = Object.entries(lock.value?.installed ?? {})
  const paths = new Set(installed.flatMap(([, entry]) => toPaths(entry)))
  const names = new Set(installed.map(([name]) => name))
  for (const path of paths) for (const name of await nameAt(storage, path)) names.add(name)
  return ok({ names, paths })
}

export interface OwnershipMarks {
  readonly bundled: ReadonlySet<string>
  readonly hub: HubSkills
  /** Those valid at the time of reading. */
  readonly grants: readonly OwnershipGrant[]
}

export interface ReadOwnershipOptions {
  /** Decides which grants are valid. Default: the system clock. */
  readonly clock?: Clock
}

/** For hosts and tests without bundled, hub or granted skills. */
export const NO_OWNERSHIP_MARKS: OwnershipMarks = { bundled: new Set(), hub: { names: new Set(), paths: new Set() }, grants: [] }

/** `unreadable` if any of them is corrupt. The caller must fail closed: no automatic change of any skill. */
export const readOwnershipMarks = async (
  storage: StorageBackend,
  { clock = systemClock }: ReadOwnershipOptions = {},
): Promise<Result<OwnershipMarks>> => {
  const [bundled, hub, grants] = await Promise.all([readBundledManifest(storage), readHubLock(storage), readGrants(storage)])
  if (!bundled.ok) return bundled
  if (!hub.ok) return hub
  if (!grants.ok) return grants
  const at = clock()
  return ok({ bundled: bundled.value, hub: hub.value, grants: grants.value.filter((grant) => isValidAt(grant, at)) })
}
