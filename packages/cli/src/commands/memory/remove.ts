/** `hermes memory remove`: removes an entry from memory. */
import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { type AnyStoreArgs, changeMemory, readWords, type TextArgs, WHICH_ENTRY, withAnyStore, withText } from './change-memory.ts'
import { findEntry } from './find-entry.ts'
import { inProject } from './open-memory.ts'

export const removeCommand = defineCommand<AnyStoreArgs & TextArgs>({
  examples: [
    ['hermes memory remove "pnpm 9"', 'the entry that mentions pnpm 9'],
    ['hermes memory remove user:2', "the second of USER.md, as 'hermes memory show' numbers them"],
    ['hermes memory remove --to user Lisbon', 'if both stores have such an entry'],
  ],
  takesWords: true,
  options: (parser) => withText(withAnyStore(parser), WHICH_ENTRY),
  run: async (args, context) => {
    const text = await readWords(args, context)
    if (typeof text !== 'string') return failed(text)
    const found = await findEntry(text, args.to, inProject(context, args.project))
    if (!found.ok) return failed(found.error)
    const { entry, target: to } = found.value
    return changeMemory({ action: 'remove', oldText: entry }, { ...args, to }, context)
  },
})
