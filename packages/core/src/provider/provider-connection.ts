/** What a home uses of its memory provider: every hook guarded and timed, so that a session never has to handle its failures. */
import type { EntryChanges } from '../memory/entry-changes.ts'
import type { MemoryTarget } from '../memory/memory-op.ts'
import type { Result } from '../shared/result.ts'
import type { ProviderForgetTarget, ProviderTool, SessionSwitch } from './memory-provider.ts'

/** No method throws or rejects. */
export interface ProviderConnection {
  readonly name: string
  /** `''` if there is none. */
  readonly systemPromptBlock: string
  readonly tools: readonly ProviderTool[]
  /** Nothing waits for it. */
  turnStarted(turn: { readonly sessionId: string; readonly text: string }): void
  /** Texts for the user's words, cleaned of fences, the most relevant first; none if the provider failed or is skipped. At most `maxChars` together. */
  recall(query: { readonly sessionId: string; readonly text: string; readonly known: ReadonlySet<string> }): Promise<readonly string[]>
  /** Resolves when the turn is stored for delivery; it is delivered behind. */
  turnFinished(turn: FinishedProviderTurn): Promise<void>
  memoryWritten(write: EntryChanges & { readonly target: MemoryTarget; readonly sessionId?: string }): Promise<void>
  sessionSwitched(change: Pick<SessionSwitch, 'from' | 'to' | 'reason'>): Promise<void>
  sessionEnded(sessionId: string): Promise<void>
  /** `''` for nothing. */
  beforeCompress(
    sessionId: string,
    messages: readonly { readonly role: 'user' | 'assistant' | 'tool'; readonly text: string }[],
  ): Promise<string>
  /** An answer for the model, also for a failure. */
  callTool(name: string, input: unknown, sessionId: string): Promise<Readonly<Record<string, unknown>>>
  /** Also removes what waits for delivery. The number of things concerned, in the provider and waiting. Fails with `provider` if the hook fails or is missing. */
  forget(target: ProviderForgetTarget): Promise<Result<number>>
  /** True if nothing waits for delivery in this process and no hook runs. */
  readonly idle: boolean
  /** True if closing interrupts and loses nothing: what waits for a later attempt is stored. */
  readonly canClose: boolean
  /** Resolves when everything that waits has been tried once. */
  settled(): Promise<void>
  /** Delivers what other processes have left, also if the provider was not used before. Resolves as `settled`. */
  deliver(): Promise<void>
  /** Tries to deliver what waits, for at most `limitMs` (0: nothing more is delivered), then shuts the provider down. What was not delivered stays stored. */
  close(limitMs: number): Promise<void>
}

export interface FinishedProviderTurn {
  readonly sessionId: string
  readonly user: string
  readonly assistant: string
  readonly automated: boolean
}
