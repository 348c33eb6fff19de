/** A client of server.ts. npm start "Remember that we deploy with Kamal.", and then: npm start "What do we deploy with?" */
import { openai } from '@ai-sdk/openai'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { dynamicTool, generateText, jsonSchema, stepCountIs } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'

/** Calls the memory tool when told to remember something, and answers everything else with what the server's instructions say. */
const scripted = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => {
    const last = prompt.at(-1)
    const asked = last?.role === 'user' ? last.content.map((part) => (part.type === 'text' ? part.text : '')).join('') : ''
    const [, fact] = /remember that (.+)/i.exec(asked) ?? []
    const system = prompt.map(({ role, content }) => (role === 'system' ? content : '')).join('')
    const known = system.match(/(?<=^> ).+$/gm)?.join(' ')

    const input = JSON.stringify({ action: 'add', target: 'memory', content: `It was said: ${fact}` })
    const text = last?.role === 'tool' ? 'I will remember that.' : `From my memory: ${known ?? 'nothing yet'}`
    return {
      content: [fact ? { type: 'tool-call', toolCallId: 'call', toolName: 'memory', input } : { type: 'text', text }],
      finishReason: { unified: fact ? 'tool-calls' : 'stop', raw: undefined },
      usage: {
        inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 0, text: 0, reasoning: 0 },
      },
      warnings: [],
    }
  },
})

const model = process.env['OPENAI_API_KEY'] ? openai('gpt-5-mini') : scripted

const client = new Client({ name: 'chat', version: '1.0.0' })
const env = { HERMES_HOME: process.env['HERMES_HOME'] ?? './memory' }
await client.connect(new StdioClientTransport({ command: process.execPath, args: ['--import', 'tsx', 'server.ts'], env }))
const offered = (await client.listTools()).tools.map(({ name, description, inputSchema }) => {
  const execute = (input: unknown) => client.callTool({ name, arguments: input as Record<string, unknown> })
  return [name, dynamicTool({ description, inputSchema: jsonSchema(inputSchema as object), execute })] as const
})

const prompt = process.argv[2] ?? 'What do you know?'
const system = client.getInstructions()
const { text } = await generateText({ model, system, tools: Object.fromEntries(offered), stopWhen: stepCountIs(5), prompt })
console.log(text)
await client.close()
