/** Finds the skills of a library from paths alone (reference skills-curator 1). Pure. */
import type { DocumentInfo, UnreadableEntry } from '../storage/storage-backend.ts'
import { SKILL_FILE, SKILLS_FOLDER } from '../storage/storage-paths.ts'

export { SKILL_FILE, SKILLS_FOLDER }

/** `checks` is ours: tasks that show whether the skill helps. */
export const SUPPORT_FOLDERS = ['references', 'templates', 'scripts', 'assets', 'checks'] as const

export type SupportFolder = (typeof SUPPORT_FOLDERS)[number]

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

export interface SkillFolder {
  /** Relative to the skills folder, such as `devops/deploy`. */
  readonly path: string
  /** The last part of the path. */
  readonly folderName: string
  /** The path before the last part, such as `devops` or `ops/cloud`; `undefined` for a skill at the top. */
  readonly category: string | undefined
}

const isSupportFolder = (segment: string | undefined): boolean => SUPPORT_FOLDERS.some((folder) => folder === segment)

/** Takes a path relative to the skills folder. */
export const toFolder = (path: string): SkillFolder => {
  const cut = path.lastIndexOf('/')
  return { path, folderName: path.slice(cut + 1), category: cut < 0 ? undefined : path.slice(0, cut) }
}

/** The document path of a file of a skill, by default of its SKILL.md. */
export const toDocumentPath = (folder: Pick<SkillFolder, 'path'>, filePath: string = SKILL_FILE): string =>
  `${SKILLS_FOLDER}/${folder.path}/${filePath}`

/** Whether a path relative to the skills folder leads through an ignored folder. */
export const isInUnseenFolder = (path: string): boolean => path.split('/').some((segment) => IGNORED_FOLDERS.has(segment))

/** Whether the skill at this path is in an ignored folder or inside a support folder of another skill. */
const isUnseen = (path: string, holdsSkill: ReadonlySet<string>): boolean => {
  const segments = path.split('/')
  return segments.some(
    (segment, index) =>
      IGNORED_FOLDERS.has(segment) || (isSupportFolder(segment) && index > 0 && holdsSkill.has(segments.slice(0, index).join('/'))),
  )
}

/** The folders below `root` that hold a SKILL.md, as paths relative to it. */
const foldersWithSkill = (documents: readonly DocumentInfo[], root: string): readonly string[] => {
  const suffix = `/${SKILL_FILE}`
  return documents
    .filter(({ path }) => path.endsWith(suffix) && path.startsWith(`${root}/`) && path.length > root.length + suffix.length)
    .map(({ path }) => path.slice(root.length + 1, -suffix.length))
}

/**
 * In the order of the given documents, which are below `skills`. A package kept in a support folder of a skill is not a skill; a category
 * that is named `scripts` holds skills like any other. With an ignored folder such as `.archive`, finds the skills in it.
 */
export const findSkillFolders = (documents: readonly DocumentInfo[], folder?: string): readonly SkillFolder[] => {
  const above = folder === undefined ? '' : `${folder}/`
  const paths = foldersWithSkill(documents, folder === undefined ? SKILLS_FOLDER : `${SKILLS_FOLDER}/${folder}`)
  const holdsSkill = new Set(paths)
  return paths.filter((path) => !isUnseen(path, holdsSkill)).map((path) => toFolder(`${above}${path}`))
}

/** Whether a skill at that path would be found among those documents. */
export const isSkillSeenAt = (path: string, documents: readonly DocumentInfo[]): boolean =>
  !isUnseen(path, new Set([...foldersWithSkill(documents, SKILLS_FOLDER), path]))

const HIDDEN_BECAUSE: Readonly<Record<Exclude<UnreadableEntry, 'unnamed-file'>, string>> = {
  'closed-folder': 'is a folder that cannot be read, so its skills are ignored. Check its owner and permissions.',
  'unnamed-folder':
    'is a folder whose name contains characters that are not allowed in paths (shown here after a %, or as \ufffd), so its skills are ignored and not backed up. Rename it.',
  'outward-link':
    'is a symbolic link that leads out of the home, so its skills are ignored and not backed up. Replace it with the real folder.',
}

/** Places that may hold skills that cannot be listed: a folder without permission or a usable name, or a folder named SKILL.md. */
export const findHiddenPlaces = (documents: readonly DocumentInfo[]): readonly { readonly path: string; readonly reason: string }[] => {
  const inside = `/${SKILL_FILE}/`
  const places = new Map<string, string>()
  const skills = new Set(foldersWithSkill(documents, SKILLS_FOLDER).map((path) => `${SKILLS_FOLDER}/${path}`))
  const isInSkill = (path: string): boolean => path.split('/').some((_, index, segments) => skills.has(segments.slice(0, index).join('/')))
  for (const { path, unreadable } of documents) {
    if (unreadable === 'outward-link' && isInSkill(path)) continue
    if (unreadable === 'unnamed-file' || (!unreadable && !path.includes(inside))) continue
    if (isUnseen(path.slice(SKILLS_FOLDER.length + 1), new Set())) continue
    const at = path.indexOf(inside)
    if (at >= 0)
      places.set(path.slice(0, at + inside.length - 1), 'is a folder, not a file. Move it away, or put the text of the skill in its place.')
    else if (unreadable && !path.endsWith(`/${SKILL_FILE}`)) places.set(path, HIDDEN_BECAUSE[unreadable])
  }
  return [...places].map(([path, reason]) => ({ path, reason }))
}

/** The files in the support folders of a skill, as paths inside its folder. */
export const findSupportFiles = (
  folder: SkillFolder,
  documents: readonly DocumentInfo[],
): Readonly<Record<SupportFolder, readonly string[]>> => {
  const root = `${SKILLS_FOLDER}/${folder.path}/`
  const below = (name: SupportFolder): readonly string[] =>
    documents
      .filter(({ path, unreadable }) => unreadable !== 'outward-link' && path.startsWith(`${root}${name}/`))
      .map(({ path }) => path.slice(root.length))
  return {
    references: below('references'),
    templates: below('templates'),
    scripts: below('scripts'),
    assets: below('assets'),
    checks: below('checks'),
  }
}
