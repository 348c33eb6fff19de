/** A conversation chain as many apps have it: reads lines, answers each. */
import { ConversationChain } from '@langchain/classic/chains'
import { chooseModel } from './model/choose-model.ts'
import { readLines } from './read-lines.ts'

const model = chooseModel()
const chain = new ConversationChain({ llm: model })

for await (const input of readLines()) {
  const { response } = await chain.invoke({ input })
  console.log(`you: ${input}\nbot: ${String(response)}`)
}
