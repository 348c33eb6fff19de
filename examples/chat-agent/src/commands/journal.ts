/** `/journal [n]`: the last decisions, with kind, reason and origin. */
import type { JournalRecord } from '@hermes/core'
import { type Terminal, tell } from '@hermes/example-chat-parts/terminal'
import { minute, oneLine } from '@hermes/example-chat-parts/text'
import { describeOp } from '../describe-op.ts'
import { plainReason } from '../describe-review.ts'
import type { Command } from './command.ts'

const DEFAULT_COUNT = 10
const MAX_COUNT = 1_000

const subject = ({ op, upkeep, target, raw }: JournalRecord): string =>
  op ? describeOp(target ?? 'memory', op) : oneLine(upkeep ? `${upkeep.action} ${upkeep.subject ?? ''}` : (raw ?? ''), 120)

const printRecord = (record: JournalRecord, terminal: Terminal): void => {
  tell(terminal, `${minute(record.at)}  ${record.kind.padEnd(8)}  ${subject(record)}`.trimEnd(), '    ')
  const { actor, origin, score, error, reason } = record
  const judged = `${origin === undefined ? '' : ` · origin ${origin}`}${score === undefined ? '' : ` · score ${score}`}`
  const why = plainReason(error?.message ?? reason)
  tell(terminal, `    by ${actor}${judged}${why === '' ? '' : ` · ${why}`}`, '    ', 'dim')
}

export const journalCommand: Command = {
  usage: '/journal [n]',
  summary: `the last n decisions (${DEFAULT_COUNT}), newest last`,
  run: async (argument, { terminal, hermes }) => {
    const count = argument === '' ? DEFAULT_COUNT : Number(argument)
    if (!Number.isInteger(count) || count < 1 || count > MAX_COUNT)
      return terminal.print(`/journal takes a number from 1 to ${MAX_COUNT}, such as /journal 5.`)
    const records = await hermes.journal.list({ limit: count })
    if (!records.ok) terminal.print(terminal.paint.red(`The journal cannot be read: ${records.error.message}`))
    else if (records.value.length === 0) terminal.print('Nothing yet: no review, and no call of the memory or a skill tool so far.')
    else for (const record of records.value) printRecord(record, terminal)
  },
}
