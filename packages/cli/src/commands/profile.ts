/** `hermes profile`: the fields that an app keeps about its user, each with whose words it is. */
import { failed } from '../answer.ts'
import { defineCommand } from '../command.ts'
import { hint } from '../terminal/field-list.ts'
import { readStores, renderStore } from './memory/memory-view.ts'

const HOW_TO_CHANGE = 'An app declares the fields. Change one here by its number: hermes memory replace profile:1 \'city: "Porto"\''

export const profileCommand = defineCommand({
  describe: 'Show the typed profile: the fields that an app keeps about you, and whose words each is.',
  examples: [
    ['hermes profile', 'what is known, field by field'],
    ['hermes profile --long', 'also since when'],
  ],
  onlyReads: true,
  options: (parser) =>
    parser.option('long', { alias: 'l', type: 'boolean', describe: 'also show when each field was first seen and last confirmed' }),
  run: async ({ long = false }, context) => {
    const { stores, problems } = await readStores(context, ['profile'])
    const [problem] = problems
    const [store] = stores
    const fields = store?.entries ?? []
    return {
      value: { fields },
      text: (terminal) =>
        stores.map((view) => renderStore(view, { now: context.clock(), long }, terminal)).join('') +
        (fields.length === 0 ? '' : hint(HOW_TO_CHANGE, terminal)),
      ...(problem ? failed(problem) : {}),
    }
  },
})
