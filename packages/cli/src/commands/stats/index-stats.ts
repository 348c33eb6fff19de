/** What the index of past sessions holds, whether it is sound, and what waits for delivery to memory providers, in the home's `provider/` folder. */
import type { StorageBackend } from '@hermes/core'
import { readDocument } from '@hermes/core/storage'
import type { IndexStats } from '@hermes/recall'
import type { Answer } from '../../answer.ts'
import type { Context } from '../../context.ts'
import { hint, renderFields } from '../../terminal/field-list.ts'
import { counted, formatBytes, formatCount, formatInstant, relativeTime } from '../../terminal/format.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { NOTHING_STORED, withRecall } from '../../with-recall.ts'

interface Waiting {
  /** Name of the provider. */
  readonly provider: string
  readonly items: number
  /** Since when the oldest waits; epoch milliseconds. */
  readonly since: number
}

const DOCUMENT = /^provider\/([a-z][a-z0-9_-]*)\.json$/

const readWaiting = async (provider: string, path: string, storage: StorageBackend): Promise<readonly Waiting[]> => {
  const read = await readDocument(storage, path)
  if (!read.ok || !read.value) return []
  try {
    const items: unknown = Reflect.get(Object(JSON.parse(new TextDecoder().decode(read.value.bytes))), 'items')
    if (!Array.isArray(items) || items.length === 0) return []
    return [{ provider, items: items.length, since: Math.min(...items.map((item) => Number(Reflect.get(Object(item), 'at')))) }]
  } catch {
    // The provider sets a corrupt document aside when it is used next, and reports it.
    return []
  }
}

/** Providers for which nothing waits are left out. */
const listWaiting = async (storage: StorageBackend): Promise<readonly Waiting[]> => {
  const listed = await storage.list('provider')
  if (!listed.ok) return []
  const found = await Promise.all(
    listed.value.map(({ path }) => {
      const [, provider] = DOCUMENT.exec(path) ?? []
      return provider === undefined ? [] : readWaiting(provider, path, storage)
    }),
  )
  return found.flat()
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

/** `check`: also reads the whole index and looks for damage. */
export const showIndex = (check: boolean, context: Context): Promise<Answer> =>
  withRecall(context, async ({ index }) => {
    const waiting = await listWaiting(context.storage)
    const problems = check ? { problems: await index.check() } : {}
    const stats: StatsView = { ...(await index.stats()), waiting, ...problems }
    const damaged = stats.problems !== undefined && stats.problems.length > 0
    const message = `The index is damaged (${counted(stats.problems?.length ?? 0, 'problem')}). Run: hermes reindex`
    return {
      value: stats,
      text: (terminal) => render(stats, context.clock(), terminal),
      ...(damaged ? { failure: { code: 'unreadable', message } } : {}),
    }
  })
