/** npm start "Remember that we deploy with Kamal.", and then: npm start "What do we deploy with?" Each start is a conversation of its own. */
import { randomUUID } from 'node:crypto'
import { createHermes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { hermesMiddleware } from '@hermes/langchain/agent'
import { createAgent } from 'langchain'
import { chosenModel } from './model.ts'

const hermes = createHermes({ storage: fileSystemBackend(process.env['HERMES_HOME'] ?? './memory') })
const agent = createAgent({ model: chosenModel, tools: [], middleware: [hermesMiddleware(hermes)] })

const prompt = process.argv[2] ?? 'What do you know about me?'
const thread = randomUUID()
const { messages } = await agent.invoke({ messages: prompt }, { configurable: { thread_id: thread } })
console.log(messages.at(-1)?.text)

await hermes.session(thread).end() // the conversation is over: learns from it, from three turns on
