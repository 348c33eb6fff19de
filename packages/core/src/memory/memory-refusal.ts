/** Errors of refused operations: one per cause, each naming the next step (reference hermes-memory 3). */
import { HermesError, type HermesErrorCode } from '../shared/hermes-error.ts'
import { isOwnOrigin } from '../shared/origin.ts'
import { CREDENTIAL_FINDING, sanitiseEntries } from './memory-block.ts'
import { countUsedChars, formatCount, formatUsage, memoryFileName, previewText } from './memory-document.ts'
import { type EntryOrigin, MEMORY_ACTIONS, type MemoryOp, type MemoryTarget, targetsOf } from './memory-op.ts'

const quoted = (value: unknown): string =>
  typeof value === 'string' ? `'${previewText(value, 40)}'` : value === null ? 'null' : typeof value

const invalid = (message: string): HermesError => new HermesError('invalid', message)

export const unknownTarget = (target: unknown, project: string | undefined): HermesError =>
  target === 'project'
    ? invalid(
        "There is no project here, so there is no store 'project'. Name one: { project: 'webshop' } in createHermes, in hermes.session(id, …) or in the options of this call.",
      )
    : invalid(
        `Unknown target ${quoted(target)}: use ${targetsOf({ project })
          .map((name) => `'${name}'`)
          .join(' or ')}.`,
      )

export const unknownAction = (action: unknown): HermesError =>
  invalid(`Unknown action ${quoted(action)}: use ${MEMORY_ACTIONS.map((name) => `'${name}'`).join(', ')}.`)

export const notAnOperation = (): HermesError =>
  invalid(`Each operation must be an object with an action (${MEMORY_ACTIONS.join(', ')}) and its texts.`)

export const notText = (field: string): HermesError => invalid(`${field} must be text.`)

export const halfCharacter = (field: string): HermesError =>
  invalid(`${field} holds half a character (a lone surrogate): send it as well-formed text.`)

export const delimiterInside = (): HermesError =>
  invalid("content holds a line with nothing but '§', which separates entries. Send one entry per operation, or leave that line out.")

/** An entry that would merge with the following delimiter; `mine`: this operation wrote it. */
export const unstableEntry = (target: MemoryTarget, entry: string, mine: boolean): HermesError =>
  new HermesError(
    'invalid',
    mine
      ? "content ends with a line holding nothing but '§', which would run into the separator of the next entry. Leave that line out."
      : `The entry '${previewText(sanitiseEntries(target, [entry])[0] ?? '')}' ends with a line holding nothing but '§', so no entry can follow it. Replace it by the same text without that line, then retry.`,
    { details: { entry } },
  )

export const emptyContent = (action: MemoryOp['action']): HermesError => {
  const message = 'content is missing or blank: give the complete entry.'
  return new HermesError('empty', action === 'replace' ? `${message} To take an entry away, use the action remove.` : message)
}

export const emptyOldText = (): HermesError =>
  new HermesError('empty', 'oldText is missing or blank: give a short piece of the entry you mean that no other entry contains.')

export const emptyBatch = (): HermesError => new HermesError('empty', 'The list of operations is empty: give at least one.')

/** Names the findings, never the text, which would otherwise enter the conversation. */
export const blockedContent = (findings: readonly string[], neighbours = false): HermesError =>
  new HermesError(
    'blocked',
    `${neighbours ? 'Together with the entries around it, content' : 'Content'} was refused by the threat scan (${findings.join(', ')}). ` +
      'Memory is read in every later session; state the plain fact without such wording, or leave it out.',
    { details: { findings } },
  )

/** Names the kinds, never the value. */
export const credentialInside = (kinds: readonly string[]): HermesError =>
  new HermesError(
    'blocked',
    `Content was refused because it holds ${kinds.join(' and ')}. Memory is sent to the model in every conversation, so secrets are never kept in it: ` +
      'keep this one in a password manager, and remember only where it is.',
    { details: { findings: [CREDENTIAL_FINDING], kinds } },
  )

export const disabledTarget = (target: MemoryTarget): HermesError =>
  new HermesError(
    'disabled',
    `The store '${target}' is switched off, so nothing can be written to it. Switch it on in the options of the memory store.`,
  )

const withEntries = (code: HermesErrorCode, message: string, entries: readonly string[], charLimit: number, more = {}): HermesError => {
  const usedChars = countUsedChars(entries)
  const facts = { usedChars, charLimit, usage: formatUsage(usedChars, charLimit), currentEntries: [...entries] }
  return new HermesError(code, message, { details: { ...facts, ...more } })
}

export const nothingMatches = (oldText: string, entries: readonly string[], charLimit: number): HermesError => {
  const message = `No entry contains '${previewText(oldText)}'. Matching is letter for letter: copy a short piece of the entry as it stands now.`
  return withEntries('not_found', message, entries, charLimit)
}

/** For a change that is taken back. */
export const changedEntry = (entry: string): HermesError =>
  new HermesError('drift', `The entry '${previewText(entry)}' has been changed or removed since, so nothing was changed.`)

/**
 * Candidates as previews of 80 code points; entries with findings as placeholders, because the model reads the message. `shown`: those that it may read.
 */
export const severalMatch = (
  target: MemoryTarget,
  oldText: string,
  matched: readonly string[],
  shown: readonly string[] = matched,
): HermesError => {
  const previews = sanitiseEntries(target, shown).map((text, index) => (text === shown[index] ? previewText(text) : text))
  const candidates = previews.length > 0 ? ` Candidates: ${previews.join(' | ')}` : ''
  const message = `'${previewText(oldText)}' matches ${matched.length} different entries; quote more of the one you mean.${candidates}`
  return new HermesError('ambiguous', message, { details: { matches: previews, matched: shown, oldText } })
}

export interface Overflow {
  /** Code points of the store after the change. */
  readonly wouldUse: number
  readonly charLimit: number
  /** Code points of the longest text to write. */
  readonly longest: number
  /** Eviction was allowed but could not free enough room. */
  readonly evicts: boolean
}

const NOTHING_GIVES_WAY = 'No entry may make room for it: those that are pinned, written by hand or trusted more stay. '

export const overLimit = (
  target: MemoryTarget,
  entries: readonly string[],
  { wouldUse, charLimit, longest, evicts }: Overflow,
): HermesError => {
  const over = wouldUse - charLimit
  if (longest > charLimit) {
    const sizes = `The entry has ${formatCount(longest)} characters, but all of ${memoryFileName(target)} may have at most ${formatCount(charLimit)}`
    return withEntries('over_limit', `${sizes}. Shorten it: an entry is a sentence or two.`, entries, charLimit, { over })
  }
  const message =
    `${memoryFileName(target)} would be ${formatCount(over)} ${over === 1 ? 'character' : 'characters'} over its limit (${formatCount(wouldUse)}/${formatCount(charLimit)}). ` +
    (evicts ? NOTHING_GIVES_WAY : '') +
    'Merge entries that belong together with replace, or remove stale ones, then retry; one batch can do both.'
  return withEntries('over_limit', message, entries, charLimit, { over })
}

export const wouldEmpty = (target: MemoryTarget): HermesError =>
  new HermesError(
    'would_empty',
    `This batch would remove every entry of ${memoryFileName(target)}. Keep or add at least one; to clear the last entry, remove it by itself.`,
  )

export const foreignEntry = (target: MemoryTarget, entryChars: number, charLimit: number): HermesError =>
  new HermesError(
    'drift',
    `${memoryFileName(target)} holds one entry of ${formatCount(entryChars)} characters, more than the whole limit of ${formatCount(charLimit)}: ` +
      'it was not written by this store, and a change could lose it. Split or shorten it by hand, or raise the limit, then retry.',
    { details: { entryChars, charLimit } },
  )

// What a refusal may show the agent: entries from outside stay out, since the agent's words count as its own (DESIGN 5).

type Origins = ReadonlyMap<string, EntryOrigin>

/** Entries whose origin is known and not from outside. */
export const ownOf = (entries: readonly string[], origins: Origins): readonly string[] =>
  entries.filter((entry) => isOwnOrigin(origins.get(entry)))

const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((each) => typeof each === 'string')

export const withoutOutside = (target: MemoryTarget, error: HermesError, origins: Origins): HermesError => {
  const { code, message, cause, details } = error
  const { currentEntries, matched, oldText } = details
  if (isTexts(matched) && typeof oldText === 'string') return severalMatch(target, oldText, matched, ownOf(matched, origins))
  return isTexts(currentEntries)
    ? new HermesError(code, message, { cause, details: { ...details, currentEntries: ownOf(currentEntries, origins) } })
    : error
}
