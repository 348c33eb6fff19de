/** What the agent's memory tool answers. Loaded with the first call of the tool. */
import { sanitiseEntries } from '../memory/memory-block.ts'
import { memoryFileName } from '../memory/memory-document.ts'
import type { MemoryOpOutcome, MemoryTarget } from '../memory/memory-op.ts'
import { MEMORY_PATHS } from '../storage/storage-paths.ts'
import { describeFailure, type Failure, type FailureSubject } from './describe-failure.ts'
import type { Refusal, ToolRefusal } from './tool-definition.ts'

// The result: JSON for the model, typed for hosts that show tool calls to a person.

type MemoryToolSuccess = {
  readonly success: true
  readonly done: true
  readonly target: MemoryTarget
  /** How full the store is: `<percent>% — <used>/<limit> chars`. */
  readonly usage: string
  readonly entry_count: number
  readonly message: string
  /** Entries that were replaced or removed. */
  readonly previous?: readonly string[]
}

export type MemoryToolResult = MemoryToolSuccess | ToolRefusal

/** Reply of the port through which the memory tool writes; the session implements it with gate, store and journal. */
export type MemoryWriteReply =
  | { readonly kind: 'applied'; readonly outcome: MemoryOpOutcome }
  /** Pending for a person or the host's code. */
  | { readonly kind: 'held'; readonly reason: string; readonly pendingId?: string }
  /** Refused by a gate or the store; `code` and `details` as in `HermesError`. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string; readonly details?: Readonly<Record<string, unknown>> }

const unreadable = (path: string, { details = {} }: Refusal): Failure =>
  details['systemCode'] === undefined
    ? {
        fact: `Nothing was saved: ${path} is damaged or not valid UTF-8, so it was left as it is.`,
        tellUser: 'to repair that file or move it away',
      }
    : { fact: `Nothing was saved: this program may not read ${path}.`, tellUser: 'to check who owns that file and its permissions' }

/** Failures of a memory call, with wording of their own. */
const memoryFailures = (target: MemoryTarget): FailureSubject => ({
  nothing: 'Nothing was saved',
  place: 'memory',
  off: 'this part of memory is',
  again: 'call again',
  path: target === 'project' ? memoryFileName(target) : MEMORY_PATHS[target],
  own: {
    unreadable,
    drift: (path) => ({
      fact: `Nothing was saved: ${path} holds an entry longer than its whole limit, written by another program or by hand, and a change could lose it.`,
      tellUser: 'to split or shorten that entry by hand',
    }),
    invalid_path: (path) => ({
      fact: `Nothing was saved: ${path} leads to a place where memory may not be kept.`,
      tellUser: 'to check the symbolic links there',
    }),
  },
})

const SHOWS_ENTRIES: ReadonlySet<string> = new Set(['over_limit', 'not_found'])

const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((each) => typeof each === 'string')

const isFromOutside = ({ facts = [] }: MemoryOpOutcome): boolean => facts.some(({ content }) => content?.origin === 'tool')

const FROM_OUTSIDE =
  ' It is kept apart as data, since text from outside is in this conversation. A later review looks at what the user said.'

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
  code: 'held',
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

/** Describes the result of a memory call to the model. Entries are not echoed on success, since models then repeat the edit (reference hermes-memory 3). */
export const describeMemoryReply = (target: MemoryTarget, reply: MemoryWriteReply): MemoryToolResult => {
  if (reply.kind === 'applied') return describeApplied(reply.outcome)
  return reply.kind === 'held' ? describeHeld(target, reply) : describeRefused(target, reply)
}
