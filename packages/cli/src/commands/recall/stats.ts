/** `hermes recall stats`: what the index holds, whether it is sound, and what waits to be stored in it. */
import type { IndexStats } from '@hermes/recall'
import { defineCommand } from '../../command.ts'
import { renderFields } from '../../terminal/field-list.ts'
import { formatBytes } from '../../terminal/format-bytes.ts'
import { counted, formatCount } from '../../terminal/gauge.ts'
import { hint } from '../../terminal/hint.ts'
import { formatInstant, relativeTime } from '../../terminal/relative-time.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { listWaiting, type Waiting } from './waiting.ts'
import { NOTHING_STORED, withRecall } from './with-recall.ts'

interface StatsArgs {
  readonly check: boolean | undefined
}

interface StatsView extends IndexStats {
  readonly waiting: readonly Waiting[]
  /** Undefined if it was not checked. */
  readonly problems?: readonly string[]
}

const waits = ({ provider, items, since }: Waiting, now: number): string =>
  `${counted(items, 'item')} for '${provider}', since ${relativeTime(since, now)}`

const describeCheck = (problems: readonly string[] | undefined): string | undefined =>
  problems && (problems.length === 0 ? 'no damage found' : problems.join('\n'))

const render = (stats: StatsView, now: number, terminal: Terminal): string => {
  const { location, turns, sessions, archived, vectors, oldestAt, newestAt, bytes, waiting, problems } = stats
  const fields = renderFields(
    [
      ['index', location],
      ['turns', `${formatCount(turns)} in ${counted(sessions, 'session')}`],
      ['archived', archived === 0 ? undefined : counted(archived, 'entry or skill', 'entries and skills')],
      ['vectors', vectors === 0 ? undefined : formatCount(vectors)],
      ['oldest', oldestAt === undefined ? undefined : formatInstant(oldestAt)],
      ['newest', newestAt === undefined ? undefined : formatInstant(newestAt)],
      ['size', bytes === undefined ? undefined : formatBytes(bytes)],
      ['waiting', waiting.map((one) => waits(one, now)).join('\n')],
      ['check', describeCheck(problems)],
    ],
    terminal,
  )
  return turns + archived === 0 ? fields + hint(NOTHING_STORED, terminal) : fields
}

export const statsCommand = defineCommand<StatsArgs>({
  usage: 'stats',
  describe: 'Show what the index of past sessions holds, and what waits to be delivered to the memory provider.',
  examples: [
    ['hermes recall stats', 'number of turns and sessions, time span, size'],
    ['hermes recall stats --check', 'also reads the whole index and looks for damage'],
  ],
  onlyReads: true,
  options: (parser) => parser.option('check', { type: 'boolean', describe: 'look for damage; reads the whole index' }),
  run: ({ check }, context) =>
    withRecall(context, async ({ index }) => {
      const waiting = await listWaiting(context.storage)
      const problems = check ? { problems: await index.check() } : {}
      const stats: StatsView = { ...(await index.stats()), waiting, ...problems }
      const damaged = stats.problems !== undefined && stats.problems.length > 0
      const message = `The index is damaged (${counted(stats.problems?.length ?? 0, 'problem')}). Run: hermes recall reindex`
      return {
        value: stats,
        text: (terminal) => render(stats, context.clock(), terminal),
        ...(damaged ? { failure: { code: 'unreadable', message } } : {}),
      }
    }),
})
