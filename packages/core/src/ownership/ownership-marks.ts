/** The markers that decide who owns a skill, read together: bundled, hub, grants. Authorship and pins are in the usage record. */

import { type Clock, systemClock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { readDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { type HubSkills, readHubLock } from './hub-lock.ts'
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
