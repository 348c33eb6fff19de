/** Valid paths of support files (reference skills-curator 1 and 8). */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { checkStoragePath } from '../storage/storage-paths.ts'
import { isDeviceName } from './skill-name-portable.ts'

export const SUPPORT_FOLDERS = ['references', 'templates', 'scripts', 'assets'] as const

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
