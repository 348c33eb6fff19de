/** What the model reads after a memory call. Entries are not echoed on success: models then repeat the edit (reference hermes-memory 3). */
import { sanitiseEntries } from '../memory/blocked-entry.ts'
import type { MemoryOpOutcome, MemoryTarget } from '../memory/memory-op.ts'
import { describeFailure } from './describe-failure.ts'
import { memoryFailures } from './memory-failure.ts'
import type { MemoryWriteReply } from './memory-tool-effects.ts'
import type { MemoryToolResult, MemoryToolSuccess, ToolRefusal } from './tool-results.ts'

const SHOWS_ENTRIES: ReadonlySet<string> = new Set(['over_limit', 'not_found'])

const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((each) => typeof each === 'string')

const isFromOutside = ({ facts = [] }: MemoryOpOutcome): boolean => facts.some(({ content }) => content?.origin === 'tool')

const FROM_OUTSIDE =
  ' It is kept apart as text from outside, since such text is in this conversation and no message of the user holds all of it. What the user said is found by a later review.'

const describeApplied = (outcome: MemoryOpOutcome): MemoryToolSuccess => ({
  success: true,
  done: true,
  target: outcome.target,
  usage: outcome.usage,
  entry_count: outcome.entryCount,
  message: `${outcome.message} It is saved; do not repeat the call.${isFromOutside(outcome) ? FROM_OUTSIDE : ''} Your prompt shows it from the next session on.`,
  ...(outcome.previous.length > 0 ? { previous: sanitiseEntries(outcome.target, outcome.previous) } : {}),
})

const describeHeld = (target: MemoryTarget, reply: Extract<MemoryWriteReply, { kind: 'held' }>): ToolRefusal => ({
  success: false,
  done: true,
  held: true,
  target,
  error: `Nothing is saved yet: this change waits (${reply.reason}). A later review settles it by itself if the user said it; otherwise a person decides. Do not retry it, reword it or save it in another way; go on with the task.`,
  ...(reply.pendingId === undefined ? {} : { pending_id: reply.pendingId }),
})

const describeRefused = (target: MemoryTarget, refusal: Extract<MemoryWriteReply, { kind: 'refused' }>): ToolRefusal => {
  const { code, message, details = {} } = refusal
  const { currentEntries, usage, matches, backupPath, causeCode } = details
  const failure = describeFailure(memoryFailures(target), refusal)
  return {
    success: false,
    done: failure !== undefined,
    target,
    code,
    error: failure ?? message,
    ...(SHOWS_ENTRIES.has(code) && isTexts(currentEntries) ? { current_entries: sanitiseEntries(target, currentEntries) } : {}),
    ...(SHOWS_ENTRIES.has(code) && typeof usage === 'string' ? { usage } : {}),
    ...(code === 'ambiguous' && isTexts(matches) ? { matches: sanitiseEntries(target, matches) } : {}),
    ...(code === 'capped' && typeof causeCode === 'string' ? { last_cause: causeCode } : {}),
    ...(code === 'drift' && typeof backupPath === 'string' ? { drift_backup: backupPath } : {}),
  }
}

export const describeMemoryReply = (target: MemoryTarget, reply: MemoryWriteReply): MemoryToolResult => {
  if (reply.kind === 'applied') return describeApplied(reply.outcome)
  return reply.kind === 'held' ? describeHeld(target, reply) : describeRefused(target, reply)
}
