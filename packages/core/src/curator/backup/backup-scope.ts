/** What belongs into a backup of the library, and what a rollback never touches (reference skills-curator 17). Pure. */
import { REMADE_FOLDERS } from '../../skills/ignored-folders.ts'
import { SKILLS_FOLDER } from '../../skills/skill-discovery.ts'
import { CURATOR_FOLDER } from '../../storage/storage-paths.ts'

/** Of the machine's own snapshots; nothing below it is ever backed up. */
export const BACKUPS_FOLDER = `${CURATOR_FOLDER}/backups`
/** Transient, during a rollback. */
export const STAGING_FOLDER = `${BACKUPS_FOLDER}/.staging`
/** What a rollback takes away and no archive holds, by the time of the rollback. Nothing removes it but a person. */
export const REPLACED_FOLDER = `${BACKUPS_FOLDER}/.replaced`
/** Journals of the curator's runs. */
export const RUNS_FOLDER = `${BACKUPS_FOLDER}/.runs`

const TOP_LEVEL_LEFT_OUT: ReadonlySet<string> = new Set(['.backups', '.curator_backups', '.hub', '.locks'])

const isTopLevelLock = (segments: readonly string[]): boolean => segments.length === 1 && /^\..*\.lock$/.test(segments[0] ?? '')

/** For a document path: sidecar, scheduler state, archive and manifests are in; other snapshots, hub, version control and caches are not. */
export const isInBackup = (path: string): boolean => {
  if (!path.startsWith(`${SKILLS_FOLDER}/`)) return false
  const segments = path.slice(SKILLS_FOLDER.length + 1).split('/')
  if (TOP_LEVEL_LEFT_OUT.has(segments[0] ?? '') || isTopLevelLock(segments)) return false
  return !segments.some((segment) => REMADE_FOLDERS.has(segment))
}

/**
 * The scheduler's pause and clock and the ledger of Python Hermes outlive a rollback: they are restored only where they are missing now. Grants, days of
 * use and pending merges lie outside `skills/` and are not part of a backup.
 */
const KEPT_WHERE_PRESENT: ReadonlySet<string> = new Set(
  ['.curator_state', '.curator_ledger.jsonl'].map((name) => `${SKILLS_FOLDER}/${name}`),
)

/** For a document path: restored only where nothing is there now. */
export const isKeptWherePresent = (path: string): boolean => KEPT_WHERE_PRESENT.has(path)

/** Corrupt sidecars wait for a person to look at them: a rollback neither brings them back nor takes them away. */
export const isLeftAlone = (path: string): boolean => path.startsWith(`${SKILLS_FOLDER}/.usage-corrupt/`)
