/** The hooks of one home. */
import { setImmediate } from 'node:timers/promises'
import { HermesError } from '@hermes/core'
import {
  type ArchivedItem,
  type HomeProvider,
  type ProviderForgetTarget,
  type ProviderHome,
  type ProviderTurn,
  type RecallQuery,
  redactCredentials,
} from '@hermes/core/provider'
import type { Similar } from './embed/similar.ts'
import { formatRecalled } from './format-recalled.ts'
import type { Recall } from './recall.ts'
import type { RecallItem } from './recall-index.ts'
import { runSearchTool, SEARCH_TOOL } from './session-search.ts'
import { learnCalendarWords } from './text/calendar-words.ts'

export interface OpenedRecall {
  readonly recall: Recall
  readonly similar: Similar | undefined
}

const MOST_CHARS = 100_000
const MOST_ID_CHARS = 512
const HOUR_MS = 3_600_000
/** How often archived items are looked for, and old turns are erased. */
const ARCHIVED_EVERY_MS = HOUR_MS / 6
const PRUNE_EVERY_MS = 24 * HOUR_MS

/** From this relevance on, a hit is shown without being asked for. */
const RELEVANT = 1
const MOST_TEXTS = 5
/** The date and the session before a snippet, so that all texts fit. */
const HEAD_CHARS = 60
const LEAST_SNIPPET_CHARS = 160

const toPlain = (text: string, limit: number): string => redactCredentials(text.slice(0, limit).toWellFormed().replaceAll('\0', ''))

const toTurnItem = (turn: ProviderTurn): RecallItem => ({
  id: turn.id.slice(0, MOST_ID_CHARS),
  kind: 'turn',
  source: turn.sessionId.slice(0, MOST_ID_CHARS).toWellFormed().replaceAll('\0', ''),
  ...(turn.project === undefined ? {} : { project: turn.project }),
  at: turn.at,
  automated: turn.automated,
  user: toPlain(turn.user, MOST_CHARS),
  answer: toPlain(turn.assistant, MOST_CHARS),
})

const toArchivedItem = ({ kind, id, title, text, at }: ArchivedItem): RecallItem => ({
  id: id.slice(0, MOST_ID_CHARS),
  kind,
  source: toPlain(title, MOST_ID_CHARS),
  at,
  automated: false,
  user: '',
  answer: toPlain(text, MOST_CHARS),
})

/** `retainMs`: undefined to keep turns forever. */
export const openHomeProvider = ({ recall, similar }: OpenedRecall, home: ProviderHome, retainMs: number | undefined): HomeProvider => {
  const { clock } = home
  const { index } = recall
  const underWay = new Set<Promise<unknown>>()
  let archivedAt = Number.NEGATIVE_INFINITY
  let prunedAt = Number.NEGATIVE_INFINITY
  const closing = new AbortController()

  const inBackground = (what: string, work: () => Promise<unknown>): void => {
    const mine = work().catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause)
      home.report(HermesError.isInstance(cause) ? cause : new HermesError('provider', `recall could not ${what}: ${reason}`, { cause }))
    })
    underWay.add(mine)
    void mine.finally(() => underWay.delete(mine))
  }

  // The home erases from its archive when its provider has erased, so the archive may still show what a person has erased before.
  const erased: { readonly at: number; readonly matches: (item: RecallItem) => boolean }[] = []
  const isErased = (item: RecallItem): boolean => erased.some(({ at, matches }) => item.at <= at && matches(item))
  let reading: Promise<void> = Promise.resolve()

  const readArchived = async (): Promise<void> => {
    const archived = await home.archived()
    if (!archived.ok) throw archived.error
    // The home may be closed because it is erased: what was read of it must not come back.
    if (closing.signal.aborted) return
    await index.replaceArchived(archived.value.map(toArchivedItem).filter((item) => !isErased(item)))
  }

  const forget = async (target: ProviderForgetTarget): Promise<number> => {
    if (target.kind !== 'session' && !target.dryRun) {
      const matches = target.kind === 'all' ? () => true : ({ source, answer }: RecallItem) => [source, answer].some(target.matches)
      erased.push({ at: clock(), matches })
      // What was read before this call is stored by then, and erased.
      await reading.catch(() => {})
    }
    return index.forget(target)
  }

  const tend = (): void => {
    const now = clock()
    if (now - archivedAt >= ARCHIVED_EVERY_MS) {
      archivedAt = now
      reading = readArchived()
      inBackground('read archived entries and skills', () => reading)
    }
    if (retainMs !== undefined && now - prunedAt >= PRUNE_EVERY_MS) {
      prunedAt = now
      inBackground('erase old turns', () => index.prune(now - retainMs))
    }
  }

  let isFilling = false
  const fillVectors = (): void => {
    if (!similar || isFilling) return
    isFilling = true
    inBackground('make vectors', () =>
      similar.fill(closing.signal).finally(() => {
        isFilling = false
      }),
    )
  }

  /** Names of months and days in one more language, with a turn of the event loop in between. */
  const learnLanguages = async (): Promise<void> => {
    while (!closing.signal.aborted && learnCalendarWords()) await setImmediate()
  }

  const prefetch = async ({ sessionId, project = '', text, maxChars }: RecallQuery): Promise<readonly string[]> => {
    const snippetChars = Math.max(LEAST_SNIPPET_CHARS, Math.floor(maxChars / MOST_TEXTS) - HEAD_CHARS)
    const hits = await recall.search({ text, project, excludeSessionId: sessionId, limit: MOST_TEXTS, snippetChars })
    return hits.filter(({ relevance }) => relevance >= RELEVANT).map(formatRecalled)
  }

  tend()
  fillVectors()
  inBackground('learn the names of months', learnLanguages)
  return {
    prefetch,
    onTurnStart: tend,
    async syncTurn(turn) {
      await index.add([toTurnItem(turn)])
      fillVectors()
    },
    callTool: ({ name, input, sessionId, project = '' }) => {
      if (name === SEARCH_TOOL.name) return runSearchTool(recall, input, { sessionId, project })
      return Promise.resolve({ success: false, error: `There is no tool '${name.slice(0, 80)}'.` })
    },
    forget,
    async shutdown() {
      closing.abort()
      await Promise.allSettled(underWay)
      await index.close()
    },
  }
}
