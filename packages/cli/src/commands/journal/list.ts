/** `hermes journal list`: the latest records, newest last. */
import type { JournalRecord } from '@hermes/core'
import { failed } from '../../answer.ts'
import { pastTime, wholeNumber } from '../../arguments.ts'
import { defineCommand } from '../../command.ts'
import { shortId } from '../../find-by-id.ts'
import { hint } from '../../terminal/field-list.ts'
import { counted, relativeTime } from '../../terminal/format.ts'
import { type Column, renderTable } from '../../terminal/table.ts'
import type { Paint } from '../../terminal/terminal.ts'
import { describeCost } from './cost-text.ts'
import { describeUpkeep, summariseOp } from './describe-op.ts'
import { openJournal } from './read-journal.ts'

const KINDS = [
  'applied',
  'rejected',
  'held',
  'settled',
  'failed',
  'invalid',
  'review-retried',
  'review-finished',
  'review-failed',
  'review-stopped',
  'curator-finished',
  'curator-failed',
] as const satisfies readonly Kind[]

const DEFAULT_LIMIT = 20

type Kind = JournalRecord['kind']

const QUIET: ReadonlySet<Kind> = new Set(['rejected', 'settled', 'review-retried', 'review-finished', 'review-stopped', 'curator-finished'])

export const paintKind = (kind: Kind, paint: Paint): ((text: string) => string) => {
  if (kind === 'applied') return paint.green
  if (kind === 'held') return paint.yellow
  return QUIET.has(kind) ? paint.dim : paint.red
}

const subject = (record: JournalRecord): string => {
  const { op, upkeep, raw, error, reason, cost } = record
  if (op) return summariseOp(op, record)
  if (cost) return `${reason} ${describeCost(cost)}`
  return upkeep ? describeUpkeep(record) : (raw ?? error?.message ?? reason)
}

/** What waits has one id everywhere: that of the proposal. */
const idOf = ({ id, kind, pendingId }: JournalRecord): string => (kind === 'held' && pendingId !== undefined ? pendingId : id)

const toColumns = (now: number, paint: Paint): readonly Column<JournalRecord>[] => [
  { title: 'ID', cell: (record) => shortId(idOf(record)), paint: paint.dim },
  { title: 'WHEN', cell: ({ at }) => relativeTime(at, now) },
  { title: 'KIND', cell: ({ kind }) => kind, paint: (cell, { kind }) => paintKind(kind, paint)(cell) },
  { title: 'BY', cell: ({ actor }) => actor, drop: 2 },
  { title: 'ORIGIN', cell: ({ origin = '' }) => origin, drop: 3 },
  { title: 'WHAT', cell: subject, least: 20 },
]

export const listCommand = defineCommand({
  examples: [
    ['hermes journal list', `the last ${DEFAULT_LIMIT}`],
    ['hermes journal list --kind rejected --since 7d', 'what was rejected in the last 7 days'],
    ['hermes journal list --session chat-42 --limit 5', 'the last five of one conversation'],
  ],
  onlyReads: true,
  options: (parser) =>
    parser
      .option('session', { type: 'string', requiresArg: true, describe: 'only this session' })
      .option('since', { coerce: pastTime('since'), requiresArg: true, describe: 'only since then: 3d, 12h, 2026-05-23' })
      .option('limit', {
        coerce: wholeNumber('limit', 1, 100_000),
        default: DEFAULT_LIMIT,
        requiresArg: true,
        describe: 'maximum number of records',
      })
      .option('kind', { choices: KINDS, requiresArg: true, describe: 'only records of this kind' }),
  run: async ({ session, since, limit, kind }, context) => {
    const now = context.clock()
    const listed = await openJournal(context).list({
      ...(session === undefined ? {} : { sessionId: session }),
      ...(since ? { since: since(now) } : {}),
      ...(kind === undefined ? {} : { kind }),
      python: true,
      // One more shows whether there are older ones.
      limit: limit + 1,
    })
    if (!listed.ok) return failed(listed.error)
    const records = listed.value.slice(-limit)
    const hasOlder = listed.value.length > limit
    return {
      value: { records, hasOlder },
      text: (terminal) =>
        records.length === 0
          ? hint(
              'Nothing to show. The journal gets a record when the agent proposes something to remember, or when memory or skills are written.',
              terminal,
            )
          : renderTable(toColumns(now, terminal.paint), records, terminal) +
            hint(
              `${hasOlder ? `The last ${counted(records.length, 'record')}; --limit shows more` : counted(records.length, 'record')}. 'hermes journal show <id>' shows one in full.`,
              terminal,
            ),
    }
  },
})
