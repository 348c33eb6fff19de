/** `hermes skills unmanage`: revokes grants given with `manage`. */
import { EXIT, failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { hint } from '../../terminal/hint.ts'
import { openCurator } from '../curator/open-curator.ts'
import { describeScope, isFailure, type ScopeArgs, toScope, toScopeArguments, withScope } from './grant-scope.ts'

export const unmanageCommand = defineCommand<ScopeArgs>({
  usage: 'unmanage [name..]',
  describe: 'Take skills back: from then on nothing automatic touches them.',
  examples: [
    ['hermes skills unmanage parse-csv', 'one skill'],
    ['hermes skills unmanage --category scratch', 'a category, as it was handed over'],
  ],
  options: (parser) => withScope(parser),
  run: async (args, context) => {
    const scope = toScope(args)
    if (scope === undefined)
      return failed({ code: 'usage', message: 'Say which skills: names, a --category, or --all.', exitCode: EXIT.usage })
    if (isFailure(scope)) return failed(scope)
    const curator = await openCurator(context)
    const left = await curator.unmanage(scope)
    if (!left.ok) return failed(left.error)
    return {
      value: { grants: left.value },
      text: (terminal) =>
        `Taken back: ${describeScope(scope)}.\n${hint(`Undo: hermes skills manage ${toScopeArguments(scope)}`, terminal)}`,
    }
  },
})
