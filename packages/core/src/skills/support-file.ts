/** The support files of a skill: their paths, their size, and the error for one that is missing (reference skills-curator 1, 6 and 8). */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { checkStoragePath } from '../storage/storage-paths.ts'
import { decodeSkillText } from './read-skill.ts'
import { findSupportFiles, SUPPORT_FOLDERS, toDocumentPath } from './skill-discovery.ts'
import { isLongerThan } from './skill-document.ts'
import type { FoundSkill } from './skill-lookup.ts'
import { isDeviceName } from './skill-name.ts'

/**
 * Checks a path inside the skill's folder: it must be below one of the four support folders and a valid document path, and not a
 * SKILL.md. `invalid_path` otherwise.
 */
export const checkSupportFilePath = (path: string): Result<string> => {
  const refuse = (why: string, cause?: unknown) => {
    const shown = typeof path === 'string' ? `'${path.slice(0, 80)}'` : `A value of type ${typeof path}`
    const message = `${shown} cannot be a file of a skill: ${why}. Use a path such as 'references/api.md', below ${SUPPORT_FOLDERS.join('/, ')}/.`
    return err(new HermesError('invalid_path', message, { cause }))
  }
  const checked = checkStoragePath(path)
  if (!checked.ok) {
    return refuse('it must be relative, with plain names between single slashes, and stay inside the folder of the skill', checked.error)
  }
  const segments = path.split('/')
  if (segments.some((segment) => segment.toLowerCase() === 'skill.md'))
    return refuse('SKILL.md is changed by patching or editing the skill itself')
  if (!SUPPORT_FOLDERS.some((folder) => folder === segments[0])) return refuse('it is not in a support folder')
  if (segments.length === 1) return refuse('it names a folder, not a file in it')
  if (segments.some(isDeviceName)) return refuse('Windows keeps one of its names for a device')
  return ok(path)
}

export const MAX_SUPPORT_FILE_BYTES = 1_048_576

/** Code points, for a text file. */
const MAX_SUPPORT_FILE_CHARS = 100_000

const limitExceeded = (bytes: Uint8Array): string | undefined => {
  if (bytes.length > MAX_SUPPORT_FILE_BYTES) return `${MAX_SUPPORT_FILE_BYTES} bytes`
  if (bytes.length <= MAX_SUPPORT_FILE_CHARS) return undefined
  return isLongerThan(decodeSkillText(bytes) ?? '', MAX_SUPPORT_FILE_CHARS) ? `${MAX_SUPPORT_FILE_CHARS} characters` : undefined
}

/** `over_limit`; a file that is already too large may shrink. */
export const checkSupportFileSize = (path: string, next: Uint8Array, before: Uint8Array | undefined): Result<Uint8Array> => {
  const limit = limitExceeded(next)
  if (limit === undefined || (before && next.length < before.length && limitExceeded(before) !== undefined)) return ok(next)
  const message = `'${path}' would be longer than ${limit}, the limit for a file of a skill. Split it into several files.`
  return err(new HermesError('over_limit', message, { details: { path, bytes: next.length } }))
}

const SHOWN_FILES = 20

/** `not_found`, with all files in `details.files`. */
export const supportFileMissing = ({ skill, documents }: FoundSkill, filePath: string): HermesError => {
  const files = Object.values(findSupportFiles(skill, documents)).flat()
  const has = files.length === 0 ? 'no support files' : files.slice(0, SHOWN_FILES).join(', ')
  const message = `The skill '${skill.path}' has no file '${filePath}'. It has ${has}${files.length > SHOWN_FILES ? ' and more' : ''}.`
  return new HermesError('not_found', message, { details: { path: toDocumentPath(skill, filePath), files } })
}
