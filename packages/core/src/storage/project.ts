/** The projects of a home: their names, and the folders of their documents. */
import { escapeName, problemOfName, unescapeName } from './path-segment.ts'
import { PROJECTS_FOLDER } from './storage-paths.ts'

const MAX_LENGTH = 200

/** Characters of the folder's name, in which each byte other than `a-z0-9_-` takes three. */
const MAX_ESCAPED = 200

const HOW = `a name such as 'webshop', of 1 to ${MAX_LENGTH} characters, where all but a-z, 0-9, _ and - count three for each byte`

/** PostgreSQL, where a memory provider may keep it, has no text with the character of code 0. */
const problemOfText = (name: string): string | undefined => {
  if (name.includes('\0')) return 'holds the character of code 0'
  return escapeName(name).length > MAX_ESCAPED ? 'is too long' : undefined
}

/** Why a value cannot name a project; undefined if it can. */
export const projectFault = (project: unknown): string | undefined => {
  const problem = problemOfName(project, MAX_LENGTH) ?? problemOfText(project as string)
  return problem === undefined ? undefined : `must be ${HOW}, but it ${problem}`
}

/** Throws a TypeError for a name that no project can have. `undefined`: no project. */
export const checkProject = (project: unknown): string | undefined => {
  const fault = project === undefined ? undefined : projectFault(project)
  if (fault === undefined) return project as string | undefined
  throw new TypeError(`The project ${fault}.`)
}

export const projectFolder = (project: string): string => `${PROJECTS_FOLDER}/${escapeName(project)}`

/** The project that a document belongs to, and its path inside the folder of the project. Undefined for any other document. */
export const projectOfPath = (path: string): { readonly project: string; readonly path: string } | undefined => {
  const [folder, segment, ...rest] = path.split('/')
  const project = folder === PROJECTS_FOLDER && segment !== undefined && rest.length > 0 ? unescapeName(segment) : undefined
  return project === undefined || projectFault(project) !== undefined ? undefined : { project, path: rest.join('/') }
}

/** The path as it is in the home or in its project: both have documents of the same kinds. */
export const insideProject = (path: string): string => projectOfPath(path)?.path ?? path

/** The projects of these documents, by name. */
export const projectsIn = (documents: readonly { readonly path: string }[]): readonly string[] =>
  [...new Set(documents.flatMap(({ path }) => projectOfPath(path)?.project ?? []))].sort()
