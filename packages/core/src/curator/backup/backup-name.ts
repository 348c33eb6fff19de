/**
 * Names of backups: a UTC time stamp, with a number if there are several in one second (seed 003: `.backups/<date>_curator.tar.gz`).
 * Pure.
 */
import { BACKUPS_FOLDER } from './backup-scope.ts'

const ID = /^(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})Z(?:-([1-9]\d*))?$/
const SUFFIX = '_curator'

/** UTC time stamp such as `2026-05-16T10-00-00Z`. */
export const toStamp = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}Z`

/** The first backup of a second has no number; the next ones end in `-2`, `-3`… */
export const toBackupId = (at: number, serial: number): string => (serial === 1 ? toStamp(at) : `${toStamp(at)}-${serial}`)

export const isBackupId = (text: string): boolean => ID.test(text)

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
