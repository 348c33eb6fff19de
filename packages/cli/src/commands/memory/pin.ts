/** `hermes memory pin` and `unpin`: only a person can change a pinned entry. */
import { failed } from '../../answer.ts'
import { type Command, defineCommand } from '../../command.ts'
import { cleanText } from '../../terminal/clean-text.ts'
import { wrapText } from '../../terminal/text-width.ts'
import { type AnyStoreArgs, readWords, type TextArgs, WHICH_ENTRY, withAnyStore, withText } from './change-memory.ts'
import { findEntry } from './find-entry.ts'
import { inProject, openJournalledMemory } from './open-memory.ts'

const TOLD = {
  pin: ['Pinned: neither the agent nor a review changes it, and it is never archived to make room.', 'It was pinned already.'],
  unpin: ['No longer pinned.', 'It was not pinned.'],
} as const

const pinVerb = (verb: 'pin' | 'unpin', what: string): Command =>
  defineCommand<AnyStoreArgs & TextArgs>({
    examples: [
      [`hermes memory ${verb} "pnpm 12"`, what],
      [`hermes memory ${verb} user:2`, "the second of USER.md, as 'hermes memory show' numbers them"],
      [`hermes memory ${verb} --to user Oslo`, 'if both stores have such an entry'],
    ],
    takesWords: true,
    options: (parser) => withText(withAnyStore(parser), WHICH_ENTRY),
    run: async (args, from) => {
      const context = inProject(from, args.project)
      const text = await readWords(args, context)
      if (typeof text !== 'string') return failed(text)
      const found = await findEntry(text, args.to, context)
      if (!found.ok) return failed(found.error)
      const store = await openJournalledMemory(context)
      const done = await store[verb](found.value.target, found.value.entry)
      if (!done.ok) return failed(done.error)
      const { entry, changed } = done.value
      const [told, before] = TOLD[verb]
      return {
        value: done.value,
        text: ({ columns }) => `${wrapText(changed ? told : before, columns)}\n  ${wrapText(cleanText(entry), columns, 2)}\n`,
      }
    },
  })

export const pinCommand = pinVerb('pin', 'only you can change it')
export const unpinCommand = pinVerb('unpin', 'the agent may change or remove it again')
