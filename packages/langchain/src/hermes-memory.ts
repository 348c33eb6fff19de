/** Hermes as the memory of a legacy chain, around the memory that the chain already has. */
import type { Session, TurnMessage } from '@hermes/core'
import {
  asList,
  asRecord,
  asText,
  type HermesWarningListener,
  scrubText,
  toJson,
  warningListener,
  warnUnexpected,
} from '@hermes/core/adapter'
import { BaseMemory, type InputValues, type MemoryVariables, type OutputValues } from '@langchain/core/memory'
import { chainTurn, countToolSteps, echoedKeys, type PickedValue, pickValue } from './chain-turn.ts'
import { foldBlock } from './fold-block.ts'
import { checkMemoryOptions, type HermesMemoryOptions, type Injection } from './hermes-memory-options.ts'
import { hostModel, type ReviewModel } from './host-model.ts'
import { runsInsideTool } from './inside-tool.ts'
import { isMessage } from './message-type.ts'
import { toTurnMessages } from './to-turn-messages.ts'
import { turnRepeats } from './turn-repeats.ts'

const MOST_UNANSWERED = 20

/** Identifies a turn: the user's text, or all inputs if it could not be determined. */
const turnText = ({ text, others }: PickedValue): string => text ?? toJson(others)

/**
 * `chain.memory = new HermesMemory({ session, memory: chain.memory, model })`. Create one for each conversation. The constructor throws a
 * TypeError on misconfiguration. Afterwards Hermes never makes a call fail: problems are reported to `onWarning` or as events.
 */
export class HermesMemory extends BaseMemory {
  readonly #session: Session
  readonly #inner: BaseMemory | undefined
  readonly #model: ReviewModel | undefined
  readonly #injection: Injection
  readonly #inputKeys: readonly (string | undefined)[]
  readonly #outputKeys: readonly (string | undefined)[]
  readonly #repeats = turnRepeats()
  /** What was recalled for the newest call. */
  #recalled = ''
  /** The history that the newest call was shown, if it is a list of messages. */
  #before: readonly TurnMessage[] = []
  /** Questions of the newest calls that got no answer: a host may keep them in the history. */
  #unanswered: readonly string[] = []
  readonly #warn: HermesWarningListener

  constructor(options: HermesMemoryOptions) {
    super()
    this.#injection = checkMemoryOptions(options)
    this.#session = options.session
    this.#inner = options.memory
    this.#model = options.model
    const inner = asRecord(options.memory)
    this.#inputKeys = [options.inputKey, asText(inner['inputKey'])]
    this.#outputKeys = [options.outputKey, asText(inner['outputKey'])]
    this.#warn = warningListener(options.onWarning)
  }

  /** The memory that this one wraps. */
  get inner(): BaseMemory | undefined {
    return this.#inner
  }

  /**
   * Clears the chain's own history, if its memory supports that; keeps what Hermes remembers. Also ends the session in the background:
   * unread turns are reviewed if there are at least `nudge.minTurns`. Rejects only if the chain's own memory does.
   */
  async clear(): Promise<void> {
    this.#endSession()
    const inner = this.#inner
    if (inner !== undefined && 'clear' in inner && typeof inner.clear === 'function') await inner.clear()
  }

  override get memoryKeys(): string[] {
    return [...this.#injection.memoryKeys]
  }

  /** The chain's own history with the block in front of it or in a variable beside it. */
  override async loadMemoryVariables(values: InputValues): Promise<MemoryVariables> {
    const loaded = await this.#loadInner(values)
    try {
      const input = this.#userInput(values)
      this.#before = this.#historyMessages(loaded)
      if (!runsInsideTool()) this.#unanswered = [...this.#unanswered, turnText(input)].slice(-MOST_UNANSWERED)
      const [block, recalled] = await Promise.all([this.#session.systemBlock(), this.#recall(input)])
      this.#repeats.begin(turnText(input), this.#history(loaded))
      return { ...this.#inject(loaded, block), ...recalled }
    } catch (cause) {
      warnUnexpected(this.#warn, cause)
      return { ...this.#blank(), ...loaded }
    }
  }

  /** Records one complete user turn. Never rejects, and never waits for a review. */
  override async saveContext(inputs: InputValues, outputs: OutputValues): Promise<void> {
    const shown = this.#scrubbed(outputs)
    const saved = await this.#saveInner(inputs, shown)
    try {
      const input = this.#userInput(inputs)
      const echoed = echoedKeys(inputs, shown, this.memoryKeys, this.#outputKeys)
      const output = pickValue(shown, 'assistant', this.#outputKeys, echoed)
      if (input.text === undefined) this.#tellAmbiguous('inputs', 'inputKey', input)
      if (output.text === undefined) this.#tellAmbiguous('outputs', 'outputKey', output)
      // Another answer to the same question is not a new user turn.
      const repeated = this.#repeats.isRepeat(turnText(input))
      if (!saved) this.#repeats.forget()
      if (repeated || runsInsideTool()) return
      const model = this.#model === undefined ? {} : { model: hostModel(this.#model) }
      this.#unanswered = this.#unanswered.slice(0, -1)
      const turn = { messages: chainTurn(input, output), before: this.#before, toolIterations: countToolSteps(outputs) }
      this.#session.recordTurn({ ...turn, ...model })
    } catch (cause) {
      warnUnexpected(this.#warn, cause)
    }
  }

  /** The outcome is reported as an event. */
  #endSession(): void {
    // The conversation that called the tool goes on.
    if (runsInsideTool()) return
    try {
      this.#session.end().catch((cause: unknown) => warnUnexpected(this.#warn, cause))
    } catch (cause) {
      warnUnexpected(this.#warn, cause)
    }
  }

  /** The variable for recalled text, if the host wants one; empty if there is nothing, or if the user's words are unknown. */
  async #recall({ text }: PickedValue): Promise<MemoryVariables> {
    const { recallKey } = this.#injection
    if (recallKey === undefined) return {}
    const prompt = [...this.#before, { role: 'user', text: text ?? '' } as const]
    const found = await this.#session.recall(prompt, { nested: runsInsideTool() })
    this.#recalled = found.find(({ index }) => index === prompt.length - 1)?.text ?? ''
    return { [recallKey]: this.#recalled }
  }

  /** What the chain keeps of its answer: without a fence that the model repeated. */
  #scrubbed(outputs: OutputValues): OutputValues {
    const fence = this.#recalled
    if (fence === '') return outputs
    const scrub = (value: unknown): unknown => (typeof value === 'string' ? scrubText(value, [fence]) : value)
    return Object.fromEntries(Object.entries(outputs).map(([key, value]) => [key, scrub(value)]))
  }

  #inject(loaded: MemoryVariables, block: string): MemoryVariables {
    const { inject, memoryKey } = this.#injection
    if (inject === 'variable') return { ...loaded, [memoryKey]: block }
    if (block === '') return loaded
    const folded = foldBlock(loaded[memoryKey], block)
    if (folded !== undefined) return { ...loaded, [memoryKey]: folded }
    const message = `The chain's own memory fills '${memoryKey}' with neither text nor messages, so nothing can be folded into it. Set inject: 'variable' and mention {hermes_memory} in the prompt.`
    this.#warn({ code: 'invalid-option', message })
    return loaded
  }

  #userInput(values: InputValues): PickedValue {
    return pickValue(values, 'user', this.#inputKeys, this.#injection.memoryKeys)
  }

  /** Undefined if the chain keeps no history. */
  #history(loaded: MemoryVariables): unknown {
    const key = this.#inner?.memoryKeys[0]
    return key === undefined ? undefined : (loaded[key] ?? '')
  }

  /** The history as messages, without questions that this memory saw itself; empty if it is a text. */
  #historyMessages(loaded: MemoryVariables): readonly TurnMessage[] {
    const messages = toTurnMessages(asList(this.#history(loaded)).filter(isMessage))
    return messages.filter(({ role, text }) => role !== 'user' || !this.#unanswered.includes(text))
  }

  /** Empty values for the variables that a prompt requires. */
  #blank(): MemoryVariables {
    const { memoryKeys, recallKey } = this.#injection
    const empty = asRecord(this.#inner)['returnMessages'] === true ? () => [] : () => ''
    return Object.fromEntries(memoryKeys.map((key) => [key, key === recallKey ? '' : empty()]))
  }

  async #loadInner(values: InputValues): Promise<MemoryVariables> {
    if (this.#inner === undefined) return {}
    try {
      return await this.#inner.loadMemoryVariables(values)
    } catch (cause) {
      this.#warn({
        code: 'inner-memory',
        message: `The chain's own memory could not be read, so this call is made without its history: ${String(cause)}`,
        cause,
      })
      return this.#blank()
    }
  }

  async #saveInner(inputs: InputValues, outputs: OutputValues): Promise<boolean> {
    try {
      await this.#inner?.saveContext(inputs, outputs)
      return true
    } catch (cause) {
      this.#warn({ code: 'inner-memory', message: `The chain's own memory did not save this turn: ${String(cause)}`, cause })
      return false
    }
  }

  #tellAmbiguous(what: string, option: 'inputKey' | 'outputKey', { others }: PickedValue): void {
    const keys = Object.keys(others)
    const message = `The chain has ${keys.length === 0 ? `no ${what}` : `several ${what} (${keys.join(', ')})`}, so it is unknown whose words they are, and none of them count as the user's or as the answer. Set '${option}'.`
    this.#warn({ code: 'ambiguous-values', message })
  }
}
