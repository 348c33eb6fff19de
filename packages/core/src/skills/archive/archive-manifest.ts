/** The note beside an archived skill of where it came from and why it went: a document of its own, which Python Hermes never looks at. */
import * as z from 'zod'
import type { Result } from '../../shared/result.ts'
import { readJsonDocument, updateJsonDocument } from '../../storage/json-document.ts'
import { type StorageBackend, UNCHANGED } from '../../storage/storage-backend.ts'
import { checkStoragePath } from '../../storage/storage-paths.ts'
import { isInUnseenFolder, SKILLS_FOLDER } from '../skill-discovery.ts'

export const ARCHIVE = '.archive'
export const ARCHIVE_FOLDER = `${SKILLS_FOLDER}/${ARCHIVE}`
export const MANIFEST_FOLDER = `${ARCHIVE_FOLDER}/.manifests`

/** Unknown keys stay. */
export const manifestSchema = /* @__PURE__ */ z.lazy(() =>
  z.looseObject({
    version: z.literal(1),
    name: z.string().min(1),
    /** Below the folder of skills. */
    from: z.string().refine((path) => checkStoragePath(path).ok && !isInUnseenFolder(path), 'it is no path of a skill'),
    category: z.string().nullable(),
    description: z.string(),
    reason: z.string(),
    /** Epoch milliseconds. */
    archivedAt: z.number(),
    absorbedInto: z.string().nullable(),
  }),
)

export type ArchiveManifest = z.infer<typeof manifestSchema>

/** Longer than any move takes: from then on a manifest without a folder belongs to an archiving that never happened. */
const IN_FLIGHT_MS = 60_000

export const manifestPath = (entry: string): string => `${MANIFEST_FOLDER}/${entry}.json`

const isSame = (a: ArchiveManifest, b: ArchiveManifest): boolean =>
  a.from === b.from && a.name === b.name && a.archivedAt === b.archivedAt && a.reason === b.reason

/** `unreadable` where it is corrupt; `undefined` where there is none. */
export const readManifest = (storage: StorageBackend, entry: string): Promise<Result<ArchiveManifest | undefined>> =>
  readJsonDocument(storage, manifestPath(entry), manifestSchema)

/** Takes the name of an entry before the folder moves there: false where another archiving of the last minute has it, or a corrupt one. */
export const claimEntry = async (storage: StorageBackend, entry: string, manifest: ArchiveManifest): Promise<Result<boolean>> => {
  const held = { claimed: false }
  const updated = await updateJsonDocument(storage, manifestPath(entry), manifestSchema, (current) => {
    held.claimed = current === undefined || Math.abs(manifest.archivedAt - current.archivedAt) > IN_FLIGHT_MS
    return held.claimed ? manifest : UNCHANGED
  })
  if (updated.ok) return { ok: true, value: held.claimed }
  return updated.error.code === 'unreadable' ? { ok: true, value: false } : updated
}

/** Puts the manifest there once more, should an archiving that believed this one dead have taken it. */
export const confirmManifest = (storage: StorageBackend, entry: string, manifest: ArchiveManifest): Promise<Result<unknown>> =>
  updateJsonDocument(storage, manifestPath(entry), manifestSchema, (current) =>
    current && isSame(current, manifest) ? UNCHANGED : manifest,
  )

/** Unless it is another one by now. */
export const dropManifest = (storage: StorageBackend, entry: string, manifest: ArchiveManifest): Promise<Result<unknown>> =>
  updateJsonDocument(storage, manifestPath(entry), manifestSchema, (current) =>
    current && isSame(current, manifest) ? undefined : UNCHANGED,
  )

/** Whether the archiving it speaks of can still be under way at that time. */
export const isInFlight = ({ archivedAt }: ArchiveManifest, now: number): boolean => Math.abs(now - archivedAt) <= IN_FLIGHT_MS
