/** `hermes memory remove`: removes an entry from memory. */
import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { changeMemory, readWords, type StoreArgs, type TextArgs, withStore, withText } from './change-memory.ts'

export const removeCommand = defineCommand<StoreArgs & TextArgs>({
  usage: 'remove [text..]',
  describe: 'Remove the one entry that holds a piece of text.',
  examples: [
    ['hermes memory remove "pnpm 9"', 'the entry that speaks of pnpm 9'],
    ['hermes memory remove -t user Lisbon', 'from who you are'],
  ],
  takesWords: true,
  options: (parser) => withText(withStore(parser), 'a piece of the entry that no other entry holds'),
  run: async (args, context) => {
    const oldText = await readWords(args, context)
    return typeof oldText === 'string' ? changeMemory({ action: 'remove', oldText }, args, context) : failed(oldText)
  },
})
