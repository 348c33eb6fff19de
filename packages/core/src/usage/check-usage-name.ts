/** Valid names of usage records: any name that a skill can have. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'

const MAX_NAME_CHARS = 255

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused here
const forbidden = /[\u0000-\u001f\u007f/\\]|[\ud800-\udfff]/u

/** Refuses paths and names that are not valid folder names, since no skill could have them (reference skills-curator 2 and 3). */
export const checkUsageName = (name: string): Result<string> => {
  const isName = typeof name === 'string' && name.trim() !== '' && name.length <= MAX_NAME_CHARS && !forbidden.test(name)
  if (isName) return ok(name)
  const shown = typeof name === 'string' ? `'${name.slice(0, 80)}'` : `A value of type ${typeof name}`
  return err(new HermesError('invalid', `${shown} cannot be the name of a skill. Pass the name in its front matter, such as 'pdf-tools'.`))
}
