/** `hermes memory replace`: replaces the text of an entry. */
import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { changeMemory, readWords, type StoreArgs, type TextArgs, withStore, withText } from './change-memory.ts'

export const replaceCommand = defineCommand<StoreArgs & TextArgs & { readonly old: string }>({
  usage: 'replace <old> [text..]',
  describe: 'Replace the one entry that contains a text.',
  examples: [
    ['hermes memory replace "pnpm 9" "The repo builds with pnpm 12"', 'the whole entry that speaks of pnpm 9'],
    ['hermes memory replace -t user Lisbon "Lives in Oslo"', 'in what it knows about you'],
  ],
  takesWords: true,
  options: (parser) =>
    withText(
      withStore(parser).positional('old', {
        type: 'string',
        demandOption: true,
        describe: 'text that only this entry contains',
      }),
      'the new entry',
    ),
  run: async (args, context) => {
    const content = await readWords(args, context)
    return typeof content === 'string' ? changeMemory({ action: 'replace', oldText: args.old, content }, args, context) : failed(content)
  },
})
