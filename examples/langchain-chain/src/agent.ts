/** The same for `createAgent`: a checkpointer keeps the conversation, Hermes keeps what is worth knowing in the next one. */
import { createHermes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { hermesMiddleware } from '@hermes/langchain/agent'
import { MemorySaver } from '@langchain/langgraph'
import { createAgent } from 'langchain'
import { chooseModel } from './model/choose-model.ts'
import { readLines } from './read-lines.ts'
import { tellEvent } from './tell-event.ts'

const hermes = createHermes({ storage: fileSystemBackend(process.env['HERMES_HOME'] ?? '~/.hermes'), onEvent: tellEvent })
const agent = createAgent({
  model: chooseModel(),
  tools: [],
  systemPrompt: 'You are a helpful assistant.',
  checkpointer: new MemorySaver(),
  middleware: [hermesMiddleware(hermes)],
})
const id = process.env['THREAD'] ?? crypto.randomUUID()

for await (const input of readLines()) {
  const { messages } = await agent.invoke({ messages: input }, { configurable: { thread_id: id } })
  console.log(`you: ${input}\nbot: ${messages.at(-1)?.text}`)
}
await hermes.session(id).end()
