/** `hermes mcp`: the agent's tools over MCP, for programs without hooks. */
import { serveTools } from '@hermes/coding-agents/mcp'
import { defineCommand } from '../command.ts'

export const mcpCommand = defineCommand({
  describe: "Offer the agent's tools over MCP, on standard input and output. What they write is kept as from outside.",
  examples: [['hermes mcp', 'the command of an MCP server, in the settings of a program']],
  createsHome: true,
  withoutHome: true,
  run: async () => {
    await serveTools(undefined)
    return {}
  },
})
