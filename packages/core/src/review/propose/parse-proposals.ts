/**
 * Parses a model's answer into raw proposals: lenient about the surrounding text, strict about the proposals (reference ecosystem 3). Nothing is repaired,
 * because repaired text would be invented text. Never throws.
 */
import { candidateTexts } from '../../model/answer-text.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { redactCredentials } from '../../threats/credentials/redact-credentials.ts'
import { DEFAULT_MAX_PROPOSALS } from '../review-limits.ts'
import { hasForbiddenKey, isProposalLike, readProposal } from './read-proposal.ts'
import { drop, type ProposedItem, type ProposedItems } from './review-proposer.ts'

const closers: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

/**
 * Index after the JSON value that opens at `start`, found by balanced brackets outside strings; undefined if it never closes or closes with the wrong
 * bracket.
 */
const endOfValue = (text: string, start: number): number | undefined => {
  const open: string[] = []
  let inString = false
  for (let at = start; at < text.length; at++) {
    const character = text[at] as string
    if (inString) {
      if (character === '\\') at++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character in closers) open.push(closers[character] as string)
    else if (character === '}' || character === ']') {
      if (open.pop() !== character) return undefined
      if (open.length === 0) return at + 1
    }
  }
  return undefined
}

/** Index of the next opening bracket from `from` on, or -1. */
const nextOpening = (text: string, from: number): number => {
  const object = text.indexOf('{', from)
  const list = text.indexOf('[', from)
  return object < 0 ? list : list < 0 ? object : Math.min(object, list)
}

interface ScannedItems {
  /** The text of each complete object. */
  readonly items: readonly string[]
  /** True if the list breaks off before its end. */
  readonly truncated: boolean
}

/** The objects directly inside the list that opens at `start`, even if the list never closes. */
const scanListItems = (text: string, start: number): ScannedItems => {
  const items: string[] = []
  let at = start + 1
  while (at < text.length) {
    const character = text[at] as string
    if (character === ']') return { items, truncated: false }
    if (character === '{') {
      const end = endOfValue(text, at)
      if (end === undefined) return { items, truncated: true }
      items.push(text.slice(at, end))
      at = end
    } else at++
  }
  return { items, truncated: true }
}

const controls: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Escapes line breaks and tabs inside strings, which JSON forbids and models write in long texts. */
const escapeControls = (text: string): string => {
  const parts: string[] = []
  let inString = false
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string
    if (inString && character === '\\') at++
    else if (character === '"') inString = !inString
    else if (inString && character in controls) {
      parts.push(text.slice(from, at), controls[character] as string)
      from = at + 1
    }
  }
  return `${parts.join('')}${text.slice(from)}`
}

/** Maximum characters of an answer that are parsed; the rest counts as cut off. */
export const MAX_ANSWER_CHARS = 256_000
/** Maximum number of opening brackets tried, since prose may contain brackets that are no list. */
const MAX_STARTS = 16
const MAX_PROSE_CHARS = 1_000

/** Maximum number of proposals past the limit that are reported with their text; further ones are only counted. */
const MAX_TOLD_PAST_LIMIT = 200

const saysNothing =
  /\b(?:nothing|no (?:new |further |durable )?(?:proposals?|facts?|memor(?:y|ies)|entries|changes?|updates?))\b[^.!?\n]{0,80}\b(?:save|saved|saving|remember|remembering|store|storing|keep|keeping|add|propose|record|needed|worth|update)|^\s*(?:nothing|none|no proposals)\s*[.!]?\s*$/i

interface Items {
  readonly items: readonly ProposedItem[]
  readonly truncated: boolean
}

const parseStrict = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

const parseJson = (text: string): { readonly value: unknown } | undefined => {
  const parsed = parseStrict(text)
  if (parsed) return parsed
  const escaped = escapeControls(text)
  return escaped === text ? undefined : parseStrict(escaped)
}

/** The list inside a complete value, or undefined if it contains none. */
const listOf = (value: unknown): readonly unknown[] | undefined => {
  if (Array.isArray(value)) return value.length === 0 || value.some((item) => typeof item === 'object' && item !== null) ? value : undefined
  if (typeof value !== 'object' || value === null) return undefined
  if (isProposalLike(value)) return [value]
  const fields = Object.entries(value)
  if (fields.some(([key]) => key === 'proposals' && !Array.isArray(Reflect.get(value, key)) && Reflect.get(value, key) !== null))
    return undefined
  if (fields.some(([key, inner]) => key === 'proposals' && inner === null)) return []
  const list =
    fields.find(([key, inner]) => key === 'proposals' && Array.isArray(inner)) ?? fields.find(([, inner]) => Array.isArray(inner))
  // An envelope may have further keys, but none that could reach a prototype.
  if (hasForbiddenKey(Object.fromEntries(fields.filter((field) => field !== list)))) return undefined
  return list && Array.isArray(list[1]) ? list[1] : undefined
}

const envelopeList = /^\{\s*(?:"[a-zA-Z_]{1,40}"\s*:\s*"[^"\\]{0,2000}"\s*,\s*)*"proposals"\s*:\s*\[/

/** The complete items of a list that breaks off or that is not valid JSON as a whole. */
const salvage = (text: string, start: number): Items | undefined => {
  const envelope = text[start] === '{' ? envelopeList.exec(text.slice(start, start + 10_000)) : undefined
  const listStart = text[start] === '[' ? start : envelope ? start + envelope[0].length - 1 : undefined
  if (listStart === undefined) return undefined
  const { items, truncated } = scanListItems(text, listStart)
  const read = items.map((item): ProposedItem => {
    const parsed = parseJson(item)
    return parsed ? ok(parsed.value) : drop('It is not valid JSON.', item.slice(0, 2_000))
  })
  const isList = read.some((item) => item.ok && isProposalLike(item.value)) || (envelope !== undefined && (truncated || read.length > 0))
  return isList ? { items: read, truncated } : undefined
}

const findItems = (text: string): Items | undefined => {
  let start = nextOpening(text, 0)
  for (let tries = 0; start >= 0 && tries < MAX_STARTS; tries++) {
    const end = endOfValue(text, start)
    const whole = end === undefined ? undefined : parseJson(text.slice(start, end))
    const list = whole && listOf(whole.value)
    const found = list ? { items: list.map(ok), truncated: false } : whole ? undefined : salvage(text, start)
    if (found) return found
    start = nextOpening(text, whole && end !== undefined ? end : start + 1)
  }
  return undefined
}

const readItem = (item: ProposedItem): ProposedItem => (item.ok ? readProposal(item.value) : item)

const pastLimit = (item: ProposedItem, maxProposals: number): ProposedItem =>
  item.ok ? drop(`One review considers at most ${maxProposals} proposals, and this one came after them.`, item.value) : item

const capped = ({ items: given, truncated }: Items, maxProposals: number): readonly ProposedItem[] => {
  const end = maxProposals + MAX_TOLD_PAST_LIMIT
  const uncounted = given.length - end
  const items = given.slice(0, end).map(readItem)
  return [
    ...items.slice(0, maxProposals),
    ...items.slice(maxProposals).map((item) => pastLimit(item, maxProposals)),
    ...(uncounted > 0 ? [drop(`${uncounted} more proposals followed, but one review considers at most ${maxProposals}.`)] : []),
    ...(truncated ? [drop('The answer was cut off; the incomplete part was dropped.')] : []),
  ]
}

/** Long enough for every key that begins in the part that is shown, since half a key is still a secret. */
const REDACTED_CHARS = 10_000
const SHOWN_CHARS = 500

const unreadable = (why: string, answer: string): HermesError =>
  new HermesError('unparseable', why, { details: { answer: redactCredentials(answer.slice(0, REDACTED_CHARS)).slice(0, SHOWN_CHARS) } })

/** Raw items, each to be validated alone; a dropped item has a reason. `unparseable` if the answer contains no list. */
export const parseProposals = (answer: string, maxProposals: number = DEFAULT_MAX_PROPOSALS): Result<ProposedItems> => {
  const texts = candidateTexts(answer.slice(0, MAX_ANSWER_CHARS))
  for (const text of texts) {
    const found = findItems(text)
    if (found && (found.items.length > 0 || !found.truncated)) return ok({ items: capped(found, maxProposals) })
    if (found) return err(unreadable('The answer broke off before the first complete proposal.', answer))
  }
  const last = texts[0] ?? ''
  if (last.length <= MAX_PROSE_CHARS && saysNothing.test(last)) return ok({ items: [] })
  const why = answer.trim() === '' ? 'The answer is empty.' : 'The answer holds no JSON object with a "proposals" list.'
  return err(unreadable(why, answer))
}
