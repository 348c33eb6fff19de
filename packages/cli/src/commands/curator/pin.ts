/** `hermes curator pin` and `unpin`: no automatic process changes a pinned skill. */
import type { Answer } from '../../answer.ts'
import { type Command, defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { hint } from '../../terminal/hint.ts'
import { failedWithCloseNames } from '../skills/close-names.ts'
import { openCurator } from './open-curator.ts'

const setPin = async (target: string, verb: 'pin' | 'unpin', context: Context): Promise<Answer> => {
  const curator = await openCurator(context)
  const done = await curator[verb](target)
  if (!done.ok) return failedWithCloseNames(done.error, context)
  const { name, pinned, changed } = done.value
  const told = pinned
    ? `${name} is pinned: nothing changes it automatically.`
    : changed
      ? `${name} is no longer pinned.`
      : `${name} was not pinned.`
  const undo = changed ? `Undo: hermes curator ${verb === 'pin' ? 'unpin' : 'pin'} ${name}` : undefined
  return { value: { name, pinned, changed }, text: (terminal) => `${told}\n${undo === undefined ? '' : hint(undo, terminal)}` }
}

const pinVerb = (verb: 'pin' | 'unpin', describe: string, what: string): Command =>
  defineCommand<{ readonly name: string }>({
    usage: `${verb} <name>`,
    describe,
    examples: [[`hermes curator ${verb} deploy`, what]],
    options: (parser) => parser.positional('name', { type: 'string', demandOption: true, describe: 'the name or the folder of a skill' }),
    run: ({ name }, context) => setPin(name, verb, context),
  })

export const pinCommand = pinVerb(
  'pin',
  'Pin a skill: never stale, never archived, never rewritten by the agent or a review.',
  'it stays as it is',
)
export const unpinCommand = pinVerb('unpin', 'Unpin a skill: the curator manages it again.', 'it may age again')
