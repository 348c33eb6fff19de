/** Folders of a library that are not searched for skills. Backups use the same list, so that every listed skill is backed up. */

/** Recreated by other programs when needed, and large: not in any backup. */
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

/** Nothing below a folder of these names is a skill: archived skills, other programs' files, or contents of an installed package. */
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
