/** `hermes undo`: takes a write back, whoever made it. Says what it will do, and asks first. */
import { err, type Hermes, HermesError, type JournalRecord, ok, type Result } from '@hermes/core'
import { listBackups } from '@hermes/core/curator'
import { type Answer, failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { findById, shortId } from '../../find-by-id.ts'
import { oneLine } from '../../terminal/clean-text.ts'
import { hint } from '../../terminal/hint.ts'
import { relativeTime } from '../../terminal/relative-time.ts'
import { wrapText } from '../../terminal/wrap-text.ts'
import { askFirst } from '../curator/ask-first.ts'
import { describeUpkeep, summariseOp } from '../journal/describe-op.ts'
import { openJournal } from '../journal/read-journal.ts'
import { carryOut, checkSteps } from './carry-out-undo.ts'
import { isWrite, lastWrite, planUndo, wholeDecision } from './plan-undo.ts'
import { describeStep, type UndoStep } from './undo-step.ts'

/** Enough to find the last write and when a proposal began to wait. */
const RECORDS = 1_000

interface Chosen {
  readonly group: readonly JournalRecord[]
  readonly records: readonly JournalRecord[]
}

const NOTHING = 'The journal has no write that could be undone.'

const choose = async (id: string | undefined, context: Context): Promise<Chosen | Answer> => {
  const journal = openJournal(context)
  const recent = await journal.list({ limit: RECORDS })
  if (!recent.ok) return failed(recent.error)
  if (id === undefined) {
    const group = lastWrite(recent.value)
    return group.length === 0 ? failed({ code: 'not_found', message: NOTHING }) : { group, records: recent.value }
  }
  const listed = await journal.list({ id })
  if (!listed.ok) return failed(listed.error)
  const found = findById(listed.value, id, 'hermes journal list')
  if (!found.ok) return failed(found.error)
  const record = found.value
  const { kind } = record
  if (!isWrite(record))
    return failed({
      code: 'rejected',
      message: `The record ${shortId(record.id)} (${kind}) changed nothing, so there is nothing to undo.`,
    })
  const sameDay = record.partial === true ? await journal.list({ since: record.at, until: record.at }) : listed
  return { group: wholeDecision(record, sameDay.ok ? sameDay.value : []), records: recent.value }
}

const isAnswer = (chosen: Chosen | Answer): chosen is Answer => !('group' in chosen)

const isOfRun = (group: readonly JournalRecord[]): boolean =>
  group.every(({ actor, target, op }) => actor === 'curator' && target === 'skill' && (op === undefined || op.action === 'archive'))

/** A run of the curator backs all skills up before its first change. */
const RUN_BACKUP = 'pre-curator-run'
const RUN_LIMIT_MS = 3_600_000

/** Names of the skills that the curator has merged into others since then. */
const mergedSince = (records: readonly JournalRecord[], since: number): readonly string[] =>
  records.flatMap(({ at, actor, op }) =>
    actor === 'curator' && at >= since && op && 'name' in op && op.action !== 'archive' ? [op.name] : [],
  )

const planRun = async ({ group, records }: Chosen, { storage }: Context): Promise<Result<readonly UndoStep[]>> => {
  const listed = await listBackups(storage)
  if (!listed.ok) return listed
  const at = group[0]?.at ?? 0
  const backup = listed.value.backups.find(
    ({ reason, createdAt }) => reason.startsWith(RUN_BACKUP) && createdAt <= at && at - createdAt < RUN_LIMIT_MS,
  )
  if (backup) return ok([{ kind: 'rollback', backup: backup.id, since: backup.id, changed: mergedSince(records, backup.createdAt) }])
  return err(new HermesError('not_found', "There is no backup from before that run. 'hermes curator restore' brings single skills back."))
}

const describeRecord = (record: JournalRecord): string => {
  const { op, upkeep, target, reason, kind } = record
  const what = op ? summariseOp(op, target) : upkeep ? describeUpkeep(record) : reason
  return kind === 'rejected' ? `rejected: ${what}` : what
}

const toValue = ({ group }: Chosen, steps: readonly UndoStep[]) => ({
  undone: group.map(({ id, at, actor, reason }) => ({ id, at, actor, reason })),
  steps: steps.map((step) => ({ ...step, what: describeStep(step) })),
})

const announce = ({ group }: Chosen, steps: readonly UndoStep[], context: Context): void => {
  const { errorColumns: columns } = context.terminal
  const now = context.clock()
  const line = (text: string): string => `  ${wrapText(oneLine(text), columns, 2)}\n`
  const [first] = group
  const head =
    group.length > 1 && first?.review !== undefined
      ? `Review ${first.review}, ${relativeTime(first.at, now)}: ${group.length} writes\n`
      : `Write ${first ? `${shortId(first.id)}, by ${first.actor}, ${relativeTime(first.at, now)}` : ''}:\n`
  context.say(head + group.map((record) => line(describeRecord(record))).join(''))
  context.say(`To undo it:\n${steps.map((step) => line(describeStep(step))).join('')}`)
}

/** Stops at the first step that fails; every step is a write of its own in the journal. */
const carryOutAll = async (chosen: Chosen, steps: readonly UndoStep[], hermes: Hermes, storage: Context['storage']): Promise<Answer> => {
  const reason = `Undo of ${chosen.group.map(({ id }) => shortId(id)).join(', ')}.`
  const done: UndoStep[] = []
  for (const step of steps) {
    const result = await carryOut(step, reason, hermes, storage)
    if (!result.ok) {
      const partly = done.length === 0 ? '' : ` Done before that: ${done.map(describeStep).join('; ')}.`
      return {
        ...(done.length === 0 ? {} : { value: toValue(chosen, done) }),
        ...failed({ ...result.error, code: result.error.code, message: result.error.message + partly }),
      }
    }
    done.push(step)
  }
  const next = done.every(({ kind }) => kind === 'put-back')
    ? "'hermes pending' asks about it again."
    : "'hermes undo' takes this back again."
  return {
    value: toValue(chosen, done),
    text: (terminal) =>
      `${done.map((step) => `${terminal.paint.green('done')}  ${wrapText(oneLine(describeStep(step)), terminal.columns, 6)}\n`).join('')}${hint(next, terminal)}`,
  }
}

/** Nothing was undone. Of several writes, the others can be named by their ids. */
const refuse = (error: HermesError, before: string, { group }: Chosen): Answer => {
  const ids = group.map(({ id }) => shortId(id)).join(', ')
  const others = group.length === 1 ? '' : ` Or undo one of its writes by its id: ${ids}.`
  return failed({ ...error, code: error.code, message: before + error.message + others })
}

interface UndoArgs {
  readonly id: string | undefined
  readonly yes: boolean | undefined
}

const run = async ({ id, yes }: UndoArgs, context: Context): Promise<Answer> => {
  const chosen = await choose(id, context)
  if (isAnswer(chosen)) return chosen
  const planned = id === undefined && isOfRun(chosen.group) ? await planRun(chosen, context) : planUndo(chosen.group, chosen.records)
  if (!planned.ok) return refuse(planned.error, `${describeRecord(chosen.group[0] as JournalRecord)}: `, chosen)
  const { openWithProvider } = await import('../../open-hermes.ts')
  // All its writes have the time of the person's answer, so that the next undo takes them back together.
  let agreedAt: number | undefined
  const hermes = await openWithProvider({ ...context, clock: () => agreedAt ?? context.clock() })
  const possible = await checkSteps(planned.value, hermes, context.storage)
  if (!possible.ok) return refuse(possible.error, '', chosen)
  announce(chosen, planned.value, context)
  const refused = await askFirst('Undo it?', yes, context)
  agreedAt = context.clock()
  return refused ?? carryOutAll(chosen, planned.value, hermes, context.storage)
}

export const undoCommand = defineCommand<UndoArgs>({
  usage: 'undo [id]',
  describe: 'Take the last write back: of you, the agent, the curator, or all that a review wrote. Asks first.',
  examples: [
    ['hermes undo', 'the last write, or the whole last review; a second time takes the undo back'],
    ['hermes undo 8f3a12bc', "one record that 'hermes journal list' shows, however old"],
    ['hermes undo --yes --json', 'without confirmation, for programs'],
  ],
  options: (parser) =>
    parser
      .positional('id', { type: 'string', describe: 'the beginning of the id of a journal record; default: the last write' })
      .option('yes', { alias: 'y', type: 'boolean', describe: 'do not ask' }),
  run,
})
