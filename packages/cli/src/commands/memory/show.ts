/** `hermes memory show`: the entries with their sources, and how full the stores are. */
import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { MEMORY_STORES, readStores, renderStore, storesOf } from './memory-view.ts'
import { inProject, PROJECT } from './open-memory.ts'

export const showCommand = defineCommand({
  examples: [
    ['hermes memory show', 'both stores'],
    ['hermes memory show user --long', 'only what the agent knows about you, and since when'],
  ],
  onlyReads: true,
  options: (parser) =>
    parser
      .positional('store', {
        choices: MEMORY_STORES,
        describe: "memory: the agent's own notes; user: what it knows about you; project: notes on the project of --project",
      })
      .option('project', PROJECT)
      .option('long', { alias: 'l', type: 'boolean', describe: 'also show when each entry was first seen and last confirmed' }),
  run: async ({ store, project, long = false }, from) => {
    const context = inProject(from, project)
    const { stores, problems } = await readStores(context, store === undefined ? storesOf(context) : [store])
    const [first, ...more] = problems
    for (const { message } of more) context.warn(message)
    const look = { now: context.clock(), long }
    return {
      value: { stores },
      text: (terminal) => stores.map((view) => renderStore(view, look, terminal)).join('\n'),
      ...(first ? failed(first) : {}),
    }
  },
})
