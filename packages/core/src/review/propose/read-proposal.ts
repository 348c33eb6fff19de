/** Converts one item of the model's list into the shape of a proposal: accepts other spellings of keys, invents nothing. */
import { evidenceSchema } from '../../proposal/review-proposal.ts'
import { ok } from '../../shared/result.ts'
import { drop, type ProposedItem } from './review-proposer.ts'

const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Searches the whole value at any depth. */
export const hasForbiddenKey = (value: unknown): boolean => {
  const open: unknown[] = [value]
  while (open.length > 0) {
    const part = open.pop()
    if (typeof part !== 'object' || part === null) continue
    if (!Array.isArray(part) && Object.keys(part).some((key) => FORBIDDEN_KEYS.has(key))) return true
    for (const inner of Object.values(part)) open.push(inner)
  }
  return false
}

const firstGiven = (...values: readonly unknown[]): unknown => values.find((value) => value !== undefined && value !== null)

/** Drops missing fields, so that a strict model's nulls do not count as values. */
const given = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))

const MAX_EVIDENCE = 20

/** A bare number is ambiguous, since models count from different starts; the quote is then searched for in all messages. */
const readMessageId = (value: unknown): unknown =>
  typeof value === 'number' || (typeof value === 'string' && /^\s*\d*\s*$/.test(value)) ? undefined : value

const readQuote = (item: unknown): unknown => {
  if (typeof item === 'string') return { quote: item }
  if (!isObject(item)) return item
  return given({
    messageId: readMessageId(firstGiven(item['messageId'], item['message_id'], item['id'])),
    quote: firstGiven(item['quote'], item['text']),
  })
}

/** Unreadable evidence is dropped alone; the rest of the proposal stays. */
const readEvidence = (value: unknown): unknown => {
  if (value === undefined || value === null) return undefined
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  return items
    .map(readQuote)
    .flatMap((item) => {
      const parsed = evidenceSchema.safeParse(item)
      return parsed.success && parsed.data.quote.trim() !== '' ? [given(parsed.data)] : []
    })
    .slice(0, MAX_EVIDENCE)
}

/** Accepts a number as a string ("0.9"), but no words or percentages: a score is never invented. */
const readScore = (value: unknown): unknown =>
  typeof value === 'string' && /^\s*(?:0|1|0?\.\d{1,10}|[01]\.\d{1,10})\s*$/.test(value) ? Number(value) : value

/** Normalises names such as "Add" and " USER ". */
const readName = (value: unknown): unknown => (typeof value === 'string' ? value.trim().toLowerCase() : value)

type Fields = Readonly<Record<string, unknown>>

const opOf = (item: Fields): Fields => (isObject(item['op']) ? item['op'] : item)

const actionOf = (item: Fields): unknown =>
  readName(firstGiven(opOf(item)['action'], typeof item['op'] === 'string' ? item['op'] : undefined))

/** A day alone: the words of the entry say the hour. What no day can say, such as "every other Friday", is left to the words too. */
const readDay = (value: unknown): unknown => (typeof value === 'string' ? /^\s*(\d{4}-\d{2}-\d{2})(?![\d-])/.exec(value)?.[1] : undefined)

const readMemoryOp = (item: Fields): unknown => {
  const op = opOf(item)
  return given({
    action: actionOf(item),
    content: firstGiven(op['content'], op['newText'], op['new_text']),
    oldText: firstGiven(op['oldText'], op['old_text']),
    from: readDay(op['from']),
    until: readDay(op['until']),
  })
}

/** Accepts "write-file" for write_file. */
const readSkillAction = (action: unknown): unknown => (typeof action === 'string' ? action.replace(/[\s-]+/g, '_') : action)

/** Accepts the parameter names of the agent's skill tool as well. */
const readSkillOp = (item: Fields): unknown => {
  const op = opOf(item)
  return given({
    action: readSkillAction(actionOf(item)),
    name: firstGiven(op['name'], op['skillName'], op['skill_name']),
    category: op['category'],
    content: firstGiven(op['content'], op['fileContent'], op['file_content']),
    oldText: firstGiven(op['oldText'], op['old_text'], op['oldString'], op['old_string']),
    newText: firstGiven(op['newText'], op['new_text'], op['newString'], op['new_string']),
    filePath: firstGiven(op['filePath'], op['file_path']),
    replaceAll: firstGiven(op['replaceAll'], op['replace_all']),
    absorbedInto: firstGiven(op['absorbedInto'], op['absorbed_into']),
  })
}

const readTarget = (value: unknown): unknown => {
  const target = readName(value)
  return target === 'skills' ? 'skill' : target
}

export const isProposalLike = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && ('op' in value || 'action' in value)

/** The result is unvalidated; an item with a key that could reach a prototype is dropped. */
export const readProposal = (item: unknown): ProposedItem => {
  if (!isObject(item)) return ok(item)
  if (hasForbiddenKey(item)) return drop('It contains a key that no proposal may contain.')
  const { rationale, reason, score, evidence } = item
  const target = readTarget(item['target'])
  const fields = given({
    target,
    op: target === 'skill' ? readSkillOp(item) : readMemoryOp(item),
    rationale: firstGiven(rationale, reason),
    score: readScore(score),
    evidence: readEvidence(evidence),
  })
  return ok(fields)
}
