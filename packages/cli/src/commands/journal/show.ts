/** `hermes journal show`: one record in full. */
import type { JournalRecord } from '@hermes/core'
import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { type Found, findById, shortId } from '../../find-by-id.ts'
import { hint, renderFields } from '../../terminal/field-list.ts'
import { formatInstant, relativeTime } from '../../terminal/format.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { describeCost } from './cost-text.ts'
import { describeAction, describeUpkeep, operationText } from './describe-op.ts'
import { paintKind } from './list.ts'
import { openJournal } from './read-journal.ts'

const render = (record: JournalRecord, now: number, terminal: Terminal): string => {
  const { op, upkeep, cost, error, pendingId } = record
  const quotes = record.evidence?.map(({ messageId, quote }) => `"${quote}"${messageId === undefined ? '' : ` (${messageId})`}`)
  const fields = renderFields(
    [
      ['what', op ? describeAction(op, record) : upkeep && describeUpkeep(record)],
      ['text', op ? operationText(op) : record.raw],
      ['before', upkeep?.before ?? record.previous?.join('\n')],
      ['after', upkeep?.after],
      ['made room', record.evicted?.map(({ text }) => text).join('\n')],
      ['why', record.reason],
      ['error', error ? `${error.message} (${error.code})` : undefined],
      ['model', record.model],
      ['cost', cost && describeCost(cost)],
      ['by', record.actor],
      ['because', record.rationale],
      ['score', record.score?.toString()],
      ['origin', record.origin],
      ['evidence', quotes?.join('\n')],
      ['session', record.sessionId],
      ['project', record.project],
      ['proposal', pendingId],
      ['id', record.id],
    ],
    terminal,
  )
  const head = `${paintKind(record.kind, terminal.paint)(record.kind)}  ${relativeTime(record.at, now)} ${terminal.paint.dim(`(${formatInstant(record.at)})`)}`
  const next =
    record.kind === 'held' && pendingId !== undefined
      ? `\n${hint(`'hermes pending ${shortId(pendingId)}' shows whether it still waits.`, terminal)}`
      : ''
  return `${head}\n${fields}${next}`
}

/** One record by its id, or every record about one proposal by the id of that. */
const findRecords = (records: readonly JournalRecord[], id: string): Found<readonly JournalRecord[]> => {
  const proposals = new Set(records.map(({ pendingId }) => pendingId).filter((pendingId) => pendingId?.startsWith(id)))
  const own = records.filter((record) => record.id.startsWith(id))
  if (own.length === 0 && proposals.size === 1) return { ok: true, value: records }
  const found = findById(own, id, 'hermes journal list')
  return found.ok ? { ok: true, value: [found.value] } : found
}

export const showCommand = defineCommand({
  examples: [['hermes journal show 8f3a12bc', 'the beginning of an id is enough']],
  onlyReads: true,
  options: (parser) =>
    parser.positional('id', { type: 'string', demandOption: true, describe: "its id, as 'hermes journal list' or 'pending' shows it" }),
  run: async ({ id }, context) => {
    const listed = await openJournal(context).list({ id, python: true })
    if (!listed.ok) return failed(listed.error)
    const found = findRecords(listed.value, id)
    if (!found.ok) return failed(found.error)
    const records = found.value
    return {
      value: { record: records.at(-1), records },
      text: (terminal) => records.map((record) => render(record, context.clock(), terminal)).join('\n'),
    }
  },
})
