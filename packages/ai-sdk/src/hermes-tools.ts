/** The agent's memory tools as plain objects that ai 5, 6 and 7 take in `tools`. */
import type { Session, ToolDefinition } from '@hermes/core'
import { asList, asRecord, asText } from './provider-protocol.ts'
import { toTurnMessages } from './to-turn-messages.ts'

export interface HermesTool {
  readonly description: string
  readonly inputSchema: ToolDefinition['inputSchema']
  /** Contract: never rejects; a refusal is part of the result, for the model to read. */
  readonly execute: (input: unknown, options: { readonly messages: readonly unknown[] }) => Promise<Readonly<Record<string, unknown>>>
}

/** Names of the tools before the prefix. */
export type HermesToolName = 'memory'

export type HermesTools<Prefix extends string = ''> = { readonly [Name in HermesToolName as `${Prefix}${Name}`]: HermesTool }

export interface HermesToolsOptions<Prefix extends string = ''> {
  /** In front of each name, for hosts where another tool is called `memory`. Default: `''`. */
  readonly prefix?: Prefix
}

const toHermesTool = (tool: ToolDefinition): HermesTool => ({
  description: tool.description,
  inputSchema: tool.inputSchema,
  async execute(input, options) {
    try {
      // The framework's own messages say whose words the turn holds; the gate needs that.
      const messages = asList(options.messages).map((message) => ({
        role: asText(asRecord(message)['role']),
        content: asRecord(message)['content'],
      }))
      return await tool.execute(input, { messages: toTurnMessages(messages) })
    } catch {
      return { success: false, error: `The ${tool.name} tool failed unexpectedly; go on without it.` }
    }
  },
})

/** In the session's fixed order, so that the provider's cache of the tool list stays warm. */
export const hermesTools = <const Prefix extends string = ''>(
  session: Session,
  options: HermesToolsOptions<Prefix> = {},
): HermesTools<Prefix> => {
  const prefix = options.prefix ?? ''
  const tools = Object.fromEntries(session.toolsWithPrefix(prefix).map((tool) => [tool.name, toHermesTool(tool)]))
  // The names are data here; HermesToolName lists them for the host's types.
  return tools as HermesTools<Prefix>
}
