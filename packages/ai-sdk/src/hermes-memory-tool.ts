/** Claude's memory tool for the Anthropic provider of the AI SDK. */
import { type HermesTarget, memoryCommands } from '@hermes/core/adapter'
import { type HermesToolCall, toToolContext } from './hermes-tools.ts'

export interface HermesMemoryTool {
  /** Contract: never rejects; a refusal is a text for the model. */
  readonly execute: (input: unknown, options: HermesToolCall) => Promise<string>
}

/**
 * What `anthropic.tools.memory_20250818` takes: its six commands act on the two stores and the skills, through the same gate as `hermesTools`. Offer it under
 * the name `memory`, in place of that tool. `target` as for `hermesTools`.
 */
export const hermesMemoryTool = (target: HermesTarget): HermesMemoryTool => {
  const run = memoryCommands('hermesMemoryTool', target)
  return { execute: (input, call) => run(input, () => toToolContext(call)) }
}
