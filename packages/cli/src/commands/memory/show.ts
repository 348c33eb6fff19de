/** `hermes memory show`: what the agent remembers, whose words it is, and how full the stores are. */
import type { MemoryTarget } from '@hermes/core'
import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { MEMORY_STORES, readStores, renderStore } from './memory-view.ts'

export const showCommand = defineCommand<{ readonly store: MemoryTarget | undefined }>({
  usage: 'show [store]',
  describe: 'Show both stores, whose words each entry is, and how full they are.',
  examples: [
    ['hermes memory show', 'both stores'],
    ['hermes memory show user', 'only what the agent knows of you'],
  ],
  options: (parser) => parser.positional('store', { choices: MEMORY_STORES, describe: 'memory: its own notes; user: who you are' }),
  run: async ({ store }, context) => {
    const { stores, problems } = await readStores(context, store === undefined ? MEMORY_STORES : [store])
    const [first, ...more] = problems
    for (const { message } of more) context.warn(message)
    return {
      value: { stores },
      text: (terminal) => stores.map((view) => renderStore(view, terminal)).join('\n'),
      ...(first ? failed(first) : {}),
    }
  },
})
