/** What a person may ask to be forgotten, checked. */
import { ENTRY_DELIMITER, normaliseNewlines } from '../memory/entry-list.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { foldForSearch } from './text-matcher.ts'

/**
 * A text: whatever contains it. `entry`: one entry of memory, found by its text or by a piece that no other entry holds. `session`: all
 * that is kept of a session, and what it wrote to memory.
 */
export type ForgetTarget = string | { readonly entry: string } | { readonly session: string }

/** Characters, as they are compared. A shorter text is part of nearly everything. */
export const MIN_TEXT_CHARS = 3

export type CheckedTarget =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'entry'; readonly text: string }
  | { readonly kind: 'session'; readonly id: string }

const invalid = (message: string): Result<never> => err(new HermesError('invalid', message))

export const isLongEnough = (text: string): boolean => Array.from(foldForSearch(text).trim()).length >= MIN_TEXT_CHARS

const checkText = (kind: 'text' | 'entry', text: string): Result<CheckedTarget> => {
  if (normaliseNewlines(text).includes(ENTRY_DELIMITER))
    return invalid('The text spans several entries of memory. Forget each of them by itself.')
  if (!isLongEnough(text))
    return invalid(
      `The text to forget needs at least ${MIN_TEXT_CHARS} characters that can be seen; a shorter one is part of nearly everything. Say more of it.`,
    )
  return ok({ kind, text })
}

const textAt = (target: object, key: string): string | undefined => {
  const value: unknown = Reflect.get(target, key)
  return Object.keys(target).length === 1 && typeof value === 'string' ? value : undefined
}

/** `invalid` for what is no target, with what one looks like. */
export const checkTarget = (target: unknown): Result<CheckedTarget> => {
  if (typeof target === 'string') return checkText('text', target)
  const given = typeof target === 'object' && target !== null ? target : {}
  const entry = textAt(given, 'entry')
  if (entry !== undefined) return checkText('entry', entry)
  const id = textAt(given, 'session')
  if (id !== undefined && id !== '' && id.isWellFormed()) return ok({ kind: 'session', id })
  return invalid("Say what to forget: a text, { entry: 'a piece of one entry of memory' } or { session: 'the id of a session' }.")
}
