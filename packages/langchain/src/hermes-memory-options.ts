/** What a `HermesMemory` is built with, and what can be known to be wrong before the first call. */
import type { Session } from '@hermes/core'
import { asRecord, asText, type HermesWarningListener, isSession } from '@hermes/core/adapter'
import type { BaseMemory } from '@langchain/core/memory'
import type { ReviewModel } from './host-model.ts'

export interface HermesMemoryOptions {
  /**
   * A memory belongs to one conversation: `hermes.session('chat-42')`, or `homes.for(userId).session(chatId)`. It cannot be found in each call: a chain hands its
   * memory no configuration.
   */
  readonly session: Session
  /** The memory the chain already has; it goes on as before. */
  readonly memory?: BaseMemory | undefined
  /** The chain's own model, or a cheaper one: asked for the reviews. Without it `review.model` of `createHermes` is. */
  readonly model?: ReviewModel
  /**
   * `fold`: the frozen text comes in front of the history, in the history's own variable, so no prompt changes. `variable`: it is a variable of its own,
   * for prompts that mention it. Default: `fold` where there is a memory whose history is one text, `variable` where there is none.
   */
  readonly inject?: 'fold' | 'variable'
  /**
   * The variable that carries the text. Default: `hermes_memory`; with `fold`, the first variable of `memory`. Where `memory` fills several variables, name the one
   * that stands first in the prompt: text that moves in front of the frozen one spoils the provider's prefix cache.
   */
  readonly memoryKey?: string
  /** The input that holds the user's words. Default: that of `memory`, or the only one there is. */
  readonly inputKey?: string
  /** The output that holds the answer. Default: that of `memory`, or the only one there is. */
  readonly outputKey?: string
  /** Told of wrong wiring and of a `memory` that fails. Default: each kind once, with `console.warn`. */
  readonly onWarning?: HermesWarningListener
}

const DEFAULT_MEMORY_KEY = 'hermes_memory'

export interface Injection {
  readonly inject: 'fold' | 'variable'
  readonly memoryKey: string
  readonly memoryKeys: readonly string[]
}

const fail = (problem: string): never => {
  throw new TypeError(`HermesMemory: ${problem}`)
}

const list = (keys: readonly string[]): string => keys.map((key) => `'${key}'`).join(', ')

const checkParts = ({ session, memory, inject, model }: HermesMemoryOptions): void => {
  // Plain JavaScript hands over anything; the types forbid it.
  if (!isSession(session))
    fail(
      "'session' must be one session: hermes.session('chat-42'), or homes.for(userId).session(chatId). A chain does not tell its memory who calls, so build the memory, and its chain, for each conversation.",
    )
  if (memory !== undefined && typeof memory.loadMemoryVariables !== 'function')
    fail("'memory' must be a memory of LangChain, such as chain.memory or new BufferMemory().")
  if (inject !== undefined && inject !== 'fold' && inject !== 'variable')
    fail(`'inject' must be 'fold' or 'variable', not '${String(inject)}'.`)
  if (model !== undefined && typeof model.invoke !== 'function')
    fail("'model' must be a model object such as chain.llm, not a model's name.")
}

const chooseWay = ({ memory, inject }: HermesMemoryOptions): 'fold' | 'variable' => {
  if (memory === undefined) return inject === 'fold' ? fail("'fold' needs a 'memory' to fold into; use 'variable'.") : 'variable'
  if (inject !== undefined) return inject
  // A list of messages can only take a second system message in, and several providers refuse the whole call then.
  return asRecord(memory)['returnMessages'] === true
    ? fail(
        "'memory' hands over messages, so say how the text is to be injected. inject: 'variable' with {hermes_memory} in your system message works with every provider; inject: 'fold' adds a second system message, which OpenAI and Anthropic take and Google refuses.",
      )
    : 'fold'
}

/** Throws a TypeError that says what to do next. */
export const checkMemoryOptions = (options: HermesMemoryOptions): Injection => {
  checkParts(options)
  const inject = chooseWay(options)
  const innerKeys = options.memory?.memoryKeys ?? []
  const memoryKey = options.memoryKey ?? (inject === 'fold' ? innerKeys[0] : undefined) ?? DEFAULT_MEMORY_KEY
  if (memoryKey === '') fail("'memoryKey' must not be empty.")
  if (inject === 'fold' && innerKeys.length === 0) fail("'memory' has no variable to fold into; use inject: 'variable'.")
  if (inject === 'fold' && !innerKeys.includes(memoryKey))
    fail(`'memory' has no variable '${memoryKey}' to fold into; it has ${list(innerKeys)}.`)
  if (inject === 'variable' && innerKeys.includes(memoryKey))
    fail(`'memory' fills the variable '${memoryKey}' already. Choose another 'memoryKey', or inject: 'fold'.`)
  const inputKey = options.inputKey ?? asText(asRecord(options.memory)['inputKey'])
  if (memoryKey === inputKey) fail(`'${memoryKey}' cannot be the user's input and the memory at once. Choose another 'memoryKey'.`)
  return { inject, memoryKey, memoryKeys: inject === 'fold' ? innerKeys : [...innerKeys, memoryKey] }
}
