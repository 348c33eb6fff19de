/** The error for a file that a skill does not have; lists the existing files. */
import { HermesError } from '../shared/hermes-error.ts'
import { findSupportFiles, toDocumentPath } from './skill-discovery.ts'
import type { FoundSkill } from './skill-lookup.ts'

const SHOWN_FILES = 20

/** `not_found`, with all files in `details.files`. */
export const supportFileMissing = ({ skill, documents }: FoundSkill, filePath: string): HermesError => {
  const files = Object.values(findSupportFiles(skill, documents)).flat()
  const has = files.length === 0 ? 'no support files' : files.slice(0, SHOWN_FILES).join(', ')
  const message = `The skill '${skill.path}' has no file '${filePath}'. It has ${has}${files.length > SHOWN_FILES ? ' and more' : ''}.`
  return new HermesError('not_found', message, { details: { path: toDocumentPath(skill, filePath), files } })
}
