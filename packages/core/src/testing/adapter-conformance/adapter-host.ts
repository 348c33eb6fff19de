/** The port of the adapter suite: a host application that uses an adapter, with the suite playing its model. */
import type { HermesHomes } from '../../create-hermes-homes.ts'
import type { Hermes } from '../../hermes.ts'
import type { OwnerId } from '../../homes/owner.ts'

/** One call as the host's model received it. */
export interface ModelCall {
  /** `review`: made by Hermes on its own behalf. */
  readonly purpose: 'turn' | 'review'
  /** What stands in front of the conversation, byte for byte; several system messages joined with a blank line. */
  readonly system: string
  /** The conversation, system messages left out. */
  readonly messages: readonly { readonly role: string; readonly text: string }[]
  /** The call's own abort signal, where the framework hands one over. */
  readonly signal?: AbortSignal | undefined
}

export type ModelAnswer =
  /** A model that streams emits each chunk as it comes; one that does not joins them. Chunks that throw are a call that breaks off. */
  | { readonly type: 'text'; readonly chunks: AsyncIterable<string> }
  /** The model asks for a tool; the framework runs it and calls the model again. */
  | { readonly type: 'tool-call'; readonly toolName: string; readonly input: Readonly<Record<string, unknown>> }
  /** The call fails before any answer. `retryable`: in the way that makes the framework try again, without delay. */
  | { readonly type: 'error'; readonly error: Error; readonly retryable: boolean }

export interface AdapterHostSetup {
  /** To be handed to the adapter under test, unless there are `homes`. */
  readonly hermes: Hermes
  /**
   * Given to a host that is to serve many people. Contract: it then hands this to the adapter instead of `hermes`, wraps one model or agent and makes one set of
   * tools for everybody, and names in each call the owner that `send` and `ask` are given. The prompts of no conversation hold what was said in another: two
   * owners may have sessions of the same id.
   */
  readonly homes?: HermesHomes
  /** Plays the model behind the adapter. Contract: called once for each call that reaches the host's model, reviews included. */
  readonly model: (call: ModelCall) => Promise<ModelAnswer>
  /** The host's own system prompt. */
  readonly instructions: string
  /** The host's own tools, by name: input in, text out. Contract: a host with a tool loop offers the session's tools beside them. */
  readonly tools: Readonly<Record<string, (input: unknown) => Promise<string>>>
  /** The host's database of conversations by session id, in whatever form it likes; outlives a process. With `homes`, by owner and session id. */
  readonly conversations: Map<string, readonly unknown[]>
}

export interface SendOptions {
  /** Whose turn it is, for a host with `homes`. Contract: a call without one names no owner to the adapter. */
  readonly owner?: OwnerId
  /** Asks for another answer to the newest user message: it is not added again, and what was answered to it is dropped. */
  readonly regenerate?: boolean
  readonly signal?: AbortSignal
  /** Called with each piece of text as the caller of the framework receives it. */
  readonly onChunk?: (chunk: string) => void
}

export interface AdapterHost {
  /**
   * One user turn, through to the final answer. Rejects as the framework does.
   * Contract: a turn that failed leaves the user's message in the conversation.
   */
  send(sessionId: string, text: string, options?: SendOptions): Promise<{ readonly text: string }>
  /**
   * What a tool asks while a turn is under way: one question to a sub-agent or chain of the same wiring, without the conversation's history, which it
   * leaves as it is.
   */
  ask(sessionId: string, question: string, options?: Pick<SendOptions, 'owner'>): Promise<{ readonly text: string }>
}

export type CreateAdapterHost = (setup: AdapterHostSetup) => AdapterHost | Promise<AdapterHost>

/** What an entry point of a framework legitimately lacks; everything is expected unless it is named here. */
export interface AdapterCapabilities {
  /** Text reaches the caller in pieces. */
  readonly streaming?: boolean
  /** The framework runs tools, those of the session included, and calls the model again. A host without it offers none of the session's tools. */
  readonly toolLoop?: boolean
  /** The framework repeats a call that failed in a retryable way. */
  readonly retries?: boolean
  /** The caller can abort a turn. */
  readonly abort?: boolean
  /** Serves many people over `HermesHomes`. An entry point without it is bound to one session, which its host opens itself. */
  readonly owners?: boolean
}
