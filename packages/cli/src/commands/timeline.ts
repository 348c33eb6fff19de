/** `hermes timeline`: what was learned, day by day, from whose words, and what became of it. */
import type { JournalRecord } from '@hermes/core'
import { type TimelineDay, type TimelineEvent, type TimelineItem, toTimeline } from '@hermes/core/journal'
import { describeTime } from '@hermes/core/memory'
import { failed } from '../answer.ts'
import { pastTime } from '../arguments.ts'
import { defineCommand } from '../command.ts'
import { shortId } from '../find-by-id.ts'
import { cleanText, oneLine } from '../terminal/clean-text.ts'
import { hint } from '../terminal/field-list.ts'
import { counted } from '../terminal/format.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { wrapText } from '../terminal/text-width.ts'
import { openJournal } from './journal/read-journal.ts'

const wordOf = (event: TimelineEvent): string => event.replace('-', ' ')

const ORIGINS: Readonly<Record<NonNullable<JournalRecord['origin']>, string>> = {
  user: 'your words',
  host: 'the app',
  assistant: 'the agent’s conclusion',
  tool: 'from outside',
}

const ACTORS: Readonly<Record<JournalRecord['actor'], string>> = {
  review: 'a review',
  agent: 'the agent',
  host: 'the app',
  person: 'a person',
  curator: 'the curator',
}

/** Of the longest, `made room`. */
const EVENT_WIDTH = 9
/** Before the text of an item. */
const INDENT = '  HH:MM  '.length + EVENT_WIDTH + 2

/** `Tuesday, 24 November 2026`. */
const longDay = (day: string): string =>
  new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(day),
  )

const withTime = (text: string, time: Parameters<typeof describeTime>[0]): string => {
  const days = describeTime(time)
  return days === '' ? text : `${text} (${days})`
}

const textOf = ({ text, target, filePath, ...time }: TimelineItem): string =>
  target === 'skill' ? `the skill ${text}${filePath === undefined ? '' : `, ${filePath}`}` : withTime(text, time)

const sourceOf = ({ origin, actor, sessionId, project, id, takenBackBy, python }: TimelineItem): string =>
  [
    origin === undefined || origin === 'host' ? `by ${ACTORS[actor]}` : `${ORIGINS[origin]}, by ${ACTORS[actor]}`,
    ...(python ? ['Python Hermes'] : []),
    ...(project === undefined ? [] : [`project ${project}`]),
    ...(sessionId === undefined ? [] : [sessionId]),
    ...(takenBackBy === undefined ? [] : ['taken back']),
    shortId(id),
  ].join(' · ')

const renderItem = (item: TimelineItem, { columns, paint }: Terminal): string => {
  const { event, at, before, quotes, takenBackBy } = item
  const margin = ' '.repeat(INDENT)
  const wrapped = (text: string) => wrapText(cleanText(oneLine(text)), columns, INDENT)
  const colour =
    takenBackBy !== undefined ? paint.dim : event === 'waits' ? paint.yellow : event === 'learned' ? paint.green : (text: string) => text
  const lines = [
    `  ${paint.dim(new Date(at).toISOString().slice(11, 16))}  ${colour(wordOf(event).padEnd(EVENT_WIDTH))}  ${wrapped(textOf(item))}`,
    ...(before === undefined ? [] : [`${margin}${paint.dim(wrapped(`instead of: ${before}`))}`]),
    ...quotes.slice(0, 1).map((quote) => `${margin}${paint.dim(wrapped(`“${quote}”`))}`),
    `${margin}${paint.dim(wrapped(sourceOf(item)))}`,
  ]
  return lines.map((line) => `${line}\n`).join('')
}

const render = (days: readonly TimelineDay[], terminal: Terminal): string => {
  if (days.length === 0) return hint('Nothing was learned in this time.', terminal)
  const items = days.flatMap((day) => day.items)
  return [
    ...days.map(
      ({ day, items: ofDay }) => `${terminal.paint.bold(longDay(day))}\n${ofDay.map((item) => renderItem(item, terminal)).join('')}\n`,
    ),
    hint(
      `${counted(items.length, 'line')}, times in UTC. 'hermes journal show <id>' says why, 'hermes undo <id>' takes it back.`,
      terminal,
    ),
  ].join('')
}

const DEFAULT_SINCE = '30d'

export const timelineCommand = defineCommand({
  examples: [
    ['hermes timeline', 'of the last 30 days'],
    ['hermes timeline --since 2026-01-01', 'since then'],
  ],
  onlyReads: true,
  options: (parser) =>
    parser.option('since', {
      coerce: pastTime('since'),
      requiresArg: true,
      describe: `only since then: 3d, 12h, 2026-05-23; default: ${DEFAULT_SINCE}`,
    }),
  run: async ({ since }, context) => {
    const from = (since ?? pastTime('since')(DEFAULT_SINCE))?.(context.clock())
    const listed = await openJournal(context).list({ python: true, ...(from === undefined ? {} : { since: from }) })
    if (!listed.ok) return failed(listed.error)
    const days = toTimeline(listed.value)
    return { value: { days }, text: (terminal) => render(days, terminal) }
  },
})
