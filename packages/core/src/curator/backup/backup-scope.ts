/** What belongs into a backup of the library, and what a rollback never touches (reference skills-curator 17). Pure. */
import { SKILLS_FOLDER } from '../../skills/skill-discovery.ts'
import { REMADE_FOLDERS } from '../../skills/unseen-folders.ts'

/** Of the machine's own snapshots; nothing below it is ever backed up. */
export const BACKUPS_FOLDER = `${SKILLS_FOLDER}/.backups`
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
 * What a person or a log has said since outlives a rollback: the scheduler's pause and clock, grants, days of use, which skills a merge was
 * asked about or waits for a yes (or the next run would do again what was just gone back from), the ledger of Python Hermes. Restored only
 * where nothing is there now.
 */
const KEPT_WHERE_PRESENT: ReadonlySet<string> = new Set(
  [
    '.curator_state',
    '.managed.json',
    '.active_days.json',
    '.consolidation.json',
    '.consolidation-waiting.json',
    '.curator_ledger.jsonl',
  ].map((name) => `${SKILLS_FOLDER}/${name}`),
)

/** For a document path: restored only where nothing is there now. */
export const isKeptWherePresent = (path: string): boolean => KEPT_WHERE_PRESENT.has(path)

/** Corrupt sidecars wait for a person to look at them: a rollback neither brings them back nor takes them away. */
export const isLeftAlone = (path: string): boolean => path.startsWith(`${SKILLS_FOLDER}/.usage-corrupt/`)
