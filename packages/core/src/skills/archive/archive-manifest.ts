/**
 * The manifest beside an archived skill: where it came from and why it was archived. A document of its own, which Python Hermes ignores.
 */

import * as z from 'zod/mini'
import type { Result } from '../../shared/result.ts'
import { isBelow } from '../../storage/document-tree.ts'
import { readJsonDocument, updateJsonDocument } from '../../storage/json-document.ts'
import { UNCHANGED } from '../../storage/one-document.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { checkStoragePath } from '../../storage/storage-paths.ts'
import { isInUnseenFolder, SKILLS_FOLDER } from '../skill-discovery.ts'

export const ARCHIVE = '.archive'
export const ARCHIVE_FOLDER = `${SKILLS_FOLDER}/${ARCHIVE}`
export const MANIFEST_FOLDER = `${ARCHIVE_FOLDER}/.manifests`

/** Unknown keys are kept. */
export const manifestSchema = /* @__PURE__ */ z.lazy(() =>
  z.looseObject({
    version: z.literal(1),
    name: z.string().check(z.minLength(1)),
    /** Relative to the skills folder. */
    from: z.string().check(z.refine((path) => checkStoragePath(path).ok && !isInUnseenFolder(path), 'it is not the path of a skill')),
    category: z.nullable(z.string()),
    description: z.string(),
    reason: z.string(),
    /** Epoch milliseconds. */
    archivedAt: z.number(),
    absorbedInto: z.nullable(z.string()),
  }),
)

export type ArchiveManifest = z.infer<typeof manifestSchema>

/** Milliseconds, longer than any move takes: an older manifest without a folder is left from an archiving that was never completed. */
const IN_FLIGHT_MS = 60_000

export const manifestPath = (entry: string): string => `${MANIFEST_FOLDER}/${entry}.json`

/** The entry that a document describes; `undefined` if it is not a manifest. */
export const entryOfManifest = (path: string): string | undefined =>
  isBelow(path, MANIFEST_FOLDER) && path.endsWith('.json') ? path.slice(MANIFEST_FOLDER.length + 1, -'.json'.length) : undefined

const isSame = (a: ArchiveManifest, b: ArchiveManifest): boolean =>
  a.from === b.from && a.name === b.name && a.archivedAt === b.archivedAt && a.reason === b.reason

/** `unreadable` if it is corrupt; `undefined` if there is none. */
export const readManifest = (storage: StorageBackend, entry: string): Promise<Result<ArchiveManifest | undefined>> =>
  readJsonDocument(storage, manifestPath(entry), manifestSchema)

/**
 * Claims an entry name before the folder moves there: false if another archiving of the last minute has claimed it, or its manifest is
 * corrupt.
 */
export const claimEntry = async (storage: StorageBackend, entry: string, manifest: ArchiveManifest): Promise<Result<boolean>> => {
  const held = { claimed: false }
  const updated = await updateJsonDocument(storage, manifestPath(entry), manifestSchema, (current) => {
    held.claimed = current === undefined || Math.abs(manifest.archivedAt - current.archivedAt) > IN_FLIGHT_MS
    return held.claimed ? manifest : UNCHANGED
  })
  if (updated.ok) return { ok: true, value: held.claimed }
  return updated.error.code === 'unreadable' ? { ok: true, value: false } : updated
}

/** Writes the manifest again if another archiving took it for an abandoned one. */
export const confirmManifest = async (storage: StorageBackend, entry: string, manifest: ArchiveManifest): Promise<Result<unknown>> => {
  // Nearly always it is still there, and a read needs no lock.
  const found = await readManifest(storage, entry)
  if (found.ok && found.value && isSame(found.value, manifest)) return found
  return updateJsonDocument(storage, manifestPath(entry), manifestSchema, (current) =>
    current && isSame(current, manifest) ? UNCHANGED : manifest,
  )
}

/** Removes the manifest, unless it has been replaced. */
export const dropManifest = (storage: StorageBackend, entry: string, manifest: ArchiveManifest): Promise<Result<unknown>> =>
  updateJsonDocument(storage, manifestPath(entry), manifestSchema, (current) =>
    current && isSame(current, manifest) ? undefined : UNCHANGED,
  )

/** Whether the archiving may still be in progress at that time. */
export const isInFlight = ({ archivedAt }: ArchiveManifest, now: number): boolean => Math.abs(now - archivedAt) <= IN_FLIGHT_MS
