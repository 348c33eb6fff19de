/** `hermes reindex`: makes everything that is derived from the stored turns anew. */
import { type Answer, EXIT, failed } from '../answer.ts'
import { defineCommand } from '../command.ts'
import type { Context } from '../context.ts'
import { counted } from '../terminal/gauge.ts'
import { withRecall } from '../with-recall.ts'

const reindex = async (context: Context): Promise<Answer> => {
  const { progress } = context
  const stop = new AbortController()
  const unlisten = context.world.onInterrupt(() => {
    progress.show('Stopping …')
    stop.abort()
  })
  try {
    return await withRecall(context, async ({ index }) => {
      progress.show('Reading what is stored …')
      await index.reindex((done, of) => progress.count(done, of, 'items'), stop.signal)
      if (stop.signal.aborted) {
        const message = 'Stopped by Ctrl-C. Nothing is lost; the work goes on when the index is used next.'
        return failed({ code: 'interrupted', message, exitCode: EXIT.interrupted })
      }
      const { turns, archived } = await index.stats()
      return {
        value: { turns, archived },
        text: () =>
          `The index is made anew from ${counted(turns, 'turn')}${archived === 0 ? '' : ` and ${counted(archived, 'archived item')}`}.\n`,
      }
    })
  } finally {
    progress.end()
    unlisten()
  }
}

export const reindexCommand = defineCommand({
  usage: 'reindex',
  describe: 'Make the index of past sessions anew from what is stored. Searches go on meanwhile; nothing stored is changed.',
  examples: [['hermes reindex', 'after damage, or if a search misses what is there']],
  run: (_args, context) => reindex(context),
})
