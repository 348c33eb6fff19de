/** Which folders of a library are skills, told from the paths alone (reference skills-curator 1). Pure. */
import type { DocumentInfo } from '../storage/storage-backend.ts'
import { SUPPORT_FOLDERS } from './support-file-path.ts'

export const SKILLS_FOLDER = 'skills'
export const SKILL_FILE = 'SKILL.md'

/** Nothing below a folder of these names is a skill: what is put away, belongs to other programs, or came with an installed package. */
const UNSEEN_FOLDERS: ReadonlySet<string> = new Set([
  '.archive',
  '.backups',
  '.curator_backups',
  '.usage-corrupt',
  '.git',
  '.github',
  '.hub',
  '.venv',
  'venv',
  'node_modules',
  'site-packages',
  '__pycache__',
  '.tox',
  '.nox',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
])

export type SupportFolder = (typeof SUPPORT_FOLDERS)[number]

export interface SkillFolder {
  /** Below the folder of skills, such as `devops/deploy`. */
  readonly path: string
  /** Its last part. */
  readonly folderName: string
  /** What is before that, such as `devops` or `ops/cloud`; `undefined` for a skill at the top. */
  readonly category: string | undefined
}

const isSupportFolder = (segment: string | undefined): boolean => SUPPORT_FOLDERS.some((folder) => folder === segment)

const toFolder = (path: string): SkillFolder => {
  const cut = path.lastIndexOf('/')
  return { path, folderName: path.slice(cut + 1), category: cut < 0 ? undefined : path.slice(0, cut) }
}

/** The document path of a file of a skill; without one, of its SKILL.md. */
export const toDocumentPath = (folder: Pick<SkillFolder, 'path'>, filePath: string = SKILL_FILE): string =>
  `${SKILLS_FOLDER}/${folder.path}/${filePath}`

/**
 * In the order of the given documents, which lie below `skills`. A whole package kept in a support folder of a skill is no skill; a
 * category that happens to be called `scripts` holds skills like any other.
 */
export const findSkillFolders = (documents: readonly DocumentInfo[]): readonly SkillFolder[] => {
  const suffix = `/${SKILL_FILE}`
  const paths = documents
    .filter(({ path }) => path.startsWith(`${SKILLS_FOLDER}/`) && path.endsWith(suffix))
    .map(({ path }) => path.slice(SKILLS_FOLDER.length + 1, -suffix.length))
    .filter((path) => path !== '')
  const holdsSkill = new Set(paths)
  const isHidden = (path: string): boolean => {
    const segments = path.split('/')
    return segments.some(
      (segment, index) =>
        UNSEEN_FOLDERS.has(segment) || (isSupportFolder(segment) && index > 0 && holdsSkill.has(segments.slice(0, index).join('/'))),
    )
  }
  return paths.filter((path) => !isHidden(path)).map(toFolder)
}

/** The files in the support folders of a skill, as paths inside its folder. */
export const findSupportFiles = (
  folder: SkillFolder,
  documents: readonly DocumentInfo[],
): Readonly<Record<SupportFolder, readonly string[]>> => {
  const root = `${SKILLS_FOLDER}/${folder.path}/`
  const below = (name: SupportFolder): readonly string[] =>
    documents.filter(({ path }) => path.startsWith(`${root}${name}/`)).map(({ path }) => path.slice(root.length))
  return { references: below('references'), templates: below('templates'), scripts: below('scripts'), assets: below('assets') }
}
