/** The folders of a library in which nobody looks for skills: the one list, so that no skill is listed that a backup leaves out. */

/** Other programs make them again whenever they need them, and they are large enough to fill a disk week by week: in no backup either. */
export const REMADE_FOLDERS: ReadonlySet<string> = new Set([
  '.git',
  'node_modules',
  'site-packages',
  '.venv',
  'venv',
  '.cache',
  '__pycache__',
  '.tox',
  '.nox',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
])

/** Nothing below a folder of these names is a skill: what is put away, belongs to other programs, or came with an installed package. */
export const IGNORED_FOLDERS: ReadonlySet<string> = new Set([
  '.archive',
  '.manifests',
  '.backups',
  '.curator_backups',
  '.usage-corrupt',
  '.github',
  '.hub',
  ...REMADE_FOLDERS,
])
