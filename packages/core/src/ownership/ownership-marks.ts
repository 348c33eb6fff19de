/** The markers that decide who owns a skill, read together: bundled, hub, grants. Authorship and pins are in the usage record. */
import { type Clock, systemClock } from '../shared/clock.ts'
import { ok, type Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { readBundledManifest } from './bundled-manifest.ts'
import { type HubSkills, readHubLock } from './hub-lock.ts'
import { readGrants } from './managed-document.ts'
import { isValidAt, type OwnershipGrant } from './ownership-grant.ts'

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
