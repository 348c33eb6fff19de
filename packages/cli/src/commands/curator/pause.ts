/** `hermes curator pause` and `resume`: turn scheduled runs off and on. */
import { failed } from '../../answer.ts'
import { type Command, defineCommand } from '../../command.ts'
import { hint } from '../../terminal/field-list.ts'
import { openCurator, warnOf } from './open-curator.ts'

const pauseVerb = (verb: 'pause' | 'resume', example: string, before: string): Command =>
  defineCommand({
    examples: [[`hermes curator ${verb}`, example]],
    run: async (_args, context) => {
      const curator = await openCurator(context)
      const done = await curator[verb]()
      if (!done.ok) return failed(done.error)
      const { changed, problem } = done.value
      if (problem) warnOf([problem], context)
      const undo = `Undo: hermes curator ${verb === 'pause' ? 'resume' : 'pause'}`
      return {
        value: { paused: verb === 'pause', changed },
        text: (terminal) => (changed ? `The curator is ${verb}d.\n${hint(undo, terminal)}` : `${before}\n`),
      }
    },
  })

export const pauseCommand = pauseVerb('pause', "'hermes curator run' still works", 'The curator was paused already.')
export const resumeCommand = pauseVerb('resume', 'the next run starts when it is due', 'The curator was not paused.')
