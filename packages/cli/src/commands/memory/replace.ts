/** `hermes memory replace`: replaces the text of an entry. */
import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { type AnyStoreArgs, changeMemory, findStore, readWords, type TextArgs, withAnyStore, withText } from './change-memory.ts'

export const replaceCommand = defineCommand<AnyStoreArgs & TextArgs & { readonly old: string }>({
  usage: 'replace <old> [text..]',
  describe: 'Replace the one entry that contains a text.',
  examples: [
    ['hermes memory replace "pnpm 9" "The repo builds with pnpm 12"', 'the whole entry that speaks of pnpm 9'],
    ['hermes memory replace --to user Lisbon "Lives in Oslo"', 'if both stores have such an entry'],
  ],
  takesWords: true,
  options: (parser) =>
    withText(
      withAnyStore(parser).positional('old', {
        type: 'string',
        demandOption: true,
        describe: 'text that only this entry contains',
      }),
      'the new entry',
    ),
  run: async (args, context) => {
    const content = await readWords(args, context)
    if (typeof content !== 'string') return failed(content)
    const to = await findStore(args.old, args.to, context)
    return typeof to === 'string' ? changeMemory({ action: 'replace', oldText: args.old, content }, { ...args, to }, context) : failed(to)
  },
})
