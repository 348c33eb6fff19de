/** One model call of a host, from the frozen text before it to its result and its token counts. */

import type { ModelUsage } from '../model/host-model.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { Learned } from '../session/learned.ts'
import type { ModelToolCall } from '../session/nested-run.ts'
import type { RecalledText, StepEnd } from '../session/session.ts'
import type { SharedTools } from '../session/tool-calls.ts'
import type { OfferedTool } from '../session/tool-trust.ts'
import type { FoundSession } from './find-session.ts'

export interface ModelCallStart {
  /** The conversation that the model is about to see, without the frozen text. */
  readonly prompt: readonly TurnMessage[]
  /** The tools that the call offers its model, or their names. */
  readonly offered?: readonly (string | OfferedTool)[] | undefined
  /** The provider's name of the model; `''` counts as unknown. */
  readonly modelId?: string | undefined
  /** See `StepStart.nested`. */
  readonly nested?: boolean | undefined
  /** True if no person is there: a scheduled or background run. */
  readonly automated?: boolean | undefined
  /** The host's signal for the turn. */
  readonly signal?: AbortSignal | undefined
}

export interface ModelCall {
  /** The frozen text for the system prompt; `''` if there is none. */
  readonly block: string
  /**
   * What the memory provider recalled for the user's messages; empty if there is nothing. `index` into the prompt of this call; append each text after a blank line
   * to a copy of its message. If there are any, the streams and results of the call go through `createContextScrubber`.
   */
  readonly recalled: readonly RecalledText[]
  /** Reports a tool call of the model, before the host can run it; in a stream, when it passes. */
  noteToolCall(call: Pick<ModelToolCall, 'id' | 'name' | 'input'>): void
  /** What to put on the result of a turn that this call finishes; see `Session.takeLearned`. */
  takeLearned(): Learned | undefined
  /** Reports what the model had said when its call was aborted or failed. */
  interrupted(reply: readonly TurnMessage[]): void
  /** Called only after a complete answer. Undefined values count as absent. */
  end(step: ModelCallEnd): void
}

export type ModelCallEnd = Pick<StepEnd, 'turnFinished' | 'calledTools' | 'reply'> & {
  readonly model?: StepEnd['model'] | undefined
  readonly usage?: StepEnd['usage'] | undefined
}

/** Runs the steps in the order that a session needs: offered tools, the frozen text and recalled text, the step. */
export const beginModelCall = async ({ session, offering }: FoundSession, start: ModelCallStart): Promise<ModelCall> => {
  const { prompt, offered = [], modelId, nested, automated, signal } = start
  const inTool = nested === undefined ? {} : { nested }
  for (const shared of offering) shared.noteOffered(session, offered)
  const [block, recalled] = await Promise.all([session.systemBlock(), session.recall(prompt, inTool)])
  session.beginStep(prompt, { ...inTool, offered, ...(modelId ? { modelId } : {}), ...(automated === undefined ? {} : { automated }) })
  return {
    block,
    recalled,
    noteToolCall: (call) => session.noteToolCall({ ...call, prompt, signal }),
    takeLearned: () => session.takeLearned(prompt),
    interrupted: (reply) => session.noteInterrupted(prompt, reply),
    end: ({ turnFinished, calledTools, reply, model, usage }) =>
      session.endStep({ prompt, turnFinished, calledTools, reply, ...(usage ? { usage } : {}), ...(model ? { model } : {}) }),
  }
}

/** A call without a session is sent unchanged; its tool calls are reported, so that none of them is attributed to a session. */
export const beginUnownedCall = (shared: SharedTools, { prompt, signal }: ModelCallStart): ModelCall => {
  shared.beginUnownedStep(prompt)
  return {
    block: '',
    recalled: [],
    noteToolCall: (call) => shared.noteUnownedCall({ ...call, prompt, signal }),
    takeLearned: () => undefined,
    interrupted: () => undefined,
    end: () => undefined,
  }
}

/**
 * Places the frozen text in a system prompt: appends the block to the host's own words, so that those stay in the provider's prefix cache. Returns the text unchanged if it already contains the block.
 */
export const joinBlock = (system: string, block: string): string => {
  if (block === '' || system.includes(block)) return system
  return system === '' ? block : `${system}\n\n${block}`
}

// Token counts of providers, in core's form.

/** Undefined if the value is not a finite number. */
export const asCount = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)

/** `counts`: unchecked. Omits missing counts; undefined if there are neither input nor output counts. */
export const toModelUsage = (counts: Readonly<Record<keyof ModelUsage, unknown>>): ModelUsage | undefined => {
  const inputTokens = asCount(counts.inputTokens)
  const cachedInputTokens = asCount(counts.cachedInputTokens)
  const outputTokens = asCount(counts.outputTokens)
  if (inputTokens === undefined && outputTokens === undefined) return undefined
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
  }
}
