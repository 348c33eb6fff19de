/** `hermes curator pin` and `unpin`: no automatic process changes a pinned skill. */
import { type Command, defineCommand } from '../../command.ts'
import { hint } from '../../terminal/field-list.ts'
import { failedWithCloseNames } from '../skills/library.ts'
import { openCurator, SKILL_NAME } from './open-curator.ts'

const pinVerb = (verb: 'pin' | 'unpin', what: string): Command =>
  defineCommand({
    examples: [[`hermes curator ${verb} deploy`, what]],
    options: (parser) => parser.positional('name', SKILL_NAME),
    run: async ({ name: asked }, context) => {
      const curator = await openCurator(context)
      const done = await curator[verb](asked)
      if (!done.ok) return failedWithCloseNames(done.error, context)
      const { name, pinned, changed } = done.value
      const unpinned = changed ? `${name} is no longer pinned.` : `${name} was not pinned.`
      const undo = changed ? `Undo: hermes curator ${verb === 'pin' ? 'unpin' : 'pin'} ${name}` : ''
      return {
        value: { name, pinned, changed },
        text: (terminal) =>
          `${pinned ? `${name} is pinned: nothing changes it automatically.` : unpinned}\n${undo === '' ? '' : hint(undo, terminal)}`,
      }
    },
  })

export const pinCommand = pinVerb('pin', 'it stays as it is')
export const unpinCommand = pinVerb('unpin', 'it may age again')
