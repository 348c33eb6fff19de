/** `hermes journal show`: one record in full. */

import type { JournalRecord } from '@hermes/core'
import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { type Found, findById, shortId } from '../../find-by-id.ts'
import { renderFields } from '../../terminal/field-list.ts'
import { hint } from '../../terminal/hint.ts'
import { formatInstant, relativeTime } from '../../terminal/relative-time.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { describeCost } from './cost-text.ts'
import { describeAction, describeUpkeep, operationText } from './describe-op.ts'
import { paintKind } from './list.ts'
import { openJournal } from './read-journal.ts'

const render = (record: JournalRecord, now: number, terminal: Terminal): string => {
  const {
    id,
    at,
    kind,
    actor,
    op,
    upkeep,
    target,
    previous = [],
    evicted = [],
    reason,
    rationale,
    score,
    origin,
    evidence = [],
    error,
    raw,
    sessionId,
    pendingId,
    cost,
    model,
  } = record
  const fields = renderFields(
    [
      ['what', op ? describeAction(op, target) : upkeep && describeUpkeep(record)],
      ['text', op ? operationText(op) : raw],
      ['before', upkeep?.before ?? previous.join('\n')],
      ['after', upkeep?.after],
      ['made room', evicted.map(({ text }) => text).join('\n')],
      ['why', reason],
      ['error', error ? `${error.message} (${error.code})` : undefined],
      ['model', model],
      ['cost', cost && describeCost(cost)],
      ['by', actor],
      ['because', rationale],
      ['score', score === undefined ? undefined : String(score)],
      ['origin', origin],
      ['evidence', evidence.map(({ messageId, quote }) => `"${quote}"${messageId === undefined ? '' : ` (${messageId})`}`).join('\n')],
      ['session', sessionId],
      ['proposal', pendingId],
      ['id', id],
    ],
    terminal,
  )
  const head = `${paintKind(kind, terminal.paint)(kind)}  ${relativeTime(at, now)} ${terminal.paint.dim(`(${formatInstant(at)})`)}`
  const next =
    kind === 'held' && pendingId !== undefined
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

export const showCommand = defineCommand<{ readonly id: string }>({
  usage: 'show <id>',
  describe: 'Show one record: what was proposed, on what evidence, and why it was decided so.',
  examples: [['hermes journal show 8f3a12bc', 'the beginning of an id is enough']],
  onlyReads: true,
  options: (parser) =>
    parser.positional('id', { type: 'string', demandOption: true, describe: "its id, as 'hermes journal list' or 'pending' shows it" }),
  run: async ({ id }, context) => {
    const listed = await openJournal(context).list({ id })
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
