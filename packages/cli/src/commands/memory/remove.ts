/** `hermes memory remove`: removes an entry from memory. */
import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { changeMemory, readWords, type StoreArgs, type TextArgs, withStore, withText } from './change-memory.ts'

export const removeCommand = defineCommand<StoreArgs & TextArgs>({
  usage: 'remove [text..]',
  describe: 'Remove the one entry that contains a text.',
  examples: [
    ['hermes memory remove "pnpm 9"', 'the entry that mentions pnpm 9'],
    ['hermes memory remove -t user Lisbon', 'from what it knows about you'],
  ],
  takesWords: true,
  options: (parser) => withText(withStore(parser), 'text that only this entry contains'),
  run: async (args, context) => {
    const oldText = await readWords(args, context)
    return typeof oldText === 'string' ? changeMemory({ action: 'remove', oldText }, args, context) : failed(oldText)
  },
})
