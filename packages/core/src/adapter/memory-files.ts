/** Claude's memory tool for adapters: its commands on the memory and the skills of the session of a call. */
import type { ToolContext } from '../tools/tool-definition.ts'
import type { HermesTarget } from './find-session.ts'
import { toolsToOffer } from './offered-tools.ts'
import { runTool } from './run-tool.ts'

/** Carries out one command as the model sent it; answers with what the model is shown. Contract: never rejects. */
export type RunMemoryCommand = (input: unknown, context: () => ToolContext) => Promise<string>

/** `caller`: the function that was called. Throws a TypeError for what is no target. */
export const memoryCommands = (caller: string, target: HermesTarget): RunMemoryCommand => {
  const [tool] = toolsToOffer(caller, target, { form: 'files' })
  if (!tool) throw new TypeError(`${caller}: this copy of @hermes/core does not have the memory tool.`)
  return async (input, context) => {
    const result = await runTool(tool, () => tool.execute(input, context()))
    return tool.shownAs?.(result) ?? JSON.stringify(result)
  }
}
