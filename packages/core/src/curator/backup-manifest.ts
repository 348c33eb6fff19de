/**
 * A backup of the skill library: which documents it holds, its name, and its manifest, which lists every file with its hash, so that the archive is verified before
 * anything is moved (seed 003, reference skills-curator 17). Pure.
 */
import * as z from 'zod/mini'
import { REMADE_FOLDERS, SKILLS_FOLDER } from '../skills/skill-discovery.ts'
import { type LimitedSchema, libraryDocument } from '../storage/json-document.ts'
import { CURATOR_FOLDER, checkStoragePath, PYTHON_LEDGER_PATH } from '../storage/storage-paths.ts'

/** Holds the backups; nothing below it is backed up. */
export const BACKUPS_FOLDER = `${CURATOR_FOLDER}/backups`
/** Documents that a rollback removed and no archive holds, in one folder per rollback. Only a person deletes them. */
export const REPLACED_FOLDER = `${BACKUPS_FOLDER}/.replaced`

const TOP_LEVEL_LEFT_OUT: ReadonlySet<string> = new Set(['.backups', '.curator_backups', '.hub', '.locks'])

const isTopLevelLock = (segments: readonly string[]): boolean => segments.length === 1 && /^\..*\.lock$/.test(segments[0] ?? '')

/**
 * Takes a document path. Includes the usage sidecar, the scheduler state, the archive and its manifests; excludes other snapshots, hub
 * files, version control and caches.
 */
export const isInBackup = (path: string): boolean => {
  if (!path.startsWith(`${SKILLS_FOLDER}/`)) return false
  const segments = path.slice(SKILLS_FOLDER.length + 1).split('/')
  if (TOP_LEVEL_LEFT_OUT.has(segments[0] ?? '') || isTopLevelLock(segments)) return false
  return !segments.some((segment) => REMADE_FOLDERS.has(segment))
}

/**
 * A rollback keeps the scheduler's pause and times and the ledger of Python Hermes: it restores them only if they are missing. Grants,
 * active days and pending merges are outside `skills/` and not in a backup.
 */
const KEPT_WHERE_PRESENT: ReadonlySet<string> = new Set([`${SKILLS_FOLDER}/.curator_state`, PYTHON_LEDGER_PATH])

/** Takes a document path. True: restored only if nothing is stored there. */
export const isKeptWherePresent = (path: string): boolean => KEPT_WHERE_PRESENT.has(path)

/** Corrupt sidecars are kept for a person to look at: a rollback neither restores nor removes them. */
export const isLeftAlone = (path: string): boolean => path.startsWith(`${SKILLS_FOLDER}/.usage-corrupt/`)

const ID = /^(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})Z(?:-([1-9]\d*))?$/
const SUFFIX = '_curator'

/** UTC time stamp such as `2026-05-16T10-00-00Z`. */
const toStamp = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}Z`

/** The first backup of a second has no number; the next ones end in `-2`, `-3`… */
export const toBackupId = (at: number, serial: number): string => (serial === 1 ? toStamp(at) : `${toStamp(at)}-${serial}`)

const isBackupId = (text: string): boolean => ID.test(text)

/** The UTC day of a backup, `2026-05-16`. */
export const dayOf = (id: string): string => id.slice(0, 10)

/** The time (epoch milliseconds) and the number in an id, for backups without a manifest. */
export const readBackupId = (id: string): { readonly at: number; readonly serial: number } | undefined => {
  const [, day, hours, minutes, seconds, serial = '1'] = ID.exec(id) ?? []
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`)
  return Number.isNaN(at) ? undefined : { at, serial: Number(serial) }
}

/** Document path of the archive. */
export const archivePath = (id: string): string => `${BACKUPS_FOLDER}/${id}${SUFFIX}.tar.gz`

/** Document path of the manifest beside it. */
export const manifestPath = (id: string): string => `${BACKUPS_FOLDER}/${id}${SUFFIX}.json`

/** `undefined` for a document that is neither the archive nor the manifest of a backup. */
export const idOfDocument = (path: string): { readonly id: string; readonly kind: 'archive' | 'manifest' } | undefined => {
  if (!path.startsWith(`${BACKUPS_FOLDER}/`)) return undefined
  const found = /^([^/]+)_curator(\.tar\.gz|\.json)$/.exec(path.slice(BACKUPS_FOLDER.length + 1))
  const id = found?.[1]
  if (id === undefined || !isBackupId(id)) return undefined
  return { id, kind: found?.[2] === '.json' ? 'manifest' : 'archive' }
}

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const size = z.int().check(z.nonnegative())
const path = z.string().check(z.refine((text) => checkStoragePath(text).ok && isInBackup(text), 'not a document of the library'))

/** One document in the archive. */
export interface BackupFile {
  /** The document path, such as `skills/devops/deploy/SKILL.md`. */
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** SHA-256 of the bytes, in lower-case hexadecimal. */
  readonly sha256: string
  /** The owner may execute the file. Default false. */
  readonly executable?: boolean | undefined
}

const LEFT_OUT_BECAUSE = ['file too large', 'backup full', 'unreadable', 'unusable name', 'link out of the home', 'erased'] as const

/** A document that is not in the archive. */
export interface LeftOutFile {
  /** The nearest valid path if the name itself is not usable. */
  readonly path: string
  /** Bytes. */
  readonly size: number
  readonly why: (typeof LEFT_OUT_BECAUSE)[number]
}

/** A verified snapshot of the library: its archive and its manifest are put in one update, and an archive without a manifest is not a backup. */
export interface SkillBackup {
  /** Such as `2026-05-16T10-00-00Z`; further backups of the same second end in `-2`, `-3`… */
  readonly id: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly reason: string
  /** Document path of the archive. */
  readonly archive: string
  readonly archiveBytes: number
  readonly archiveSha256: string
  /** Number of live skills; archived ones are not counted. */
  readonly skillCount: number
  /** Sorted by path. */
  readonly files: readonly BackupFile[]
  /** Files that are too large, unreadable, have an invalid name or are links out of the home. A rollback does not change them. */
  readonly leftOut: readonly LeftOutFile[]
}

/** Schema of a stored manifest; rejects paths outside the library. */
export const skillBackupSchema: LimitedSchema<SkillBackup> = libraryDocument(
  z.object({
    id: z.string().check(z.refine(isBackupId, 'not the id of a backup')),
    createdAt: z.number(),
    reason: z.string(),
    archive: z.string(),
    archiveBytes: size,
    archiveSha256: sha256,
    skillCount: size,
    files: z.array(z.object({ path, size, sha256, executable: z.optional(z.boolean()) })),
    leftOut: z.array(z.object({ path, size, why: z.enum(LEFT_OUT_BECAUSE) })),
  }),
)
