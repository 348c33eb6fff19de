/** The settings of backups, with their units and defaults. */
export interface BackupSettings {
  /** `false`: runs change skills without a backup. Default true. */
  readonly enabled?: boolean
  /** Weeks for which backups are kept; the newest one is always kept. Default 4. */
  readonly retainWeeks?: number
  /** Bytes of all files together, uncompressed. Default 256 MiB, maximum 512 MiB. */
  readonly maxBytes?: number
  /** Bytes of one file. Default 16 MiB. */
  readonly maxFileBytes?: number
}

/** Weeks (seed 003). */
export const DEFAULT_RETAIN_WEEKS = 4
export const DEFAULT_BACKUP_MAX_BYTES = 256 * 1024 * 1024
export const DEFAULT_BACKUP_MAX_FILE_BYTES = 16 * 1024 * 1024
/** Maximum bytes of one backup, unpacked: an open backup is held in memory. Larger backups are not written either. */
export const LARGEST_BACKUP_BYTES = 512 * 1024 * 1024

/** Only the limits that are set. */
export const toBackupBounds = ({ maxBytes, maxFileBytes }: BackupSettings): Pick<BackupSettings, 'maxBytes' | 'maxFileBytes'> => ({
  ...(maxBytes === undefined ? {} : { maxBytes }),
  ...(maxFileBytes === undefined ? {} : { maxFileBytes }),
})
