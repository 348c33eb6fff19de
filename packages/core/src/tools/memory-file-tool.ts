/** Claude's memory tool (`memory_20250818`) in neutral form: the stores and skills as files below `/memories`. What it does is loaded with the first call. */
import { HermesError } from '../shared/hermes-error.ts'
import type { Result } from '../shared/result.ts'
import { type ToolContext, type ToolDefinition, type ToolResult, withoutCode } from './tool-definition.ts'
import { inputSchema, readObject } from './tool-parameters.ts'

/** What a model is shown of a result: text, as it knows the tool. */
const outputOf = (result: ToolResult): string =>
  typeof result['output'] === 'string' ? result['output'] : `Error: ${String(result['error'])}`

/** `run`: contract: never rejects. */
export const memoryFileTool = (run: (input: unknown, context?: ToolContext) => Promise<Result<string>>): ToolDefinition => ({
  name: 'memory',
  description: 'Files that outlast the conversation, below /memories.',
  inputSchema: inputSchema(readObject),
  // The provider describes the tool to its model.
  jsonSchema: { type: 'object' },
  shownAs: outputOf,
  execute: async (input, context) => {
    const done = await run(input, context).catch((error: unknown) =>
      HermesError.isInstance(error) ? { ok: false as const, error } : undefined,
    )
    if (!done) return withoutCode()
    return done.ok ? { success: true, output: done.value } : { success: false, code: done.error.code, error: done.error.message }
  },
})
