/** The session as used by adapters and hosts: a frozen snapshot, counters, and the review behind the turn. */
import type { HostModel, ModelUsage } from '../model/host-model.ts'
import type { ReviewProposal } from '../proposal/review-proposal.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { SessionSwitch } from '../provider/memory-provider.ts'
import type { DisposedProposal } from '../review/review-outcome.ts'
import { HermesError } from '../shared/hermes-error.ts'
import type { Result } from '../shared/result.ts'
import type { ToolDefinition } from '../tools/tool-definition.ts'
import type { WiringFailure } from './hermes-event.ts'
import type { Learned } from './learned.ts'
import type { ModelToolCall } from './nested-run.ts'
import type { ReviewRun } from './review-request.ts'
import type { OfferedTool } from './tool-trust.ts'

export interface StepStart {
  /**
   * True if the framework reports that the call runs inside a tool, false if it knows that none is running. Default: while a tool call of the session is open,
   * whatever does not continue its conversation runs inside it.
   */
  readonly nested?: boolean
  /** The called model, as the provider names it; recorded with skills that the agent's own tool writes. */
  readonly modelId?: string
  /** True if no person is there: a scheduled or background run. Passed on to the memory provider. */
  readonly automated?: boolean
  /** The tools that the call offers its model, or their names; needed for `trustedTools` that are objects. */
  readonly offered?: readonly (string | OfferedTool)[]
}

/** Recalled text for one of the user's messages. */
export interface RecalledText {
  /** Index into the prompt, of a message in the user's own words. */
  readonly index: number
  /** The complete fence, to be appended after a blank line to a copy of that message. Never part of the system prompt or of the host's history. */
  readonly text: string
}

export interface StepEnd {
  /** The prompt of this step, as given to `beginStep`. Default: the newest one begun. */
  readonly prompt?: readonly TurnMessage[]
  /** True if the step ended the turn; false if the model called tools and another step follows. */
  readonly turnFinished: boolean
  /** True if the model called a tool in this step. */
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
  /** What the model was shown before the turn, if the adapter sees it: what is not proven to be from this session is text from outside. */
  readonly before?: readonly TurnMessage[]
  /** Number of model calls of this turn that called tools. */
  readonly toolIterations?: number
  readonly model?: HostModel
  /** Tokens of all steps of this turn, as the provider counted them. */
  readonly usage?: ModelUsage
  /** As in `StepStart`. */
  readonly automated?: boolean
}

/** A framework's durable copy of a session, for a storage that has lost the session. */
export interface SessionCheckpoint {
  /** The frozen text. If absent, as for a framework that shows its state to others, the text is frozen anew. */
  readonly block?: string
  /** User turns and model steps that called tools, since the session began. */
  readonly userTurns: number
  readonly toolIterations: number
  /** The project that `block` was frozen for. In a session of another project, or of none, the text is frozen anew. */
  readonly project?: string | undefined
}

export interface BlockOptions {
  /** Maximum code points of the whole text, at least 1. Default and at most `sessions.maxBlockChars`. */
  readonly maxChars?: number
}

/** How a session is opened. */
export interface OpenOptions {
  /**
   * The project that the conversation is about: 1 to 200 characters, such as the name of a repository. Its notes are the store `project`, which no session of
   * another project sees. Default: that of `createHermes`, else none. A session keeps the project that it began with.
   */
  readonly project?: string | undefined
  /** For adapters whose framework stores state itself; used only if the storage has no record of the session. */
  readonly checkpoint?: SessionCheckpoint | undefined
}

export interface ToolOffer {
  /**
   * Added before each tool name, for hosts that have another tool called `memory`. Default none. The catalogue in the frozen text uses the prefix if every
   * offer had one.
   */
  readonly prefix?: string | undefined
  /** Names, without the prefix, of the tools that the host offers. Default all. */
  readonly only?: readonly string[] | undefined
  /**
   * For tools of all sessions: calls name projects, so the memory tool has the target `project`. Default: only where `createHermes` names one. The tools of one
   * session follow its project.
   */
  readonly projects?: boolean | undefined
  /**
   * `files`: one tool `memory` instead, with the commands of Claude's memory tool on the stores and skills as files, for models that were trained on it; its
   * results are shown as `shownAs` gives them. Default `tools`.
   */
  readonly form?: 'tools' | 'files' | undefined
}

export type SwitchReason = SessionSwitch['reason']

export interface EndOptions {
  /** Minimum number of unread turns of the whole home for a review; at least 1. Default `nudge.minTurns`. */
  readonly minTurns?: number
  /** Cancels the review. */
  readonly signal?: AbortSignal
}

export interface Session {
  readonly id: string
  /**
   * The frozen text for the system prompt: memory, then the catalogue of skills; `''` if there is neither. The same bytes until the session ends, in every
   * process. Includes the catalogue only if the host has offered the tool `skill_view` (see `offerTools`) before the first prompt, when the text is frozen.
   * `maxChars`: for hosts with a limit of their own, in code points; the first call of the session sets it. The catalogue shrinks first, then the entries that were
   * confirmed longest ago leave, hand-written and pinned ones last; each part says in one line what it leaves out.
   * Contract: never rejects; a failure is an event, and the text is then `''`.
   */
  systemBlock(options?: BlockOptions): Promise<string>
  /** Freezes the text anew, for hosts that compact their context. Contract: never rejects; on failure the old text stays. */
  refresh(): Promise<string>
  /**
   * What the memory provider knows about the user's words, for the messages of this prompt; empty without a provider. Called with the array that `beginStep` is
   * called with afterwards, before it. The provider is asked once for each user turn, for at most `memory.providerTimeoutMs`; all later calls of the session, in
   * every process, return the same text for that message, so that the prefix of the prompt stays the same. Nested runs recall nothing. Contract: never rejects.
   */
  recall(prompt: readonly TurnMessage[], about?: Pick<StepStart, 'nested'>): Promise<readonly RecalledText[]>
  /**
   * For adapters that see every model call: called before the call, with the whole prompt except system messages. Distinguishes a user turn from a step, a
   * retry, a tool result, a regeneration, and a run inside a tool of a current turn, which is not counted, recorded or reviewed. A turn counts when it
   * finishes; an aborted turn does not count. Contract: never throws; effects happen behind the turn; an invalid message list is ignored and is an event.
   */
  beginStep(prompt: readonly TurnMessage[], about?: StepStart): void
  /**
   * Reports a tool call that the model made, before the host can run it; in a stream, when it passes. Lets a session recognise runs inside its tools, and
   * calls from another home's model. Contract: never throws.
   */
  noteToolCall(call: ModelToolCall): void
  /**
   * Reports what the model had said when its call was aborted or failed, so that a host that shows this in later prompts shows nothing new. Contract: never
   * throws.
   */
  noteInterrupted(prompt: readonly TurnMessage[], reply: readonly TurnMessage[]): void
  /** Called after a completed model call. Contract: never throws, returns at once; an invalid step is ignored and is an event. */
  endStep(step: StepEnd): void
  /** For hosts that know their turns: reports one complete user turn. Contract: never throws, returns at once; an invalid turn is ignored and is an event. */
  recordTurn(turn: CompletedTurn): void
  /**
   * What reviews that this session has started, or that read its turns last, have learned in this process since the last call; undefined if nothing. For adapters,
   * to put it on the result of a finished turn; it waits for no review. `prompt`: of that model call; a nested run takes nothing. Contract: never throws.
   */
  takeLearned(prompt?: readonly TurnMessage[]): Learned | undefined
  /**
   * Gate → apply → journal for one proposal of the host, for memory or a skill. `messages`: the conversation it comes from. Default: the current turn.
   * Without either, the gate finds no evidence.
   */
  submit(proposal: ReviewProposal, messages?: readonly TurnMessage[]): Promise<Result<DisposedProposal>>
  /**
   * Returns the agent's tools in neutral form. A text frozen later names the skills that the agent can load with them. `execute` needs the turn's messages if
   * the host does not call `beginStep`. Only a result that these tools gave out in this session, unchanged, is not text from outside.
   */
  offerTools(offer?: ToolOffer): readonly ToolDefinition[]
  /**
   * Asks the memory provider what should survive, before the host summarises these messages: text for the prompt of that summary, `''` for nothing. Contract:
   * never rejects.
   */
  beforeCompress(messages: readonly TurnMessage[]): Promise<string>
  /**
   * Tells the memory provider that the conversation goes on under another id, and returns that session. `compress`: the same conversation, shortened; `branch`: a
   * copy goes on; `new`: the user began anew. Text from outside that was in sight still counts, except for `new`. Throws a TypeError as `hermes.session(id)` does.
   */
  switchTo(id: string, reason: SwitchReason): Session
  /** Reports that a call for this session, or one of its tools, was wired up wrongly; an event. Contract: never throws. */
  reportWiring(failure: WiringFailure): void
  /**
   * Ends the conversation: waits for all work behind the turn, then reviews the unread turns of all sessions of the home, if there are at least `minTurns`
   * (default `nudge.minTurns`). Fewer stay unread and count for the next review. Needs the model of a turn or `review.model`. The session can continue
   * afterwards. If `signal` fires, the review is cancelled and its turns are unread again. Contract: never rejects.
   */
  end(options?: EndOptions): Promise<Result<ReviewRun>>
  /** Resolves when all work behind the turn is done: saves, reviews, and writes of agent tools that timed out. Contract: never rejects. */
  settled(): Promise<void>
}

// What untyped callers pass is checked, so that nothing throws in the middle of their turn.

const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'tool'])

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isMessage = (value: unknown): value is TurnMessage => {
  if (!isObject(value)) return false
  const { role, text, toolNames }: Partial<Record<keyof TurnMessage, unknown>> = value
  const namesFit = toolNames === undefined || (Array.isArray(toolNames) && toolNames.every((name) => typeof name === 'string'))
  return ROLES.has(role) && typeof text === 'string' && namesFit
}

export const areMessages = (value: unknown): boolean => Array.isArray(value) && value.every(isMessage)

const misuse = (message: string): HermesError => new HermesError('invalid', `${message} Nothing was counted.`)

/** What is wrong with lists of messages; undefined if all are valid. `what`: the subject of the error message. */
export const problemOfMessages = (what: string, ...lists: readonly unknown[]): HermesError | undefined =>
  lists.every(areMessages)
    ? undefined
    : misuse(`${what} must be a list of messages, each with a 'role' of user, assistant or tool and a 'text'.`)

export const problemOfLimit = (maxChars: unknown): HermesError | undefined =>
  maxChars === undefined || (Number.isSafeInteger(maxChars) && Number(maxChars) >= 1)
    ? undefined
    : new HermesError('invalid', "'maxChars' must be a whole number, 1 or more. The text has its usual limit.")

const problemOfModel = (model: unknown): HermesError | undefined =>
  model === undefined || typeof model === 'function' ? undefined : misuse("'model' must be a function.")

export const problemOfStep = (step: StepEnd): HermesError | undefined => {
  if (!isObject(step)) return misuse('endStep takes an object that says what the step ended with.')
  const { prompt, reply, turnFinished, calledTools, model } = step
  if (typeof turnFinished !== 'boolean' || typeof calledTools !== 'boolean')
    return misuse("'turnFinished' and 'calledTools' must be true or false.")
  const problem = problemOfMessages("'reply'", reply) ?? problemOfMessages("'prompt'", prompt === undefined ? [] : prompt)
  return problem ?? problemOfModel(model)
}

export const problemOfTurn = (turn: CompletedTurn): HermesError | undefined => {
  if (!isObject(turn)) return misuse('recordTurn takes an object that holds the messages of the turn.')
  const { messages, before = [], toolIterations = 0, model } = turn
  const problem = problemOfMessages("'messages'", messages) ?? problemOfMessages("'before'", before)
  if (problem) return problem
  if (!Number.isSafeInteger(toolIterations) || toolIterations < 0) return misuse("'toolIterations' must be a whole number, 0 or more.")
  return problemOfModel(model)
}
