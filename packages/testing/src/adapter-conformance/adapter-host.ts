/** The port of the adapter suite: a host application that uses an adapter. The suite plays its model. */
import type { Hermes, HermesHomes } from '@hermes/core'
import type { OwnerId } from '@hermes/core/portability'
import type { SuiteExtent } from '../suite.ts'

/** One call as the model of the host received it. */
export interface ModelCall {
  /** `review`: Hermes made the call. */
  readonly purpose: 'turn' | 'review'
  /** The system prompt, byte for byte; several system messages are joined with a blank line. */
  readonly system: string
  /** The conversation, without system messages. */
  readonly messages: readonly { readonly role: string; readonly text: string }[]
  /** The abort signal of the call, if the framework passes one. */
  readonly signal?: AbortSignal | undefined
}

export type ModelAnswer =
  /** A streaming model emits each chunk as it comes; another model joins them. If `chunks` throws, the call breaks off. */
  | { readonly type: 'text'; readonly chunks: AsyncIterable<string> }
  /** The model calls a tool; the framework runs it and calls the model again. */
  | { readonly type: 'tool-call'; readonly toolName: string; readonly input: Readonly<Record<string, unknown>> }
  /** The call fails before any answer. `retryable`: it fails with an error that the framework retries, without delay. */
  | { readonly type: 'error'; readonly error: Error; readonly retryable: boolean }

export interface AdapterHostSetup {
  /** Passed to the adapter under test, unless `homes` is set. */
  readonly hermes: Hermes
  /**
   * Set for a host that serves many owners. Contract: pass it to the adapter instead of `hermes`, use one model or agent and one set of tools for all owners, and
   * pass the owner of `send` and `ask` on in each call. Keep conversations apart by owner and session id, because two owners may use the same session id.
   */
  readonly homes?: HermesHomes
  /** Plays the model behind the adapter. Contract: call it once for each call that reaches the model of the host, including reviews. */
  readonly model: (call: ModelCall) => Promise<ModelAnswer>
  /** The system prompt of the host. */
  readonly instructions: string
  /** The tools of the host by name: they take the input and return text. Contract: a host with a tool loop offers the tools of the session as well. */
  readonly tools: Readonly<Record<string, (input: unknown) => Promise<string>>>
  /** The database of the host: conversations by session id, with `homes` by owner and session id. The values have any form. It outlives a process. */
  readonly conversations: Map<string, readonly unknown[]>
}

export interface SendOptions {
  /** The owner of the turn, for a host with `homes`. Contract: if it is missing, pass no owner to the adapter. */
  readonly owner?: OwnerId
  /** Asks for another answer to the newest user message: the message is not added again, and its previous answer is dropped. */
  readonly regenerate?: boolean
  readonly signal?: AbortSignal
  /** Call it with each piece of text that the caller of the framework receives. */
  readonly onChunk?: (chunk: string) => void
}

export interface AdapterHost {
  /**
   * Runs one user turn up to the final answer. Rejects as the framework does.
   * Contract: after a failed turn, the message of the user stays in the conversation.
   */
  send(sessionId: string, text: string, options?: SendOptions): Promise<{ readonly text: string }>
  /** Asks one question of a sub-agent or chain with the same wiring, as a tool does during a turn. Neither reads nor changes the history of the conversation. */
  ask(sessionId: string, question: string, options?: Pick<SendOptions, 'owner'>): Promise<{ readonly text: string }>
}

export type CreateAdapterHost = (setup: AdapterHostSetup) => AdapterHost | Promise<AdapterHost>

/** What an entry point supports, and how much of the suite runs. Each capability is expected unless it is set to false. */
export interface AdapterCapabilities {
  /** The caller receives text in pieces. */
  readonly streaming?: boolean
  /** The framework runs tools, including those of the session, and calls the model again. A host without this capability offers no tools of the session. */
  readonly toolLoop?: boolean
  /** The framework repeats a call that failed with a retryable error. */
  readonly retries?: boolean
  /** The caller can abort a turn. */
  readonly abort?: boolean
  /** The adapter sees the whole conversation that the model is shown. Without this capability, it sees the turns that it reports alone. */
  readonly window?: boolean
  /** The adapter can send recalled text behind the user's message, and change the answer. Without this capability, it does neither. */
  readonly recall?: boolean
  /** The entry point serves many owners with `HermesHomes`. Without this capability it is bound to one session, which the host opens. */
  readonly owners?: boolean
  readonly extent?: SuiteExtent
}
