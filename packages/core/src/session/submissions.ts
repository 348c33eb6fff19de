/** What the agent or the host wants to remember in front of the user: gate → apply → journal, and the agent's tools on top of it. */
import type { ReviewGate } from '../gate/review-gate.ts'
import type { Journal } from '../journal/journal.ts'
import type { Pending } from '../journal/pending.ts'
import { MEMORY_TARGETS, type MemoryOp, type MemoryTarget } from '../memory/memory-op.ts'
import type { MemoryStore } from '../memory/memory-store.ts'
import type { ReviewProposal } from '../proposal/review-proposal.ts'
import { stampTranscript } from '../proposal/stamp-transcript.ts'
import { withOutsideOf } from '../proposal/system-context.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { type DisposeDeps, readGateContext } from '../review/dispose-deps.ts'
import { type DisposedGroup, type DisposedProposal, disposeGroup, disposeProposal } from '../review/dispose-proposal.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import type { Result } from '../shared/result.ts'
import { memoryTool } from '../tools/memory-tool.ts'
import type { MemoryWriteReply } from '../tools/memory-tool-effects.ts'
import type { ToolDefinition } from '../tools/tool-definition.ts'
import { withinLimit } from './within-limit.ts'

export interface SubmissionDeps {
  readonly sessionId: string
  readonly gate: ReviewGate
  readonly store: MemoryStore
  readonly journal: Journal
  readonly pending: Pending
  readonly trustedTools: ReadonlySet<string>
  /** Names under which the session's own tools were offered; `expose` adds to it. */
  readonly ownTools: Set<string>
  /** The turn under way; undefined where the host shows its turns only when they are over. */
  readonly openTurn: () => readonly TurnMessage[] | undefined
  readonly onFailure: (error: HermesError, operation: string) => void
}

export interface Submissions {
  submit(proposal: ReviewProposal, messages?: readonly TurnMessage[]): Promise<Result<DisposedProposal>>
  /** The tools with a prefix in front of their names. From now on what tools of these names answer is the agent's own. */
  expose(prefix: string): readonly ToolDefinition[]
}

/** The agent calls the tool on purpose, so its own doubt is no ground for a no: the evidence decides. */
const AGENT_SCORE = 1

/** A storage that hangs must not hang the agent. Longer than a lock is waited for. */
const TOOL_LIMIT_MS = 30_000
const NO_ANSWER: MemoryWriteReply = {
  kind: 'refused',
  code: 'timeout',
  message: 'Memory did not answer in time, so it is not known whether this was saved. Go on with the task.',
}

const toReply = (disposed: Result<DisposedProposal | DisposedGroup>): MemoryWriteReply => {
  if (!disposed.ok) return { kind: 'refused', code: disposed.error.code, message: disposed.error.message, details: disposed.error.details }
  const fate = disposed.value
  if (fate.kind === 'applied') return { kind: 'applied', outcome: fate.outcome }
  if (fate.kind === 'failed') return { kind: 'refused', code: fate.error.code, message: fate.error.message, details: fate.error.details }
  if (!fate.held) return { kind: 'refused', code: 'rejected', message: fate.reason }
  return { kind: 'held', reason: fate.reason, ...(fate.pendingId === undefined ? {} : { pendingId: fate.pendingId }) }
}

export const createSubmissions = (deps: SubmissionDeps): Submissions => {
  const { sessionId, gate, store, journal, pending, onFailure } = deps

  const disposeDeps = (actor: 'agent' | 'host', messages: readonly TurnMessage[] | undefined): DisposeDeps => {
    // Without the turn nobody can say whose words these are: an empty transcript, and the gate holds what it cannot trace.
    const openTurn = deps.openTurn() ?? []
    const seen = messages === undefined ? openTurn : withOutsideOf(messages, openTurn)
    const transcript = stampTranscript(seen, new Set([...deps.trustedTools, ...deps.ownTools]))
    return { gate, store, journal, pending, sessionId, actor, onFailure, context: () => readGateContext(store, transcript, false) }
  }

  const write = async (target: MemoryTarget, ops: readonly MemoryOp[], messages?: readonly TurnMessage[]): Promise<MemoryWriteReply> => {
    const proposals = ops.map((op): ReviewProposal => ({ target, op, rationale: 'The agent called its memory tool.', score: AGENT_SCORE }))
    const [only, ...more] = proposals
    const how = disposeDeps('agent', messages)
    // The rules of a batch are stricter, so one operation goes alone.
    return toReply(only === undefined || more.length > 0 ? await disposeGroup(proposals, how) : await disposeProposal(only, how))
  }

  const memory = memoryTool({
    write: async (target, ops, context) => (await withinLimit(write(target, ops, context?.messages), TOOL_LIMIT_MS)) ?? NO_ANSWER,
    targets: MEMORY_TARGETS.filter((target) => store.isEnabled(target)),
  })

  const tools = memory ? [memory] : []
  return {
    submit: (proposal, messages) => disposeProposal(proposal, disposeDeps('host', messages)),
    expose: (prefix) =>
      tools.map((tool) => {
        const name = `${prefix}${tool.name}`
        deps.ownTools.add(name)
        return { ...tool, name }
      }),
  }
}
