/** Prepares operations from callers, typed or not: checks newlines, padding, shape and forbidden content. */

import type { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { stripWhiteSpace } from '../shared/white-space.ts'
import { findNewCredentials } from '../threats/credentials/find-credentials.ts'
import { createMemoryScan, type MemoryScan } from '../threats/scan.ts'
import { ENTRY_DELIMITER, normaliseNewlines } from './entry-list.ts'
import { MEMORY_ACTIONS, type MemoryOp } from './memory-op.ts'
import {
  blockedContent,
  credentialInside,
  delimiterInside,
  emptyBatch,
  emptyContent,
  emptyOldText,
  halfCharacter,
  notAnOperation,
  notText,
  unknownAction,
} from './memory-refusal.ts'

export interface PreparedOps {
  /** True for a list, even of one operation: all or nothing, with stricter rules (reference hermes-memory 3). */
  readonly batch: boolean
  /** An invalid operation keeps its place, so that the first one determines the error. */
  readonly ops: readonly Result<MemoryOp>[]
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const prepareText = (field: 'content' | 'oldText', value: unknown, action: MemoryOp['action']): Result<string> => {
  if (value !== undefined && value !== null && typeof value !== 'string') return err(notText(field))
  const text = stripWhiteSpace(normaliseNewlines(value ?? ''))
  if (text === '') return err(field === 'content' ? emptyContent(action) : emptyOldText())
  return /[\ud800-\udfff]/u.test(text) ? err(halfCharacter(field)) : ok(text)
}

const prepareOp = (input: unknown): Result<MemoryOp> => {
  if (!isObject(input)) return err(notAnOperation())
  const action = MEMORY_ACTIONS.find((name) => name === input['action'])
  if (!action) return err(unknownAction(input['action']))
  if (action === 'add') {
    const content = prepareText('content', input['content'], action)
    return content.ok ? ok({ action, content: content.value }) : content
  }
  const oldText = prepareText('oldText', input['oldText'], action)
  if (!oldText.ok) return oldText
  if (action === 'remove') return ok({ action, oldText: oldText.value })
  const content = prepareText('content', input['content'], action)
  return content.ok ? ok({ action, oldText: oldText.value, content: content.value }) : content
}

/** Scans the prepared text, which is what will be stored. */
const checkContent = (op: MemoryOp, scan: MemoryScan): HermesError | undefined => {
  if (op.action === 'remove') return undefined
  if (op.content.includes(ENTRY_DELIMITER)) return delimiterInside()
  const kinds = findNewCredentials('', op.content)
  if (kinds) return credentialInside(kinds)
  const findings = scan.one(op.content)
  return findings.length > 0 ? blockedContent(findings) : undefined
}

/**
 * Refuses what can be judged without the store: an invalid single operation, an empty list, forbidden content. `scan`: the scan of the
 * store.
 */
export const prepareOps = (input: unknown, scan: MemoryScan = createMemoryScan()): Result<PreparedOps> => {
  const batch = Array.isArray(input)
  const ops = (batch ? input : [input]).map(prepareOp)
  if (ops.length === 0) return err(emptyBatch())
  for (const op of ops) {
    const problem = op.ok ? checkContent(op.value, scan) : batch ? undefined : op.error
    if (problem) return err(problem)
  }
  return ok({ batch, ops })
}
