/** `hermes memory add`: adds an entry to memory. */
import { type Failure, failed, usage } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { shellQuote } from '../../terminal/format.ts'
import { changeMemory, readWords, type StoreArgs, type TextArgs, type TimeArgs, withStore, withText, withTime } from './change-memory.ts'
import { FILES, MEMORY_STORES } from './memory-view.ts'

/** `hermes memory add user "Lives in Oslo"`: the first word may be meant as the store. */
const storeAsWord = ([first = '', ...rest]: readonly string[]): Failure | undefined => {
  const store = MEMORY_STORES.find((name) => name === first)
  if (store === undefined || rest.length === 0) return undefined
  const command = `hermes memory add --to ${store} ${shellQuote(rest.join(' '))}`
  const message = `'${store}' may be the store or the first word of the entry. To add it to ${FILES[store]}: ${command}. If it is part of the entry, put the whole text in one pair of quotes.`
  return usage(message)
}

export const addCommand = defineCommand<StoreArgs & TextArgs & TimeArgs>({
  examples: [
    ['hermes memory add "The repo builds with pnpm 12"', "to the agent's notes"],
    ['hermes memory add --to user "Lives in Oslo"', 'to what it knows about you'],
    ['hermes memory add --to user --until 2026-12-04 "In Lisbon until Friday"', 'for a time'],
    ['pbpaste | hermes memory add --stdin', 'the text on stdin'],
  ],
  takesWords: true,
  options: (parser) => withTime(withText(withStore(parser), 'the entry')),
  run: async (args, context) => {
    const content = storeAsWord(args.text) ?? (await readWords(args, context))
    return typeof content === 'string'
      ? changeMemory({ action: 'add', content, from: args.from, until: args.until }, args, context)
      : failed(content)
  },
})
