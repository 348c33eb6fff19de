/** `hermes memory add`: adds an entry to memory. */
import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { changeMemory, readWords, type StoreArgs, type TextArgs, withStore, withText } from './change-memory.ts'

export const addCommand = defineCommand<StoreArgs & TextArgs>({
  usage: 'add [text..]',
  describe: 'Add an entry. It counts as your own words; new sessions see it, running ones do not.',
  examples: [
    ['hermes memory add "The repo builds with pnpm 12"', "to the agent's notes"],
    ['hermes memory add --to user "Lives in Oslo"', 'to what it knows about you'],
    ['pbpaste | hermes memory add --stdin', 'the text on stdin'],
  ],
  takesWords: true,
  options: (parser) => withText(withStore(parser), 'the entry'),
  run: async (args, context) => {
    const content = await readWords(args, context)
    return typeof content === 'string' ? changeMemory({ action: 'add', content }, args, context) : failed(content)
  },
})
