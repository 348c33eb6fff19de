/** `hermes curator run`: one run now, whatever the schedule says. */
import type { CurateOptions } from '@hermes/core'
import { type Answer, EXIT, failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { createProgress } from '../../terminal/progress.ts'
import { curatorParts, settleRollback, warnOf } from './curator-parts.ts'
import { renderRun, toRunValue } from './run-view.ts'

interface RunArgs {
  readonly 'dry-run': boolean | undefined
}

/** A backup before the first change; old ones go once it is there. */
const backUp = (context: Context): NonNullable<CurateOptions['beforeChanges']> | undefined => {
  const { core, storage, clock } = context
  const { backup } = curatorParts(context).settings
  if (backup.enabled === false) return undefined
  return async () => {
    const taken = await core.createSkillBackup({ storage, clock, reason: 'pre-curator-run' })
    if (!taken.ok) return taken
    const pruned = await core.pruneBackups({
      storage,
      clock,
      ...(backup.retainWeeks === undefined ? {} : { retainWeeks: backup.retainWeeks }),
    })
    if (!pruned.ok) warnOf([pruned.error], context)
    return core.ok({ id: taken.value.id })
  }
}

const run = async ({ 'dry-run': dryRun = false }: RunArgs, context: Context): Promise<Answer> => {
  const { core, world, isJson } = context
  const { storage, skills, usage, journal, clock, ageing, settings } = curatorParts(context)
  if (settings.enabled === false && !dryRun) {
    return failed({
      code: 'disabled',
      message: "The curator is switched off: config.yaml says 'curator.enabled: false'. Set it to true, or look with --dry-run.",
    })
  }
  const settled = dryRun ? core.ok(undefined) : await settleRollback(context)
  if (!settled.ok) return failed(settled.error)
  const progress = createProgress(world, isJson)
  const stop = new AbortController()
  const unlisten = world.onInterrupt(() => {
    progress.show('Stopping after this batch …')
    stop.abort()
  })
  try {
    progress.show('Looking at the skills …')
    const ran = await core.curate({
      storage,
      skills,
      usage,
      journal,
      clock,
      ...ageing,
      dryRun,
      createId: world.createId,
      signal: stop.signal,
      beforeChanges: backUp(context),
      onProgress: ({ done, total }) => progress.show(`${done} of ${total} …`),
    })
    progress.end()
    if (!ran.ok) return failed(ran.error)
    if (!ran.value.started) return failed({ code: 'locked', message: 'The run did not start: another one was first.' })
    warnOf(ran.value.problems, context)
    for (const message of ran.value.report.warnings) context.warn(message)
    const outcome = ran.value
    return {
      value: toRunValue(outcome),
      text: (terminal) => renderRun(outcome, terminal),
      ...(outcome.report.aborted
        ? failed({
            code: 'interrupted',
            message: 'Stopped by Ctrl-C. What is listed is done; the next run carries on.',
            exitCode: EXIT.interrupted,
          })
        : {}),
    }
  } finally {
    progress.end()
    unlisten()
  }
}

export const runCommand = defineCommand<RunArgs>({
  usage: 'run',
  describe: 'Run now: mark what is stale, archive what is long unused, revive what is used again.',
  examples: [
    ['hermes curator run --dry-run', 'what a run would do; writes nothing'],
    ['hermes curator run', 'takes a backup before the first change'],
  ],
  options: (parser) => parser.option('dry-run', { alias: 'n', type: 'boolean', describe: 'only tell what would be done' }),
  run,
})
