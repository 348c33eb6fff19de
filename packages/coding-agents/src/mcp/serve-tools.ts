/** The agent's tools over MCP, on standard input and output. Every call opens the home anew: what the hooks have recorded meanwhile counts. */
import { once } from 'node:events'
import { createHermes, inMemoryBackend } from '@hermes/core'
import { asRecord, type ToolDefinition, toJson } from '@hermes/core/adapter'
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { AgentHost } from '../agent-host.ts'
import { readBookmark } from '../hook/bookmark.ts'
import { openHome, sessionName } from '../open-home.ts'
import { projectOf } from '../project-of.ts'
import { fromAnywhere, shownBefore, type ToolCall } from './shown-before.ts'

/** Of the tools. */
const VERSION = '1'

/** Without it, the model has to look a tool up before it can call it. */
const ALWAYS_LOAD = { 'anthropic/alwaysLoad': true }

const runCall = async (host: AgentHost | undefined, name: string, call: ToolCall): Promise<Readonly<Record<string, unknown>>> => {
  const sessionId = host?.sessionOf(process.env)
  const hermes = await openHome(host)
  try {
    const id = host && sessionId !== undefined ? sessionName(host, sessionId) : undefined
    const bookmark = id === undefined ? undefined : await readBookmark(id)
    const session = hermes.session(id, { project: bookmark?.project })
    const tool = session.offerTools().find((each) => each.name === name)
    if (!tool) return { success: false, error: `There is no tool '${name}'.` }
    const known = host && sessionId !== undefined ? { id: sessionId, bookmark, block: await session.systemBlock() } : undefined
    const messages = host && known ? await shownBefore(host, known, call) : fromAnywhere(call)
    const answer = await tool.execute(call.input, { messages })
    await session.settled()
    return answer
  } finally {
    await hermes.close()
  }
}

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
  return server
}

/** `host`: undefined for a program that Hermes does not know. Resolves when the client has closed its side. */
export const serveTools = async (host: AgentHost | undefined): Promise<void> => {
  const tools = definitions()
  const closed = once(process.stdin, 'close')
  serveStdio(() => serverFor(host, tools))
  await closed
}
