/** A quick test of the records that the journal reads: the schema takes twenty times as long, which adds up in a whole journal. Pure. */
import { MEMORY_TARGETS } from '../memory/memory-op.ts'
import { isMessageId, isQuote } from '../proposal/review-proposal.ts'
import { isData } from '../shared/json-texts.ts'
import { ORIGINS } from '../shared/origin.ts'
import { isProject } from '../storage/project-schema.ts'
import { ACTORS, type JournalRecord, KINDS, PASSES } from './journal-record.ts'

type Test = (value: unknown) => boolean

const isText: Test = (value) => typeof value === 'string'
const isNumber: Test = (value) => Number.isFinite(value)
const isOneOf =
  (...words: readonly unknown[]): Test =>
  (value) =>
    words.includes(value)
const isListOf =
  (isItem: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(isItem)

/** Has all of the required fields, and no others than these and the optional ones. */
const hasFields = (required: Readonly<Record<string, Test>>, optional: Readonly<Record<string, Test>> = {}): Test => {
  const tests = new Map(Object.entries({ ...optional, ...required }))
  const names = Object.keys(required)
  return (value) => {
    if (!isData(value)) return false
    for (const name of names) if (!Object.hasOwn(value, name)) return false
    for (const name of Object.keys(value)) if (tests.get(name)?.(value[name]) !== true) return false
    return true
  }
}

const days = { from: isText, until: isText }

const usualOps: readonly Test[] = [
  hasFields({ action: isOneOf('add'), content: isText }, days),
  hasFields({ action: isOneOf('replace'), oldText: isText, content: isText }, days),
  hasFields({ action: isOneOf('remove'), oldText: isText }),
]

const hasUsualFields = hasFields(
  { id: isText, at: isNumber, actor: isOneOf(...ACTORS), kind: isOneOf(...KINDS), reason: isText },
  {
    ...{
      sessionId: isText,
      project: (name) => typeof name === 'string' && isProject(name),
      review: isText,
      pendingId: isText,
      restoredFrom: isText,
      model: isText,
      rationale: isText,
      score: isNumber,
    },
    ...{ pass: isOneOf(...PASSES), target: isOneOf('skill', ...MEMORY_TARGETS), origin: isOneOf(...ORIGINS), previous: isListOf(isText) },
    op: (op) => usualOps.some((isOp) => isOp(op)),
    evidence: isListOf(hasFields({ quote: isQuote }, { messageId: isMessageId })),
    cost: hasFields(
      {
        calls: isNumber,
        inputTokens: isNumber,
        cachedInputTokens: isNumber,
        outputTokens: isNumber,
        durationMs: isNumber,
        estimated: isOneOf(true, false),
      },
      { model: isText },
    ),
  },
)

/** True for most records; `journalRecordSchema` returns these as they are. */
export const isUsualRecord = (data: unknown): data is JournalRecord => hasUsualFields(data)
