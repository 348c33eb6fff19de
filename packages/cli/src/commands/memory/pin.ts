/** `hermes memory pin` and `unpin`: only a person can change a pinned entry. */
import { failed } from '../../answer.ts'
import { type Command, defineCommand } from '../../command.ts'
import { cleanText } from '../../terminal/clean-text.ts'
import { wrapText } from '../../terminal/wrap-text.ts'
import { readWords, type StoreArgs, type TextArgs, withStore, withText } from './change-memory.ts'
import { openJournalledMemory } from './open-memory.ts'

const TOLD = {
  pin: ['Pinned: neither the agent nor a review changes it, and it never makes room for another.', 'It was pinned before.'],
  unpin: ['Not pinned any more.', 'It was not pinned.'],
} as const

const pinVerb = (verb: 'pin' | 'unpin', describe: string, what: string): Command =>
  defineCommand<StoreArgs & TextArgs>({
    usage: `${verb} [text..]`,
    describe,
    examples: [
      [`hermes memory ${verb} "pnpm 12"`, what],
      [`hermes memory ${verb} -t user Oslo`, 'in who you are'],
    ],
    takesWords: true,
    options: (parser) => withText(withStore(parser), 'a piece of the entry that no other entry holds'),
    run: async (args, context) => {
      const text = await readWords(args, context)
      if (typeof text !== 'string') return failed(text)
      const store = await openJournalledMemory(context)
      const done = await store[verb](args.to, text)
      if (!done.ok) return failed(done.error)
      const { entry, changed } = done.value
      const [told, before] = TOLD[verb]
      return {
        value: done.value,
        text: ({ columns }) => `${wrapText(changed ? told : before, columns)}\n  ${wrapText(cleanText(entry), columns, 2)}\n`,
      }
    },
  })

export const pinCommand = pinVerb('pin', 'Keep the one entry that holds a piece of text, until you change it.', 'it stays')
export const unpinCommand = pinVerb('unpin', 'Let the agent change an entry again.', 'it may change or go again')
