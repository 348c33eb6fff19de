/** `hermes reindex`: rebuilds everything that is derived from the stored turns. */
import { interrupted } from '../answer.ts'
import { defineCommand } from '../command.ts'
import { counted } from '../terminal/format.ts'
import { untilInterrupted } from '../terminal/progress.ts'
import { withRecall } from '../with-recall.ts'

export const reindexCommand = defineCommand({
  describe: 'Rebuild the index of past sessions from the stored turns. Searches work meanwhile; no stored turn is changed.',
  examples: [['hermes reindex', 'after damage, or if a search misses what is there']],
  run: (_args, context) =>
    untilInterrupted('Stopping …', context, ({ signal }) =>
      withRecall(context, async ({ index }) => {
        context.progress.show('Reading what is stored …')
        await index.reindex((done, of) => context.progress.count(done, of, 'items'), signal)
        if (signal.aborted) return interrupted('Stopped by Ctrl-C. Nothing is lost; the work goes on when the index is used next.')
        const { turns, archived } = await index.stats()
        const beside = archived === 0 ? '' : ` and ${counted(archived, 'archived item')}`
        return { value: { turns, archived }, text: () => `The index was rebuilt from ${counted(turns, 'turn')}${beside}.\n` }
      }),
    ),
})
