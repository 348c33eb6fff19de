/** What an export holds, as an explicit list, so that settings, keys and conversations are never exported; and `hermes-export.json`, its first file. Pure. */
import * as z from 'zod/mini'
import { isInBackup } from '../curator/backup-manifest.ts'
import { dayOfDocument } from '../journal/journal-days.ts'
import { isPythonBlob } from '../journal/python-ledger.ts'
import { ARCHIVE_FOLDER } from '../skills/archive.ts'
import { isBelow } from '../storage/document-tree.ts'
import { MOST_CHANGES } from '../storage/guarded-backend.ts'
import { projectOfPath } from '../storage/project.ts'
import {
  checkStoragePath,
  FACTS_PATH,
  MEMORY_ARCHIVE_PATH,
  MEMORY_PATHS,
  PENDING_FOLDER,
  PENDING_SKILLS_FOLDER,
  PROJECTS_FOLDER,
  PYTHON_LEDGER_PATH,
} from '../storage/storage-paths.ts'
import { CORRUPT_USAGE_FOLDER, USAGE_PATH } from '../usage/usage-sidecar.ts'

/** In import order. */
export const EXPORT_PARTS = ['memory', 'memoryArchive', 'skills', 'archivedSkills', 'pending', 'journal'] as const

export type ExportPart = (typeof EXPORT_PARTS)[number]

const PENDING_NAME = /^[0-9a-f]{24}\.json$/

const isPending = (path: string): boolean =>
  [PENDING_FOLDER, PENDING_SKILLS_FOLDER].some(
    (folder) => path.startsWith(`${folder}/`) && PENDING_NAME.test(path.slice(folder.length + 1)),
  )

/** Those of a person and those on a project alike. */
const isNotes = (path: string): boolean => path === MEMORY_PATHS.memory || path === FACTS_PATH

const partOfProject = (path: string): ExportPart | undefined => {
  const own = projectOfPath(path)
  if (!own) return undefined
  if (isNotes(own.path)) return 'memory'
  return own.path === MEMORY_ARCHIVE_PATH ? 'memoryArchive' : undefined
}

/** Of Python Hermes: its ledger of skills, and the files that it names. */
const isPythonLedger = (path: string): boolean => path === PYTHON_LEDGER_PATH || isPythonBlob(path)

/** `undefined` for a document that is not exported: sessions, locks, leases, backups, reports, settings and unknown documents. */
export const partOf = (path: string): ExportPart | undefined => {
  if (isBelow(path, PROJECTS_FOLDER)) return partOfProject(path)
  if (path === MEMORY_PATHS.user || path === MEMORY_PATHS.profile || isNotes(path)) return 'memory'
  if (path === MEMORY_ARCHIVE_PATH) return 'memoryArchive'
  if (isPending(path)) return 'pending'
  if (dayOfDocument(path) !== undefined || isPythonLedger(path)) return 'journal'
  if (path === USAGE_PATH) return 'skills'
  if (!isInBackup(path) || path.split('/').length < 3 || path.startsWith(`${CORRUPT_USAGE_FOLDER}/`)) return undefined
  return path.startsWith(`${ARCHIVE_FOLDER}/`) ? 'archivedSkills' : 'skills'
}

export const EXPORT_MANIFEST = 'hermes-export.json'

export const EXPORT_FORMAT = 'hermes-export'

/** Incremented with each change that older versions cannot import. */
export const EXPORT_VERSION = 1

/** Maximum bytes of all files together, uncompressed. All of them are held in memory while packing or reading. */
export const LARGEST_EXPORT_BYTES = 256 * 1024 * 1024

/** Maximum bytes of one file. */
export const LARGEST_EXPORT_FILE_BYTES = 16 * 1024 * 1024

/** An import is one update, which also writes the journal. */
export const MOST_EXPORT_FILES = MOST_CHANGES - 1_000

export interface ExportFile {
  /** The path in the home and in the archive, such as `memories/MEMORY.md`. */
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Lower-case hexadecimal. */
  readonly sha256: string
  /** Whether the owner may execute the file. Missing means false. */
  readonly executable?: boolean | undefined
}

export interface ExportCounts {
  /** Entries of MEMORY.md. */
  readonly memory: number
  /** Entries of USER.md. */
  readonly user: number
  /** Fields of the profile. Missing if there is none. */
  readonly profile?: number | undefined
  /** Entries of the notes on projects. Missing if there are none. */
  readonly projects?: number | undefined
  readonly memoryArchive: number
  readonly skills: number
  readonly archivedSkills: number
  readonly pending: number
  /** Days of the journal. */
  readonly journalDays: number
}

export interface ExportManifest {
  readonly format: typeof EXPORT_FORMAT
  readonly version: typeof EXPORT_VERSION
  readonly counts: ExportCounts
  /** Sorted by path. */
  readonly files: readonly ExportFile[]
  /** Documents that should be in the export but were left out, sorted by path. */
  readonly leftOut: readonly { readonly path: string; readonly why: string }[]
}

const count = z.int().check(z.nonnegative())

const fileSchema = z.object({
  path: z.string().check(z.refine((path) => checkStoragePath(path).ok && partOf(path) !== undefined, 'not a document of an export')),
  size: count.check(z.lte(LARGEST_EXPORT_FILE_BYTES)),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  executable: z.optional(z.boolean()),
})

/** Parsed first: an archive of a newer version is recognised by its version alone. */
export const exportVersionSchema = z.looseObject({ format: z.literal(EXPORT_FORMAT), version: count })

export const exportManifestSchema: z.ZodMiniType<ExportManifest> = z.object({
  format: z.literal(EXPORT_FORMAT),
  version: z.literal(EXPORT_VERSION),
  counts: z.object({
    memory: count,
    user: count,
    profile: z.optional(count),
    projects: z.optional(count),
    memoryArchive: count,
    skills: count,
    archivedSkills: count,
    pending: count,
    journalDays: count,
  }),
  files: z.array(fileSchema).check(z.maxLength(MOST_EXPORT_FILES)),
  leftOut: z.array(z.object({ path: z.string(), why: z.string() })),
})

/** The largest time of a `Date`, in epoch milliseconds. */
const LAST_TIME = 8.64e15

export const isTime = (at: number): boolean => Number.isFinite(at) && at >= 0 && at <= LAST_TIME
