/** `hermes memory remove`: removes an entry from memory. */
import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { type AnyStoreArgs, changeMemory, findStore, readWords, type TextArgs, withAnyStore, withText } from './change-memory.ts'

export const removeCommand = defineCommand<AnyStoreArgs & TextArgs>({
  usage: 'remove [text..]',
  describe: 'Remove the one entry that contains a text.',
  examples: [
    ['hermes memory remove "pnpm 9"', 'the entry that mentions pnpm 9'],
    ['hermes memory remove --to user Lisbon', 'if both stores have such an entry'],
  ],
  takesWords: true,
  options: (parser) => withText(withAnyStore(parser), 'text that only this entry contains'),
  run: async (args, context) => {
    const oldText = await readWords(args, context)
    if (typeof oldText !== 'string') return failed(oldText)
    const to = await findStore(oldText, args.to, context)
    return typeof to === 'string' ? changeMemory({ action: 'remove', oldText }, { ...args, to }, context) : failed(to)
  },
})
