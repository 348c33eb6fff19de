/** `hermes memory replace`: replaces the text of an entry. */
import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import {
  type AnyStoreArgs,
  changeMemory,
  readWords,
  type TextArgs,
  type TimeArgs,
  WHICH_ENTRY,
  withAnyStore,
  withText,
  withTime,
} from './change-memory.ts'
import { findEntry } from './find-entry.ts'
import { inProject } from './open-memory.ts'

export const replaceCommand = defineCommand<AnyStoreArgs & TextArgs & TimeArgs & { readonly old: string }>({
  examples: [
    ['hermes memory replace "pnpm 9" "The repo builds with pnpm 12"', 'the whole entry that speaks of pnpm 9'],
    ['hermes memory replace user:2 "Lives in Oslo"', "the second of USER.md, as 'hermes memory show' numbers them"],
    ['hermes memory replace --to user Lisbon "Lives in Oslo"', 'if both stores have such an entry'],
  ],
  takesWords: true,
  options: (parser) =>
    withTime(
      withText(
        withAnyStore(parser).positional('old', {
          type: 'string',
          demandOption: true,
          describe: WHICH_ENTRY,
        }),
        'the new entry',
      ),
    ),
  run: async (args, context) => {
    const content = await readWords(args, context)
    if (typeof content !== 'string') return failed(content)
    const found = await findEntry(args.old, args.to, inProject(context, args.project))
    if (!found.ok) return failed(found.error)
    const { entry, target: to } = found.value
    return changeMemory({ action: 'replace', oldText: entry, content, from: args.from, until: args.until }, { ...args, to }, context)
  },
})
