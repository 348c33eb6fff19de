/** The options of `HermesMemory`, and the checks that are possible before the first call. */
import type { Session } from '@hermes/core'
import { asRecord, asText, type HermesWarningListener, isSession } from '@hermes/core/adapter'
import type { BaseMemory } from '@langchain/core/memory'
import type { ReviewModel } from './host-model.ts'

export interface HermesMemoryOptions {
  /**
   * The session of one conversation: `hermes.session('chat-42')`, or `homes.for(userId).session(chatId)`. It cannot be found per call,
   * because a chain passes no configuration to its memory.
   */
  readonly session: Session
  /** The memory that the chain already has; it keeps working as before. */
  readonly memory?: BaseMemory | undefined
  /** The model for reviews: the chain's own, or a cheaper one. Default: `review.model` of `createHermes`. */
  readonly model?: ReviewModel
  /**
   * `fold`: the block comes in front of the history, in the history's own variable, so no prompt changes. `variable`: the block is a
   * variable of its own, for prompts that mention it. Default: `fold` if there is a memory whose history is one text, `variable` if there
   * is none.
   */
  readonly inject?: 'fold' | 'variable'
  /**
   * The variable that contains the block. Default: `hermes_memory`; with `fold`, the first variable of `memory`. If `memory` fills several
   * variables, name the one that comes first in the prompt: changing text before the block invalidates the provider's prefix cache.
   */
  readonly memoryKey?: string
  /**
   * The variable that contains what the memory provider recalls for the user's text, such as `hermes_recall`. Mention it behind the history,
   * beside the input. Default: none, and then nothing is recalled, since a chain's memory cannot change the user's message.
   */
  readonly recallKey?: string
  /** The input that contains the user's text. Default: that of `memory`, or the only input. */
  readonly inputKey?: string
  /** The output that contains the answer. Default: that of `memory`, or the only output. */
  readonly outputKey?: string
  /** Called on misconfiguration and when `memory` fails. Default: `console.warn`, once for each kind. */
  readonly onWarning?: HermesWarningListener
}

const DEFAULT_MEMORY_KEY = 'hermes_memory'

export interface Injection {
  readonly inject: 'fold' | 'variable'
  readonly memoryKey: string
  readonly recallKey: string | undefined
  readonly memoryKeys: readonly string[]
}

const fail = (problem: string): never => {
  throw new TypeError(`HermesMemory: ${problem}`)
}

const list = (keys: readonly string[]): string => keys.map((key) => `'${key}'`).join(', ')

const checkParts = ({ session, memory, inject, model }: HermesMemoryOptions): void => {
  // The types forbid other values, but plain JavaScript may pass them.
  if (!isSession(session))
    fail(
      "'session' must be one session: hermes.session('chat-42'), or homes.for(userId).session(chatId). A chain does not tell its memory who calls, so create the memory, and its chain, for each conversation.",
    )
  if (memory !== undefined && typeof memory.loadMemoryVariables !== 'function')
    fail("'memory' must be a LangChain memory, such as chain.memory or new BufferMemory().")
  if (inject !== undefined && inject !== 'fold' && inject !== 'variable')
    fail(`'inject' must be 'fold' or 'variable', not '${String(inject)}'.`)
  if (model !== undefined && typeof model.invoke !== 'function')
    fail("'model' must be a model object such as chain.llm, not a model's name.")
}

const chooseWay = ({ memory, inject }: HermesMemoryOptions): 'fold' | 'variable' => {
  if (memory === undefined) return inject === 'fold' ? fail("'fold' needs a 'memory' to fold into; use 'variable'.") : 'variable'
  if (inject !== undefined) return inject
  // A list of messages would need a second system message, which makes several providers refuse the call.
  return asRecord(memory)['returnMessages'] === true
    ? fail(
        "'memory' returns messages, so set how the text is injected. inject: 'variable' with {hermes_memory} in your system message works with every provider; inject: 'fold' adds a second system message, which OpenAI and Anthropic accept and Google refuses.",
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
  const shownKeys = inject === 'fold' ? innerKeys : [...innerKeys, memoryKey]
  const { recallKey } = options
  if (recallKey === '') fail("'recallKey' must not be empty.")
  if (recallKey !== undefined && [...shownKeys, inputKey].includes(recallKey))
    fail(`'${recallKey}' is in use already. Choose another 'recallKey', such as 'hermes_recall'.`)
  return { inject, memoryKey, recallKey, memoryKeys: recallKey === undefined ? shownKeys : [...shownKeys, recallKey] }
}
