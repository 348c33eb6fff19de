/** The manifest beside an archive: what is in it, byte for byte, so that it can be trusted before anything is moved. */
import * as z from 'zod'
import { type LimitedSchema, libraryDocument } from '../../storage/json-document.ts'
import { checkStoragePath } from '../../storage/storage-paths.ts'
import { isBackupId } from './backup-name.ts'
import { isInBackup } from './backup-scope.ts'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const size = z.number().int().nonnegative()
const path = z.string().refine((text) => checkStoragePath(text).ok && isInBackup(text), 'no document of the library')

/** One document in the archive. */
export interface BackupFile {
  /** The document path, such as `skills/devops/deploy/SKILL.md`. */
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Of the bytes, in lower-case hexadecimal. */
  readonly sha256: string
  /** The owner may execute it. Missing means false. */
  readonly executable?: boolean | undefined
}

const LEFT_OUT_BECAUSE = ['file too large', 'backup full', 'unreadable', 'unusable name', 'link out of the home', 'erased'] as const

/** One document that is not. */
export interface LeftOutFile {
  /** Where the name is what is unusable, as near as a path comes to it. */
  readonly path: string
  /** Bytes. */
  readonly size: number
  readonly why: (typeof LEFT_OUT_BECAUSE)[number]
}

/** One verified snapshot of the library. Its manifest is written last, so that a backup without one does not count. */
export interface SkillBackup {
  /** `2026-05-16T10-00-00Z`, with `-2`… where one second saw several. */
  readonly id: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly reason: string
  /** Document path of the archive. */
  readonly archive: string
  readonly archiveBytes: number
  readonly archiveSha256: string
  /** Live skills; archived skills do not count. */
  readonly skillCount: number
  /** By path. */
  readonly files: readonly BackupFile[]
  /** Too large, not readable, of a name that no document may have, or a link out of the home: a rollback leaves these as they are. */
  readonly leftOut: readonly LeftOutFile[]
}

/** Of the manifest on the disk; names no path outside the library. */
export const skillBackupSchema: LimitedSchema<SkillBackup> = libraryDocument(
  z.object({
    id: z.string().refine(isBackupId, 'no id of a backup'),
    createdAt: z.number(),
    reason: z.string(),
    archive: z.string(),
    archiveBytes: size,
    archiveSha256: sha256,
    skillCount: size,
    files: z.array(z.object({ path, size, sha256, executable: z.boolean().optional() })),
    leftOut: z.array(z.object({ path, size, why: z.enum(LEFT_OUT_BECAUSE) })),
  }),
)
