/** npm start "Remember that we deploy with Kamal.", and then: npm start "What do we deploy with?" Each start is a conversation of its own. */
import { randomUUID } from 'node:crypto'
import { query } from '@anthropic-ai/claude-agent-sdk'
import { hermesHooks, hermesServer, hostModel } from '@hermes/coding-agents/agent-sdk'
import { createHermes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { chosenModel } from './model.ts'

const env = await chosenModel()
const storage = fileSystemBackend(process.env['HERMES_HOME'] ?? './memory')
const hermes = createHermes({ storage, review: { model: hostModel(query, { model: 'haiku', env }) } })
const sessionId = randomUUID()
const session = hermes.session(sessionId)
const options = {
  env,
  sessionId,
  settingSources: [], // instructions of the folder would be text from outside
  systemPrompt: { type: 'preset' as const, preset: 'claude_code' as const, append: await session.systemBlock() },
  hooks: hermesHooks(session),
  mcpServers: { hermes: hermesServer(session) },
  allowedTools: ['mcp__hermes__memory'],
}

const prompt = process.argv[2] ?? 'What do you know about me?'
for await (const message of query({ prompt, options }))
  if (message.type === 'result') console.log(message.subtype === 'success' ? message.result : message.errors.join('\n'))

await session.end() // the conversation is over: learns from it, from three turns on
