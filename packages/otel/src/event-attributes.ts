/**
 * Converts events to attributes: numbers, kinds and codes only. Never includes the text of a memory or a skill, nor an error message, which
 * may quote one.
 */
import type { LearningCost } from '@hermes/core'
import type { Attributes } from '@opentelemetry/api'
import {
  CACHED_INPUT_TOKENS,
  CONVERSATION_ID,
  CREATE_MEMORY,
  DELETE_MEMORY,
  ERROR_TYPE,
  INPUT_TOKENS,
  OUTPUT_TOKENS,
  RECORD_COUNT,
  REQUEST_MODEL,
  STORE_ID,
  UPDATE_MEMORY,
  USER_ID,
} from './conventions.ts'
import { countOf, type Fields, fieldsOf, listOf, textOf } from './read-fields.ts'

/** `undefined` if no model was called, or if the version of core does not report it. */
export const costOf = (event: Fields): LearningCost | undefined => {
  if (event['cost'] === undefined) return undefined
  const cost = fieldsOf(event['cost'])
  const model = textOf(cost['model'])
  return {
    ...(model === undefined ? {} : { model }),
    calls: countOf(cost['calls']) ?? 0,
    inputTokens: countOf(cost['inputTokens']) ?? 0,
    cachedInputTokens: countOf(cost['cachedInputTokens']) ?? 0,
    outputTokens: countOf(cost['outputTokens']) ?? 0,
    estimated: cost['estimated'] === true,
    durationMs: countOf(cost['durationMs']) ?? 0,
  }
}

export const costAttributes = (cost: LearningCost | undefined): Attributes =>
  cost === undefined
    ? {}
    : {
        ...(cost.model === undefined ? {} : { [REQUEST_MODEL]: cost.model }),
        [INPUT_TOKENS]: cost.inputTokens,
        [CACHED_INPUT_TOKENS]: cost.cachedInputTokens,
        [OUTPUT_TOKENS]: cost.outputTokens,
        'hermes.model.calls': cost.calls,
        'hermes.usage.estimated': cost.estimated,
      }

/** The code of the event's error, or `_OTHER` for an error without one; `undefined` if the event has no error. */
export const errorTypeOf = (event: Fields): string | undefined =>
  event['error'] === undefined ? undefined : (textOf(fieldsOf(event['error'])['code']) ?? '_OTHER')

/** The session of the event, and its owner if `recordOwner` is set. */
export const identityAttributes = (event: Fields, recordOwner: boolean): Attributes => {
  const sessionId = textOf(event['sessionId'])
  const owner = recordOwner ? fieldsOf(event['owner']) : {}
  const user = textOf(owner['user'])
  const tenant = textOf(owner['tenant'])
  return {
    ...(sessionId === undefined ? {} : { [CONVERSATION_ID]: sessionId }),
    ...(user === undefined ? {} : { [USER_ID]: user }),
    ...(tenant === undefined ? {} : { 'hermes.tenant': tenant }),
  }
}

export const reviewStartAttributes = (event: Fields): Attributes => ({
  'hermes.review.kind': textOf(event['reviews']) ?? 'unknown',
  'hermes.review.turns': countOf(event['turns']) ?? 0,
  'hermes.review.iterations': countOf(event['iterations']) ?? 0,
})

/** Number of proposals for each outcome. A review that failed because not all could be written carries its outcome in its error. */
export const outcomeAttributes = (event: Fields): Attributes => {
  const told = event['outcome'] ?? fieldsOf(fieldsOf(event['error'])['details'])['outcome']
  if (told === undefined) return {}
  const outcome = fieldsOf(told)
  return {
    'hermes.review.applied': listOf(outcome['applied']).length,
    'hermes.review.held': listOf(outcome['held']).length,
    'hermes.review.rejected': listOf(outcome['rejected']).length,
    'hermes.review.failed': listOf(outcome['failed']).length,
  }
}

/** Numbers of skills. A failed run carries its partial report in its error. */
export const curatorAttributes = (event: Fields): Attributes => {
  const { report } = curatorReportOf(event)
  const consolidation = fieldsOf(fieldsOf(event['outcome'])['consolidation'])
  return {
    'hermes.curator.reason': textOf(event['reason']) ?? 'unknown',
    'hermes.curator.transitioned': listOf(report['transitioned']).length,
    'hermes.curator.merged': listOf(consolidation['consolidated']).length,
  }
}

/** `startedAt`: epoch milliseconds; `undefined` if the event does not have it. */
export const curatorReportOf = (event: Fields): { readonly report: Fields; readonly startedAt: number | undefined } => {
  const failed = fieldsOf(fieldsOf(event['error'])['details'])
  const report = fieldsOf(fieldsOf(event['outcome'])['report'] ?? failed['report'])
  return { report, startedAt: countOf(report['checkedAt']) }
}

/** One write to one store of memory. */
export interface MemoryChange {
  /** `create_memory`, `update_memory` or `delete_memory`. */
  readonly operation: string
  /** Number of entries for each outcome. */
  readonly entries: { readonly added: number; readonly removed: number; readonly evicted: number }
  readonly actor: string
  /** The store: `memory` or `user`. */
  readonly target: string
}

const operationOf = (added: number, takenOut: number): string => {
  if (added === 0) return DELETE_MEMORY
  return takenOut === 0 ? CREATE_MEMORY : UPDATE_MEMORY
}

export const memoryChangeOf = (event: Fields): MemoryChange => {
  const added = listOf(event['added']).length
  const removed = listOf(event['removed']).length
  const evicted = listOf(event['evicted']).length
  return {
    // Evictions are part of the write that needed the space.
    operation: operationOf(added, removed),
    entries: { added, removed, evicted },
    actor: textOf(event['actor']) ?? 'unknown',
    target: textOf(event['target']) ?? 'unknown',
  }
}

export const memoryChangeAttributes = ({ entries, actor, target }: MemoryChange): Attributes => ({
  [STORE_ID]: target,
  [RECORD_COUNT]: Math.max(entries.added, entries.removed, entries.added === 0 ? entries.evicted : 0),
  'hermes.memory.actor': actor,
  'hermes.memory.added': entries.added,
  'hermes.memory.removed': entries.removed,
  'hermes.memory.evicted': entries.evicted,
})

/** Attributes for metrics. Each has few possible values, to limit the number of time series. */
export const countedBy = (event: Fields): Attributes => {
  const type = textOf(event['type']) ?? 'unknown'
  const error = errorTypeOf(event)
  const operation = textOf(event['operation'])
  const mistake = textOf(event['mistake'])
  const reason = textOf(event['reason'])
  return {
    'hermes.event.type': type,
    ...(error === undefined ? {} : { [ERROR_TYPE]: error }),
    ...(operation === undefined ? {} : { 'hermes.operation': operation }),
    ...(mistake === undefined ? {} : { 'hermes.mistake': mistake }),
    ...(reason === undefined ? {} : { 'hermes.reason': reason }),
  }
}
