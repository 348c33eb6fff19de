/** Checks what a caller asks to be forgotten. */
import { ENTRY_DELIMITER, normaliseNewlines } from '../memory/memory-document.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { foldForSearch } from './text-matcher.ts'

/**
 * A string: everything that contains this text. `entry`: one memory entry, given by its text or by a piece of text that no other entry contains. `session`:
 * everything stored for the session with this id, and what it wrote to memory.
 */
export type ForgetTarget = string | { readonly entry: string } | { readonly session: string }

/** Characters, after folding. A shorter text occurs nearly everywhere. */
const MIN_TEXT_CHARS = 3

export type CheckedTarget =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'entry'; readonly text: string }
  | { readonly kind: 'session'; readonly id: string }

const invalid = (message: string): Result<never> => err(new HermesError('invalid', message))

export const isLongEnough = (text: string): boolean => Array.from(foldForSearch(text).trim()).length >= MIN_TEXT_CHARS

const checkText = (kind: 'text' | 'entry', text: string): Result<CheckedTarget> => {
  if (normaliseNewlines(text).includes(ENTRY_DELIMITER))
    return invalid('The text spans several memory entries. Forget each entry separately.')
  if (!isLongEnough(text))
    return invalid(
      `The text to forget needs at least ${MIN_TEXT_CHARS} visible characters; a shorter text occurs nearly everywhere. Pass a longer piece.`,
    )
  return ok({ kind, text })
}

const textAt = (target: object, key: string): string | undefined => {
  const value: unknown = Reflect.get(target, key)
  return Object.keys(target).length === 1 && typeof value === 'string' ? value : undefined
}

/** Fails with `invalid` if the value is not a `ForgetTarget`. */
export const checkTarget = (target: unknown): Result<CheckedTarget> => {
  if (typeof target === 'string') return checkText('text', target)
  const given = typeof target === 'object' && target !== null ? target : {}
  const entry = textAt(given, 'entry')
  if (entry !== undefined) return checkText('entry', entry)
  const id = textAt(given, 'session')
  if (id !== undefined && id !== '' && id.isWellFormed()) return ok({ kind: 'session', id })
  return invalid("Pass what to forget: a text, { entry: 'a piece of one memory entry' } or { session: 'the id of a session' }.")
}
