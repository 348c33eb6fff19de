import type { ProviderConnection } from '../provider/provider-connection.ts'
import { safeTool, type ToolDefinition } from '../tools/tool-definition.ts'
import { inputSchema, readObject } from '../tools/tool-parameters.ts'

/** The tools of a memory provider, in neutral form. Their results are text from outside, so they never count as the agent's own tools. */
export const providerTools = (
  tools: ProviderConnection['tools'],
  call: (name: string, input: unknown) => Promise<Readonly<Record<string, unknown>>>,
): readonly ToolDefinition[] => {
  const anyObject = inputSchema(readObject)
  return tools.map(({ name, description, inputSchema: jsonSchema }) =>
    safeTool({
      name,
      description,
      inputSchema: anyObject,
      jsonSchema,
      run: (input) => call(name, input),
      refuse: ({ message }) => ({ success: false, error: message }),
    }),
  )
}
