/**
 * Valid names of skills and categories: the rules of Python Hermes and of the open Agent Skills format combined (reference skills-curator
 * 2).
 */
import { HermesError } from '../shared/hermes-error.ts'
import { lazyPattern } from '../shared/lazy-pattern.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { IGNORED_FOLDERS } from './skill-discovery.ts'

const device = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i

/** Windows opens a device for these, with any extension. */
export const isDeviceName = (segment: string): boolean => device.test(segment)

/** Code points of a name or a category. */
export const MAX_SKILL_NAME_CHARS = 64

const openFormatName = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const hermesName = /^[a-z0-9][a-z0-9._-]*$/

const show = (value: unknown): string => (typeof value === 'string' ? `'${value.slice(0, 80)}'` : `A value of type ${typeof value}`)

const MARK = lazyPattern(String.raw`\p{M}`, 'gu')

/** A valid name similar to the given one, if there is one. */
const suggest = (text: string): string | undefined => {
  const suggestion = text
    .slice(0, 400)
    .normalize('NFKD')
    .replace(MARK.read(), '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, MAX_SKILL_NAME_CHARS)
    .replace(/-$/, '')
  return openFormatName.test(suggestion) && reservedFor(suggestion) === undefined ? suggestion : undefined
}

const reservedFor = (name: string): string | undefined => {
  if (IGNORED_FOLDERS.has(name)) return 'folders of that name are not searched for skills'
  return isDeviceName(name) ? 'Windows keeps that name for a device' : undefined
}

const refuse = (what: string, value: unknown, why: string): { readonly ok: false; readonly error: HermesError } => {
  const suggestion = typeof value === 'string' ? suggest(value) : undefined
  const message = `${show(value)} cannot be the ${what}: ${why}. ${suggestion === undefined ? `Use lowercase words joined by hyphens, such as 'pdf-tools'.` : `Try '${suggestion}'.`}`
  return err(new HermesError('invalid', message, suggestion === undefined ? {} : { details: { suggestion } }))
}

const tooLong = `it is longer than ${MAX_SKILL_NAME_CHARS} characters`

/** Strict, for new skills: 1–64 of a–z, 0–9 and single hyphens in between. The name is not trimmed. */
export const checkSkillName = (name: string): Result<string> => {
  const no = (why: string) => refuse('name of a skill', name, why)
  if (typeof name !== 'string') return no('a name must be text')
  if (name.trim() === '') return no('it is blank')
  if (name.length > MAX_SKILL_NAME_CHARS) return no(tooLong)
  if (!openFormatName.test(name)) return no('only a–z, 0–9 and single hyphens between them are allowed')
  const reserved = reservedFor(name)
  return reserved === undefined ? ok(name) : no(reserved)
}

/**
 * Strict, for new skills: one folder of a–z, 0–9, dots, underscores and hyphens, trimmed. Blank or absent means no category. Use the
 * returned value, not the argument.
 */
export const checkSkillCategory = (category: string | null | undefined): Result<string | undefined> => {
  const no = (why: string) => refuse('category of a skill', category, why)
  if (category === undefined || category === null) return ok(undefined)
  if (typeof category !== 'string') return no('a category must be text')
  const trimmed = category.trim()
  if (trimmed === '') return ok(undefined)
  if (trimmed.length > MAX_SKILL_NAME_CHARS) return no(tooLong)
  if (!hermesName.test(trimmed))
    return no('a category is one folder whose name has only a–z, 0–9, dots, underscores and hyphens, and begins with a letter or digit')
  if (trimmed.endsWith('.')) return no('it ends with a dot')
  const reserved = reservedFor(trimmed)
  return reserved === undefined ? ok(trimmed) : no(reserved)
}
