/** The session as adapters and hosts see it: a frozen snapshot, counters, and the review behind the turn. */
import type { HostModel, ModelUsage } from '../model/host-model.ts'
import type { ReviewProposal } from '../proposal/review-proposal.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { DisposedProposal } from '../review/apply/dispose-proposal.ts'
import type { Result } from '../shared/result.ts'
import type { ToolDefinition } from '../tools/tool-definition.ts'
import type { WiringFailure } from './hermes-event.ts'
import type { ModelToolCall } from './nested-run.ts'
import type { ReviewRun } from './run-review.ts'

export interface StepStart {
  /** The framework says that the call runs inside a tool. Default: found by the prompt alone. */
  readonly nested?: boolean
  /** The model that is called, as the provider names it: kept with the skills that the agent's own tool writes. */
  readonly modelId?: string
}

export interface StepEnd {
  /** The prompt of this step, as given to `beginStep`; where it is left out, the newest one begun. */
  readonly prompt?: readonly TurnMessage[]
  /** True when the step ended the turn; false when the model called tools and another step follows. */
  readonly turnFinished: boolean
  /** Did the model call a tool in this step? */
  readonly calledTools: boolean
  /** What the model said in this step. */
  readonly reply: readonly TurnMessage[]
  /** The model under the host's wrapper, for the review. */
  readonly model?: HostModel
  /** Tokens of this step, as the provider counted them. */
  readonly usage?: ModelUsage
}

export interface CompletedTurn {
  readonly messages: readonly TurnMessage[]
  /** Model calls of this turn that called tools. */
  readonly toolIterations?: number
  readonly model?: HostModel
  /** Tokens of all steps of this turn, as the provider counted them. */
  readonly usage?: ModelUsage
}

/** What a framework's own durable state kept of a session, for a storage that has lost it. */
export interface SessionCheckpoint {
  /** The frozen text. Without it, as for a framework that shows its state to others, the text is frozen anew. */
  readonly block?: string
  /** User turns and model steps that called tools, since the session began. */
  readonly userTurns: number
  readonly toolIterations: number
}

export interface ToolOffer {
  /** In front of each name, for hosts where another tool is called `memory`. Default none. The catalogue in the frozen text uses it where no offer was without one. */
  readonly prefix?: string | undefined
  /** Names, without the prefix, of the tools that the host offers. Default all. */
  readonly only?: readonly string[] | undefined
}

export interface EndOptions {
  /** Unread turns of the whole home from which on they are reviewed; at least 1. Default `nudge.minTurns`. */
  readonly minTurns?: number
  /** Calls the review off. */
  readonly signal?: AbortSignal
}

export interface Session {
  readonly id: string
  /**
   * The frozen text for the system prompt: memory, then the catalogue of skills; `''` where there is neither. The same bytes until the session ends, in whichever process.
   * The catalogue is part of it where the host has offered the tool `skill_view` (see `offerTools`) by the time the text is frozen, with the first prompt.
   * Contract: never rejects; a failure is an event, and the text is then `''`.
   */
  systemBlock(): Promise<string>
  /** Freezes anew; for hosts that compact their context. Contract: never rejects; on failure the old text stays. */
  refresh(): Promise<string>
  /**
   * For adapters that see every model call: before the call, with the whole prompt but its system messages. Tells a user turn from a step, a retry, a
   * tool result and a regeneration, and from a run inside a tool of a turn under way, which is not counted, recorded or reviewed. A turn counts when it finishes:
   * one that was aborted does not. Contract: never throws; effects happen behind the turn; what is no list of messages is an event and counts for nothing.
   */
  beginStep(prompt: readonly TurnMessage[], about?: StepStart): void
  /**
   * A tool call that the model made, reported before the host can run it: in a stream, when it goes by. A session recognises by it what runs inside its tools, and
   * calls that come from another home's model. Contract: never throws.
   */
  noteToolCall(call: ModelToolCall): void
  /** After a model call that completed. Contract: never throws, returns at once; what is no step is an event and counts for nothing. */
  endStep(step: StepEnd): void
  /** For hosts that know their turns: one user turn, complete. Contract: never throws, returns at once; what is no turn is an event and counts for nothing. */
  recordTurn(turn: CompletedTurn): void
  /**
   * Gate → apply → journal for one proposal of the host, for memory or a skill. `messages`: the conversation it comes from; where it is left out, the turn under way. Without either the gate
   * finds no evidence.
   */
  submit(proposal: ReviewProposal, messages?: readonly TurnMessage[]): Promise<Result<DisposedProposal>>
  /**
   * The agent's tools in neutral form, for a host that offers them from now on: what tools of these names answer counts as the agent's own, not as text from outside,
   * and a text frozen later names the skills that the agent can load with them. `execute` needs the turn's messages where the host does not call `beginStep`.
   */
  offerTools(offer?: ToolOffer): readonly ToolDefinition[]
  /** A call for this session, or a tool of it, was wired up wrongly: an event. Contract: never throws. */
  reportWiring(failure: WiringFailure): void
  /**
   * The conversation is over: once everything behind the turn is done, what no review of the home has read is reviewed, in however many sessions it was said, where
   * it is at least `minTurns` turns (default `nudge.minTurns`). Fewer stay unread and count for the next. Needs the model of a turn or `review.model`. The session can go on afterwards.
   * Once `signal` fires, the review is called off, and what it read is unread again. Contract: never rejects.
   */
  end(options?: EndOptions): Promise<Result<ReviewRun>>
  /** Resolves when everything behind the turn is done: saves, reviews, and what a tool of the agent gave up waiting for. Contract: never rejects. */
  settled(): Promise<void>
}
