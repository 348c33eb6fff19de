/** One model call of a host, from the frozen text before it to what came of it. */

import type { TurnMessage } from '../proposal/turn-message.ts'
import type { ModelToolCall } from '../session/nested-run.ts'
import type { StepEnd } from '../session/session.ts'
import type { OfferedTool, SharedTools } from '../session/shared-tools.ts'
import type { FoundSession } from './find-session.ts'

export interface ModelCallStart {
  /** The conversation as the model is about to see it, without the frozen text. */
  readonly prompt: readonly TurnMessage[]
  /** The tools that the call offers its model, or their names. */
  readonly offered?: readonly (string | OfferedTool)[] | undefined
  /** As the provider names the model; `''` counts as unknown. */
  readonly modelId?: string | undefined
  /** The framework says that the call runs inside a tool. */
  readonly nested?: boolean | undefined
  /** The host's own, of the turn. */
  readonly signal?: AbortSignal | undefined
}

export interface ModelCall {
  /** The frozen text for the system prompt; `''` where there is none. */
  readonly block: string
  /** A tool call of the model's. Before the host can run it: in a stream, when it goes by. */
  noteToolCall(call: Pick<ModelToolCall, 'id' | 'name' | 'input'>): void
  /** After an answer that is complete, and no other. Undefined values count as left out. */
  end(step: ModelCallEnd): void
}

export type ModelCallEnd = Pick<StepEnd, 'turnFinished' | 'calledTools' | 'reply'> & {
  readonly model?: StepEnd['model'] | undefined
  readonly usage?: StepEnd['usage'] | undefined
}

/** In the order that a session needs: what is offered, the frozen text, the step. */
export const beginModelCall = async ({ session, offering }: FoundSession, start: ModelCallStart): Promise<ModelCall> => {
  const { prompt, offered = [], modelId, nested, signal } = start
  for (const shared of offering) shared.noteOffered(session, offered)
  const block = await session.systemBlock()
  session.beginStep(prompt, { ...(nested === undefined ? {} : { nested }), ...(modelId ? { modelId } : {}) })
  return {
    block,
    noteToolCall: (call) => session.noteToolCall({ ...call, prompt, signal }),
    end: ({ turnFinished, calledTools, reply, model, usage }) =>
      session.endStep({ prompt, turnFinished, calledTools, reply, ...(usage ? { usage } : {}), ...(model ? { model } : {}) }),
  }
}

/** A call of nobody's goes out as it is; its tool calls are reported, so that none of them passes for a session's. */
export const beginUnownedCall = (shared: SharedTools, { prompt, signal }: ModelCallStart): ModelCall => {
  shared.beginUnownedStep(prompt)
  return {
    block: '',
    noteToolCall: (call) => shared.noteUnownedCall({ ...call, prompt, signal }),
    end: () => undefined,
  }
}
