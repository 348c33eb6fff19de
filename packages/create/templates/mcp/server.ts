/** The memory as an MCP server, for any client: its command is `npx tsx server.ts` in this folder. */
import { createHermes } from '@hermes/core'
import { runTool, toJson } from '@hermes/core/adapter'
import { fileSystemBackend } from '@hermes/core/file-system'
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

const session = createHermes({ storage: fileSystemBackend(process.env['HERMES_HOME'] ?? './memory') }).session()
const instructions = await session.systemBlock() // what is remembered: clients show it to their model

serveStdio(() => {
  const server = new McpServer({ name: 'hermes-app', version: '1.0.0' }, { instructions })
  for (const { name, description, jsonSchema, ...tool } of session.offerTools())
    server.registerTool(name, { description, inputSchema: fromJsonSchema(jsonSchema) }, async (input) => {
      // A client does not say who typed what, so what it writes counts as text from outside.
      const messages = [{ role: 'tool' as const, text: toJson(input), toolNames: ['unknown'] }]
      const answer = await runTool({ name }, () => tool.execute(input, { messages }))
      return { content: [{ type: 'text', text: toJson(answer) }], isError: answer['success'] === false }
    })
  return server
})
