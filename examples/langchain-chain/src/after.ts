/** The same chain, and it remembers. */
import { createHermes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { HermesMemory } from '@hermes/langchain'
import { ConversationChain } from '@langchain/classic/chains'
import { chooseModel } from './model/choose-model.ts'
import { readLines } from './read-lines.ts'
import { tellEvent } from './tell-event.ts'

const model = chooseModel()
const chain = new ConversationChain({ llm: model })
const session = createHermes({ storage: fileSystemBackend(process.env['HERMES_HOME'] ?? '~/.hermes'), onEvent: tellEvent }).session()
chain.memory = new HermesMemory({ session, memory: chain.memory, model })

for await (const input of readLines()) {
  const { response } = await chain.invoke({ input })
  console.log(`you: ${input}\nbot: ${String(response)}`)
}
await session.end()
