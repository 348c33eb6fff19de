/** `hermes curator pause` and `resume`: turn scheduled runs off and on. */
import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { hint } from '../../terminal/hint.ts'
import { openCurator } from './open-curator.ts'
import { warnOf } from './warn-of.ts'

export const pauseCommand = defineCommand({
  usage: 'pause',
  describe: 'Stop scheduled runs until they are resumed.',
  examples: [['hermes curator pause', "'hermes curator run' still works"]],
  run: async (_args, context) => {
    const curator = await openCurator(context)
    const changed = await curator.pause()
    if (!changed.ok) return failed(changed.error)
    if (changed.value.problem) warnOf([changed.value.problem], context)
    return {
      value: { paused: true, changed: changed.value.changed },
      text: (terminal) =>
        changed.value.changed
          ? `The curator is paused.\n${hint('Undo: hermes curator resume', terminal)}`
          : 'The curator was paused already.\n',
    }
  },
})

export const resumeCommand = defineCommand({
  usage: 'resume',
  describe: 'Resume scheduled runs.',
  examples: [['hermes curator resume', 'the next run starts when it is due']],
  run: async (_args, context) => {
    const curator = await openCurator(context)
    const changed = await curator.resume()
    if (!changed.ok) return failed(changed.error)
    if (changed.value.problem) warnOf([changed.value.problem], context)
    return {
      value: { paused: false, changed: changed.value.changed },
      text: (terminal) =>
        changed.value.changed
          ? `The curator is resumed.\n${hint('Undo: hermes curator pause', terminal)}`
          : 'The curator was not paused.\n',
    }
  },
})
