/**
 * The manifest stored beside an archive. It lists every file with its hash, so that the archive can be verified before anything is moved.
 */
import * as z from 'zod/mini'
import { type LimitedSchema, libraryDocument } from '../../storage/json-document.ts'
import { checkStoragePath } from '../../storage/storage-paths.ts'
import { isBackupId } from './backup-name.ts'
import { isInBackup } from './backup-scope.ts'

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

/** A verified snapshot of the library. The manifest is written last: an archive without a manifest is not a backup. */
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
