/** `hermes undo`: takes a write back, whoever made it. Says what it will do, and asks first. */

import type { Hermes, HermesError, JournalRecord } from '@hermes/core'
import type { Undone, UndoStep } from '@hermes/core/journal'
import { failed } from '../answer.ts'
import { defineCommand } from '../command.ts'
import type { Context } from '../context.ts'
import { shortId } from '../find-by-id.ts'
import { askFirst } from '../terminal/ask-first.ts'
import { oneLine } from '../terminal/clean-text.ts'
import { hint } from '../terminal/field-list.ts'
import { formatCount, relativeTime } from '../terminal/format.ts'
import { wrapText } from '../terminal/text-width.ts'
import { describeUpkeep, storeName, summariseOp } from './journal/describe-op.ts'
import { openJournal } from './journal/read-journal.ts'

/** In the imperative: `remove from MEMORY.md: builds with pnpm`. */
const describeStep = (step: UndoStep): string => {
  switch (step.kind) {
    case 'memory': {
      const { op } = step
      if (op.action === 'remove') return `remove from ${storeName(step)}: ${op.oldText}`
      return op.action === 'add' ? `add to ${storeName(step)}: ${op.content}` : `in ${storeName(step)}, put back: ${op.content}`
    }
    case 'restore-entry':
      return `bring back to ${storeName(step)}: ${step.text}`
    case 'pin-entry':
      return `${step.pinned ? 'pin' : 'unpin'} in ${storeName(step)}: ${step.text}`
    case 'skill-file': {
      const file = step.filePath === 'SKILL.md' ? `the skill ${step.name}` : `${step.filePath} of the skill ${step.name}`
      if (step.before === undefined) return `remove ${file}`
      return step.written === undefined ? `write ${file} again` : `put back ${file} as it was before`
    }
    case 'archive-skill':
      return `move the skill ${step.name} to the archive`
    case 'restore-skill':
      return `bring the skill ${step.name} back from the archive`
    case 'pin-skill':
      return `${step.pinned ? 'pin' : 'unpin'} the skill ${step.name}`
    case 'pause':
      return step.paused ? 'pause the curator' : 'resume the curator'
    case 'rollback':
      return `restore all skills from the backup ${step.backup}; the present ones are backed up first`
    case 'decide':
      return `${step.verb} the proposal again: ${summariseOp(step.op, step)}`
    case 'no-proposal':
      return 'let no proposal wait again, since the journal keeps only a part of it; a run of the curator proposes a merge again once one of its skills has changed'
    default:
      return 'let the proposal wait for your decision again'
  }
}

const describeRecord = (record: JournalRecord): string => {
  const { op, upkeep, reason, kind } = record
  const what = op ? summariseOp(op, record) : upkeep ? describeUpkeep(record) : reason
  return kind === 'rejected' ? `rejected: ${what}` : what
}

/** An act of learning may have written thousands. */
const MOST_LINES = 60

const shortened = (lines: readonly string[]): string => {
  const more = lines.length - MOST_LINES
  return lines.slice(0, MOST_LINES).join('') + (more > 0 ? `  … and ${formatCount(more)} more\n` : '')
}

const announce = ({ records, steps }: Undone, context: Context): void => {
  const { errorColumns: columns } = context.terminal
  const now = context.clock()
  const line = (text: string): string => `  ${wrapText(oneLine(text), columns, 2)}\n`
  const [first] = records
  const head =
    records.length > 1 && first?.review !== undefined
      ? `${first.review.startsWith('learn-') ? 'Learning' : 'Review'} ${first.review}, ${relativeTime(first.at, now)}: ${records.length} writes\n`
      : `Write ${first ? `${shortId(first.id)}, by ${first.actor}, ${relativeTime(first.at, now)}` : ''}:\n`
  context.say(head + shortened(records.map((record) => line(describeRecord(record)))))
  context.say(`To undo it:\n${shortened(steps.map((step) => line(describeStep(step))))}`)
}

/** Nothing was undone. Of several writes, the others can be named by their ids. */
const refused = async (
  { code, message, details }: { readonly code: string; readonly message: string; readonly details: HermesError['details'] },
  context: Context,
) => {
  const { records: ids, ...rest } = details
  const [id, ...more] = Array.isArray(ids) ? ids.map(String) : []
  const listed = id === undefined ? undefined : await openJournal(context).list({ id, python: true })
  const record = listed?.ok ? listed.value.find((each) => each.id === id) : undefined
  const others =
    id === undefined || more.length === 0 ? '' : ` Or undo one of its writes by its id: ${[id, ...more].map(shortId).join(', ')}.`
  return failed({ code, message: `${record ? `${describeRecord(record)}: ` : ''}${message}${others}`, details: rest })
}

/** What was to be changed may have been so already. True if the journal cannot be read. */
const isRecorded = async ({ journal }: Hermes, [record]: readonly JournalRecord[], now: number): Promise<boolean> => {
  if (!record) return false
  const { id, at, python } = record
  const listed = await journal.list(python ? { id } : { id, since: Math.min(at, now) })
  return !listed.ok || listed.value.some(({ undoes }) => undoes?.includes(id))
}

export const undoCommand = defineCommand({
  describe: 'Take the last write back: of you, the agent, the curator, or all that a review wrote. Asks first.',
  examples: [
    ['hermes undo', 'the last write, or the whole last review; a second time takes the undo back'],
    ['hermes undo 8f3a12bc', "one record that 'hermes journal list' shows, however old"],
    ['hermes undo --yes --json', 'without confirmation, for programs'],
  ],
  options: (parser) =>
    parser
      .positional('id', {
        type: 'string',
        describe: 'the beginning of the id of a journal record, or the id of an act of learning; default: the last write',
      })
      .option('yes', { alias: 'y', type: 'boolean', describe: 'do not ask' }),
  run: async ({ id, yes }, context) => {
    const { openWithProvider } = await import('../open-hermes.ts')
    const hermes = await openWithProvider(context)
    const planned = await hermes.undo(id, { dryRun: true })
    if (!planned.ok) return refused(planned.error, context)
    announce(planned.value, context)
    const answer = await askFirst('Undo it?', yes, context)
    if (answer) return answer
    // What was shown, whatever has been written while it asked.
    const undone = await hermes.undo(id ?? planned.value.records.map((record) => record.id))
    if (!undone.ok) return refused(undone.error, context)
    const { records, steps } = undone.value
    const isWaiting = steps.every(({ kind }) => kind === 'put-back')
    const again = isWaiting ? "'hermes pending' asks about it again." : "'hermes undo' takes this back again."
    const next = (await isRecorded(hermes, planned.value.records, context.clock())) ? again : 'It was so already: nothing was written.'
    return {
      value: {
        undone: records.map(({ id: of, at, actor, reason }) => ({ id: of, at, actor, reason })),
        steps: steps.map((step) => ({ ...step, what: describeStep(step) })),
      },
      text: (terminal) =>
        `${shortened(steps.map((step) => `${terminal.paint.green('done')}  ${wrapText(oneLine(describeStep(step)), terminal.columns, 6)}\n`))}${hint(next, terminal)}`,
    }
  },
})
