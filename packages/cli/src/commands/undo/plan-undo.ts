/** Decides how a write is undone, from the journal alone. Pure. */
import { err, HermesError, type JournalRecord, ok, type PendingProposal, type Result } from '@hermes/core'
import { onlyConfirmed } from '@hermes/core/journal'
import { DECIDERS, decisionsTakenBack } from './taken-back.ts'
import type { UndoStep, Written } from './undo-step.ts'

/** Whether the record tells of something that was changed. */
export const isWrite = ({ kind, op, upkeep, pendingId, actor }: JournalRecord): boolean => {
  if (kind === 'rejected') return pendingId !== undefined && DECIDERS.has(actor)
  return kind === 'applied' && (op !== undefined || (upkeep !== undefined && upkeep.action !== 'backup'))
}

/** An undo writes memory and skills at one moment. */
const isSameTarget = (one: JournalRecord, other: JournalRecord): boolean => one.actor === 'person' || one.target === other.target

const isSameKind = (one: JournalRecord, other: JournalRecord): boolean => one.kind === other.kind && one.pendingId === other.pendingId

/** `hermes pending` writes a person's own text in the place of a proposal, and rejects that. Records of one time are in no order. */
const isEdit = (one: JournalRecord, other: JournalRecord): boolean => {
  const [written, rejected] = one.kind === 'applied' ? [one, other] : [other, one]
  return written.kind === 'applied' && written.pendingId === undefined && rejected.kind === 'rejected' && one.actor === 'person'
}

/** The records that one act left: a whole review, else those of the same moment, actor and kind. `records`: oldest first. */
export const lastWrite = (records: readonly JournalRecord[]): readonly JournalRecord[] => {
  const last = records.findLast(isWrite)
  if (!last) return []
  const { at, actor, review } = last
  const isSame = (one: JournalRecord): boolean =>
    review === undefined
      ? at === one.at && actor === one.actor && isSameTarget(last, one) && (isSameKind(last, one) || isEdit(last, one))
      : review === one.review
  const group = records.filter((record) => isWrite(record) && isSame(record))
  const changes = group.filter((record) => !onlyConfirmed(record))
  return changes.length > 0 ? changes : group
}

const refuse = (message: string): Result<never> => err(new HermesError('rejected', message))

const REDACTED = /\[redacted: looks like a secret\]/
const CUT = / \[… cut: [\d,.]+ characters in all\]$/
const NOT_TEXT = /^\[[\d,]+ bytes that are not text\]$/

const SECRET = 'It held something that looks like a secret, which the journal does not keep, so it cannot be undone.'

type Steps = Result<readonly UndoStep[]>

const planMemory = (record: JournalRecord, target: 'memory' | 'user'): Steps => {
  const { op, previous = [], facts, evicted = [] } = record
  const [before] = previous
  const back = evicted.map(({ text }): UndoStep => ({ kind: 'restore-entry', target, text }))
  if (op?.action === 'add') {
    if (onlyConfirmed(record)) return refuse('It only confirmed an entry that was there already, so there is nothing to undo.')
    return ok([{ kind: 'memory', target, op: { action: 'remove', oldText: op.content } }, ...back])
  }
  if (before === undefined) return refuse('The journal does not say what was there before.')
  if (op?.action === 'replace') {
    const taken = { action: 'replace', oldText: op.content, content: before } as const
    return ok([{ kind: 'memory', target, op: taken, dates: facts?.previous }, ...back])
  }
  return ok([{ kind: 'restore-entry', target, text: before }])
}

/** Undefined if the journal has only a part of the text. */
const writtenBy = (op: NonNullable<JournalRecord['op']>): Written | undefined => {
  if (op.action === 'patch') return { oldText: op.oldText, newText: op.newText, replaceAll: op.replaceAll === true }
  return op.action === 'create' || op.action === 'edit' || op.action === 'write_file' ? { text: op.content } : undefined
}

const textsOf = (written: Written | undefined): readonly string[] =>
  written === undefined ? [] : 'text' in written ? [written.text] : [written.oldText, written.newText]

const planSkillFile = (op: NonNullable<JournalRecord['op']>, before: string | undefined): Steps => {
  if (!('name' in op)) return refuse('The journal does not say which skill it was.')
  const written = writtenBy(op)
  if (textsOf(written).some((text) => CUT.test(text)))
    return refuse(
      `It is too long for the journal, so it is unknown whether it is still the same. 'hermes curator rollback --list' lists backups.`,
    )
  if (before !== undefined && NOT_TEXT.test(before))
    return refuse("The file before was not text, and the journal does not keep it. 'hermes curator rollback --list' lists backups.")
  const filePath = 'filePath' in op && op.filePath !== undefined ? op.filePath : 'SKILL.md'
  if (op.action === 'create') return ok([{ kind: 'archive-skill', name: op.name, written }])
  return ok([{ kind: 'skill-file', name: op.name, filePath, written, before }])
}

const planSkill = ({ op, previous = [], at }: JournalRecord): Steps => {
  if (op?.action === 'archive') return ok([{ kind: 'restore-skill', name: op.name, at }])
  return op ? planSkillFile(op, previous[0]) : refuse('The journal does not say what was done.')
}

const NOT_UNDONE = {
  erase: 'What was forgotten is erased for good and cannot be brought back.',
  backup: 'A backup changes nothing, so there is nothing to undo.',
  prune: 'Archived skills that were deleted come back only with a backup.',
} as const

const planUpkeep = ({ upkeep, target }: JournalRecord): Steps => {
  const { action = 'backup', subject = '', before, after = '' } = upkeep ?? {}
  switch (action) {
    case 'pin':
    case 'unpin': {
      const pinned = action === 'unpin'
      if (target === 'memory' || target === 'user') return ok([{ kind: 'pin-entry', target, text: subject, pinned }])
      return ok([{ kind: 'pin-skill', name: subject, pinned }])
    }
    case 'restore':
      return ok([{ kind: 'archive-skill', name: subject }])
    case 'pause':
    case 'resume':
      return ok([{ kind: 'pause', paused: action === 'resume' }])
    case 'rollback':
      if (before === undefined) return refuse('The journal does not name the backup from before.')
      return ok([{ kind: 'rollback', backup: before, since: after, changed: [] }])
    case 'manage':
      return refuse(`Take it back with: hermes skills unmanage (${subject || after}).`)
    case 'unmanage':
      return refuse(`Hand it over again with: hermes skills manage (${subject}).`)
    case 'prune':
      return refuse(`${NOT_UNDONE.prune} ${after === '' ? '' : `It is ${after}: `}hermes curator rollback --list.`)
    default:
      return refuse(NOT_UNDONE[action])
  }
}

/** The proposal as it waited, from the record of the decision and from the one of when it began to wait. */
const toProposal = (group: readonly JournalRecord[], held: JournalRecord | undefined): PendingProposal | undefined => {
  const [first] = group
  if (!first?.pendingId || first.target === undefined) return undefined
  const proposal: unknown = {
    id: first.pendingId,
    at: held?.at ?? first.at,
    sessionId: first.sessionId,
    reason: held?.reason ?? 'Its decision was taken back.',
    origin: held?.origin,
    rationale: first.rationale ?? '',
    score: first.score ?? 0,
    evidence: (first.evidence ?? []).map(({ messageId, quote }) => ({ ...(messageId === undefined ? {} : { messageId }), quote })),
    target: first.target,
    ops: group.flatMap(({ op }) => (op ? [op] : [])),
    ...(first.target === 'skill' ? { base: null, model: first.model } : {}),
  }
  return JSON.parse(JSON.stringify(proposal)) as PendingProposal
}

/** A proposal waits again with its whole text, or not at all. */
const whyIncomplete = (group: readonly JournalRecord[]): string | undefined => {
  const texts = group.flatMap(({ op }) => Object.values(op ?? {})).filter((value) => typeof value === 'string')
  if (texts.some((text) => REDACTED.test(text))) return SECRET
  if (!texts.some((text) => CUT.test(text))) return undefined
  return 'The journal has only a part of its text, so the proposal cannot wait again. Ask the agent for it again, or write it yourself.'
}

const PARTIAL =
  'The journal has only the text of this proposal, without its files or the skills that it merges, so it cannot wait again. A run of the curator proposes a merge again once one of its skills has changed.'

/** The records of the decision that this record is a part of, if it was about more than one operation on a skill. */
export const wholeDecision = (record: JournalRecord, records: readonly JournalRecord[]): readonly JournalRecord[] => {
  const whole = records.filter((one) => one.at === record.at && one.actor === record.actor && isSameKind(one, record))
  return record.partial === true && whole.length > 0 ? whole : [record]
}

const planDecision = (group: readonly JournalRecord[], records: readonly JournalRecord[]): Steps => {
  const [first] = group
  if (first?.partial) return first.kind === 'rejected' ? refuse(PARTIAL) : ok([{ kind: 'no-proposal' }])
  const incomplete = whyIncomplete(group)
  if (incomplete !== undefined) return refuse(incomplete)
  const waits = records.filter(({ kind, pendingId }) => kind === 'held' && pendingId === first?.pendingId)
  // A decision that was taken back before left a record too, without the reason to wait.
  const held = waits.findLast(({ actor }) => !DECIDERS.has(actor)) ?? waits.at(-1)
  const proposal = toProposal(group, held)
  return proposal ? ok([{ kind: 'put-back', proposal }]) : refuse('The journal does not say what was decided.')
}

const planRecord = (record: JournalRecord): Steps => {
  const { op, upkeep, target } = record
  if (REDACTED.test(JSON.stringify([op, record.previous]))) return refuse(SECRET)
  if (upkeep) return planUpkeep(record)
  if (target === 'skill') return planSkill(record)
  return target === undefined || !op ? refuse('The journal does not say what was written.') : planMemory(record, target)
}

/**
 * The steps that undo the records of one write, the last change first. A proposal that was decided waits again; if the write was itself such an undo, it is decided again. `rejected` with the reason if that
 * is impossible. `records`: all that are known, for what a decision was about.
 */
export const planUndo = (group: readonly JournalRecord[], records: readonly JournalRecord[]): Steps => {
  const [first] = group
  if (!first) return refuse('There is nothing to undo.')
  const decisions = decisionsTakenBack(group, records)
  // An approval writes all that the undo of it took away.
  if (decisions.some(({ verb }) => verb === 'approve')) return ok(decisions)
  const rejected = group.filter(({ kind }) => kind === 'rejected')
  const steps: UndoStep[] = []
  for (const record of group.toReversed().filter((one) => !rejected.includes(one))) {
    const planned = planRecord(record)
    if (!planned.ok) return planned
    steps.push(...planned.value)
  }
  const isDecision = rejected.length > 0 || (first.pendingId !== undefined && first.op !== undefined)
  if (!isDecision) return ok([...steps, ...decisions])
  const again = planDecision(rejected.length > 0 ? rejected : group, records)
  return again.ok ? ok([...steps, ...again.value]) : again
}
