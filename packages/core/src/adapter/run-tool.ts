/** Runs the agent's tools for a framework. */
import type { ToolDefinition } from '../tools/tool-definition.ts'

/** The answer of a tool that cannot be used, for the model. */
export const refusal = (error: string) => ({ success: false, error })

/** Contract: never rejects. `run` reads the framework's input and calls the tool; if it throws, the result is a refusal and `onFailure` is called. */
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
