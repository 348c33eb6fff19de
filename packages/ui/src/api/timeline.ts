/** What was learned, day by day, from whose words, and what became of it. */
import { type Hermes, ok, type Result } from '@hermes/core'
import { type TimelineDay, type TimelineEvent, type TimelineItem, toTimeline } from '@hermes/core/journal'
import { firstDayAt } from './ledger.ts'

/** Of the newest lines that match. */
const MAX_ITEMS = 300

export interface TimelineView {
  /** The newest day and its last line first. */
  readonly days: readonly TimelineDay[]
  /** Number of all lines that match; only the newest of them are sent. */
  readonly total: number
}

export interface TimelineQuery {
  readonly days: number
  /** Of the request, by the browser's clock; the days end with it. */
  readonly now: number
  readonly text: string
  readonly event?: TimelineEvent | undefined
}

const matches = ({ text, before = '', sessionId = '', project = '', quotes }: TimelineItem, wanted: string): boolean =>
  [text, before, sessionId, project, ...quotes].some((each) => each.toLowerCase().includes(wanted))

export const readTimeline = async (hermes: Hermes, { days, now, text, event }: TimelineQuery): Promise<Result<TimelineView>> => {
  const listed = await hermes.journal.list({ since: firstDayAt(days, now), python: true })
  if (!listed.ok) return listed
  const wanted = text.toLowerCase()
  let total = 0
  const found = toTimeline(listed.value)
    .toReversed()
    .map(({ day, items }) => {
      const ofDay = items.filter((item) => (event === undefined || item.event === event) && matches(item, wanted)).reverse()
      const room = Math.max(0, MAX_ITEMS - total)
      total += ofDay.length
      return { day, items: ofDay.slice(0, room) }
    })
  return ok({ days: found.filter(({ items }) => items.length > 0), total })
}
