/**
 * Converts a stored record, with the keys of Python Hermes, to a `UsageRecord` and back. Any value is readable: a field of the wrong type
 * counts as its default, and is kept until a new value is written.
 */
import { projectFault } from '../storage/project.ts'
import { NumberText } from './python-json.ts'
import { formatPythonTime, parsePythonTime } from './python-time.ts'
import { NO_TEXTS, SKILL_STATES, type SkillState, toUsageRecord, type UsageRecord, type UsageRecordInput } from './usage-record.ts'
import { checkUses } from './uses-by-day.ts'

const MAX_MODEL_CHARS = 200

export type StoredRecord = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is StoredRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText)

/** Python's truth values, so that hand-edited pins are respected. */
const isTruthy = (value: unknown): boolean => {
  if (value instanceof NumberText) return Number(value.text) !== 0
  if (Array.isArray(value)) return value.length > 0
  return isObject(value) ? Object.keys(value).length > 0 : Boolean(value)
}

/** Python's int(): whole numbers in text count; anything else is 0. */
const toCount = (value: unknown): number => {
  if (typeof value === 'boolean') return Number(value)
  const text = value instanceof NumberText ? value.text : value
  if (typeof value === 'string' && !/^\s*[+-]?\d+\s*$/.test(value)) return 0
  const count = typeof text === 'number' || typeof text === 'string' ? Math.trunc(Number(text)) : 0
  return Number.isSafeInteger(count) ? count : 0
}

const toAt = (value: unknown): number => parsePythonTime(value) ?? 0

const toState = (value: unknown): SkillState => SKILL_STATES.find((state) => state === value) ?? 'active'

/** A model's name, up to a maximum length. */
const toModel = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value.slice(0, MAX_MODEL_CHARS) : null)

/** A file's path never collides with a name of Object.prototype: these have no digest. */
const toTexts = (value: unknown): UsageRecord['ownTexts'] => {
  const texts = isObject(value) ? Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string') : []
  return texts.length === 0 ? NO_TEXTS : Object.fromEntries(texts)
}

const toProject = (value: unknown): string | undefined => (projectFault(value) === undefined ? (value as string) : undefined)

const fromAt = (at: number): string | null => (at === 0 ? null : formatPythonTime(at))

interface Field<T> {
  readonly key: string
  readonly read: (value: unknown, stored: StoredRecord) => T
  readonly write: (value: T) => unknown
  /** Python Hermes does not know this field: if absent, its default is not written. */
  readonly isOurs?: true
}

const count = (key: string): Field<number> => ({ key, read: toCount, write: (value) => value })
/** Never negative. */
const ourCount = (key: string): Field<number> => ({ ...count(key), read: (value) => Math.max(0, toCount(value)), isOurs: true })
const model = (key: string): Field<string | null> => ({ key, read: toModel, write: (value) => value, isOurs: true })
const time = (key: string): Field<number> => ({ key, read: toAt, write: fromAt })

const FIELDS: { readonly [Name in keyof UsageRecordInput]-?: Field<UsageRecordInput[Name]> } = {
  createdBy: {
    key: 'created_by',
    // The older mark of an agent's skill; only `true` itself counts.
    read: (value, stored) => (typeof value === 'string' && value !== '' ? value : stored['agent_created'] === true ? 'agent' : null),
    write: (value) => value,
  },
  state: { key: 'state', read: toState, write: (value) => value },
  pinned: { key: 'pinned', read: isTruthy, write: (value) => value },
  useCount: count('use_count'),
  viewCount: count('view_count'),
  patchCount: count('patch_count'),
  lastUsedAt: time('last_used_at'),
  lastViewedAt: time('last_viewed_at'),
  lastPatchedAt: time('last_patched_at'),
  createdAt: time('created_at'),
  archivedAt: time('archived_at'),
  patchGeneration: count('patch_generation'),
  lastReusedPatchGeneration: count('last_reused_patch_generation'),
  restoredAt: { ...time('restored_at'), isOurs: true },
  misjudgements: ourCount('misjudgements'),
  createdByModel: model('created_by_model'),
  patchedByModel: model('patched_by_model'),
  successCount: ourCount('success_count'),
  correctionCount: ourCount('correction_count'),
  failureCount: ourCount('failure_count'),
  lastFailedAt: { ...time('last_failed_at'), isOurs: true },
  repairCount: ourCount('repair_count'),
  unprovenRepairs: ourCount('unproven_repairs'),
  ownTexts: { key: 'own_texts', read: toTexts, write: (value) => value, isOurs: true },
  usesByDay: { key: 'uses_by_day', read: checkUses, write: (value) => value, isOurs: true },
  project: { key: 'project', read: toProject, write: (value) => value, isOurs: true },
}

/** Each field of a record in the sidecar. Fields of one type are read and written alike, so they are listed once. */
const ALL = Object.entries(FIELDS) as readonly [keyof UsageRecordInput, Field<unknown>][]

/** `undefined` for an entry that is not a record. */
export const readStoredRecord = (stored: unknown): UsageRecord | undefined => {
  if (!isObject(stored)) return undefined
  const { usesByDay, project, ...read } = Object.fromEntries(
    ALL.map(([name, { key, read: toValue }]) => [name, toValue(stored[key], stored)]),
  ) as unknown as UsageRecordInput
  return toUsageRecord({ ...read, ...(usesByDay === undefined ? {} : { usesByDay }), ...(project === undefined ? {} : { project }) })
}

/** Keeps unknown fields, and fields whose stored form already means the new value. */
export const writeStoredRecord = (stored: unknown, record: UsageRecordInput): StoredRecord => {
  const before = isObject(stored) ? stored : {}
  const next: Record<string, unknown> = { ...before }
  for (const [name, { key, read, write, isOurs }] of ALL) {
    const value = record[name]
    const isAbsent = !(key in before) && !isOurs
    if (value !== undefined && (isAbsent || read(before[key], before) !== value)) next[key] = write(value)
  }
  if (before['agent_created'] === true && record.createdBy !== 'agent') next['agent_created'] = false
  return next
}
