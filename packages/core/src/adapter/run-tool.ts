/** The agent's tools, run by a framework. */
import type { ToolDefinition } from '../tools/tool-definition.ts'

/** What a tool answers where it cannot be used at all, for the model to read. */
export const refusal = (error: string) => ({ success: false, error })

/**
 * Contract: never rejects. `run` reads what the framework handed over and calls the tool; what it throws is a refusal, and goes to `onFailure`.
 */
export const runTool = async (
  { name }: Pick<ToolDefinition, 'name'>,
  run: () => Promise<Readonly<Record<string, unknown>>>,
  onFailure?: (cause: unknown) => void,
): Promise<Readonly<Record<string, unknown>>> => {
  try {
    return await run()
  } catch (cause) {
    onFailure?.(cause)
    return refusal(`The ${name} tool failed unexpectedly; go on without it.`)
  }
}
