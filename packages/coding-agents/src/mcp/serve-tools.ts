/** The agent's tools, and its skills as resources, over MCP on standard input and output. */
import { once } from 'node:events'
import { createHermes, inMemoryBackend } from '@hermes/core'
import { asRecord, type ToolDefinition, toJson } from '@hermes/core/adapter'
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { AgentHost } from '../agent-host.ts'
import { projectOf } from '../project-of.ts'
import { runCall } from './run-call.ts'
import type { ToolCall } from './shown-before.ts'
import { offerSkills } from './skill-resources.ts'

/** Of the tools. */
const VERSION = '1'

/** Without it, the model has to look a tool up before it can call it. */
export const ALWAYS_LOAD = { 'anthropic/alwaysLoad': true }

/** Names, descriptions and schemas are the same in every home. In a repository, the memory also has notes on the project. */
const definitions = (): readonly ToolDefinition[] =>
  createHermes({ storage: inMemoryBackend() })
    .session(undefined, { project: projectOf(process.cwd()) })
    .offerTools()

const answerCall = async (host: AgentHost | undefined, name: string, call: ToolCall) => {
  const answer = await runCall(host, name, call).catch((cause: unknown) => ({
    success: false,
    error: `Memory cannot be used now: ${cause instanceof Error ? cause.message : String(cause)} Go on with the task.`,
  }))
  return { content: [{ type: 'text' as const, text: toJson(answer) }], isError: asRecord(answer)['success'] === false }
}

const serverFor = (host: AgentHost | undefined, tools: readonly ToolDefinition[]): McpServer => {
  const server = new McpServer({ name: 'hermes', version: VERSION })
  for (const { name, description, jsonSchema } of tools)
    server.registerTool(name, { description, inputSchema: fromJsonSchema(jsonSchema), _meta: ALWAYS_LOAD }, (input, context) =>
      answerCall(host, name, { input, id: host?.callId(asRecord(context.mcpReq._meta)) }),
    )
  offerSkills(server, (name, input) => runCall(host, name, { input, id: undefined }))
  return server
}

/** `host`: undefined for a program that Hermes does not know. Resolves when the client has closed its side. */
export const serveTools = async (host: AgentHost | undefined): Promise<void> => {
  const tools = definitions()
  const closed = once(process.stdin, 'close')
  serveStdio(() => serverFor(host, tools))
  await closed
}
