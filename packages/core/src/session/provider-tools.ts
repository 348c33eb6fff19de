/** The tools of a memory provider, in neutral form. Their results are text from outside, so they never count as the agent's own tools. */
import * as z from 'zod/mini'
import type { ProviderConnection } from '../provider/provider-connection.ts'
import { safeTool, type ToolDefinition } from '../tools/tool-definition.ts'

export interface ProviderToolsDeps {
  readonly provider: Pick<ProviderConnection, 'tools' | 'callTool'>
  readonly sessionId: string
}

export const providerTools = ({ provider, sessionId }: ProviderToolsDeps): readonly ToolDefinition[] => {
  const anyObject = z.record(z.string(), z.unknown())
  return provider.tools.map(({ name, description, inputSchema }) =>
    safeTool({
      name,
      description,
      inputSchema: anyObject,
      jsonSchema: inputSchema,
      run: (input) => provider.callTool(name, input, sessionId),
      refuse: ({ message }) => ({ success: false, error: message }),
    }),
  )
}
