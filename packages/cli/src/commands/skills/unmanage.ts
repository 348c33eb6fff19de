/** `hermes skills unmanage`: revokes grants given with `manage`. */
import { EXIT, failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { hint } from '../../terminal/hint.ts'
import { openCurator } from '../curator/open-curator.ts'
import { describeScope, isFailure, type ScopeArgs, toScope, toScopeArguments, withScope } from './grant-scope.ts'

export const unmanageCommand = defineCommand<ScopeArgs>({
  usage: 'unmanage [name..]',
  describe: 'Take skills back: from now on nothing changes them automatically.',
  examples: [
    ['hermes skills unmanage parse-csv', 'one skill'],
    ['hermes skills unmanage --category scratch', 'a category, if it was handed over as a category'],
  ],
  options: (parser) => withScope(parser),
  run: async (args, context) => {
    const scope = toScope(args)
    if (scope === undefined)
      return failed({ code: 'usage', message: 'Missing skills: give their names, --category or --all.', exitCode: EXIT.usage })
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
