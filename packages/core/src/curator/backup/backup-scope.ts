/** Which documents a backup holds and which a rollback never changes (reference skills-curator 17). Pure. */
import { REMADE_FOLDERS, SKILLS_FOLDER } from '../../skills/skill-discovery.ts'
import { CURATOR_FOLDER } from '../../storage/storage-paths.ts'

/** Holds the backups; nothing below it is backed up. */
export const BACKUPS_FOLDER = `${CURATOR_FOLDER}/backups`
/** Used temporarily during a rollback. */
export const STAGING_FOLDER = `${BACKUPS_FOLDER}/.staging`
/** Documents that a rollback removed and no archive holds, in one folder per rollback. Only a person deletes them. */
export const REPLACED_FOLDER = `${BACKUPS_FOLDER}/.replaced`
/** Journals of curator runs. */
export const RUNS_FOLDER = `${BACKUPS_FOLDER}/.runs`

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
const KEPT_WHERE_PRESENT: ReadonlySet<string> = new Set(
  ['.curator_state', '.curator_ledger.jsonl'].map((name) => `${SKILLS_FOLDER}/${name}`),
)

/** Takes a document path. True: restored only if nothing is stored there. */
export const isKeptWherePresent = (path: string): boolean => KEPT_WHERE_PRESENT.has(path)

/** Corrupt sidecars are kept for a person to look at: a rollback neither restores nor removes them. */
export const isLeftAlone = (path: string): boolean => path.startsWith(`${SKILLS_FOLDER}/.usage-corrupt/`)
