/** Decides how writes are undone, from the journal alone (DESIGN 5). Pure. */
import { isMemoryTarget, type MemoryTarget } from '../memory/memory-op.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { SKILL_FILE } from '../storage/storage-paths.ts'
import { type JournalRecord, onlyConfirmed } from './journal-record.ts'
import type { PendingProposal } from './pending.ts'
import { type PythonBlobs, planPythonUndo } from './plan-python-undo.ts'
import { storeOf, type UndoStep, type WrittenFile } from './undo-step.ts'

const DECIDERS: ReadonlySet<JournalRecord['actor']> = new Set(['person', 'host'])

/** Whether the record tells of something that was changed. */
export const isWrite = ({ kind, op, upkeep, pendingId, actor, python }: JournalRecord): boolean => {
  if (kind === 'rejected') return pendingId !== undefined && DECIDERS.has(actor)
  return kind === 'applied' && (op !== undefined || python !== undefined || (upkeep !== undefined && upkeep.action !== 'backup'))
}

const isAtOnce = (one: JournalRecord, other: JournalRecord): boolean => one.at === other.at && one.actor === other.actor

const isOfUndo = (one: JournalRecord, other: JournalRecord): boolean =>
  one.undoes !== undefined && isAtOnce(one, other) && one.undoes.join() === other.undoes?.join()

/** Somebody wrote an own text in the place of a proposal, and rejected that. Records of one time are in no order. */
const isEdit = (one: JournalRecord, other: JournalRecord): boolean => {
  const [written, rejected] = one.kind === 'applied' ? [one, other] : [other, one]
  return written.kind === 'applied' && written.pendingId === undefined && rejected.kind === 'rejected' && one.actor === 'person'
}

const isOneAct = (one: JournalRecord, other: JournalRecord): boolean => {
  if (one.review !== undefined || other.review !== undefined) return one.review === other.review
  if (one.undoes !== undefined || other.undoes !== undefined) return isOfUndo(one, other)
  if (!isAtOnce(one, other) || one.target !== other.target || one.project !== other.project) return false
  return (one.kind === other.kind && one.pendingId === other.pendingId) || isEdit(one, other)
}

/** The records that one act left: a whole review or undo, else those of the same moment, actor and kind. `records`: oldest first. */
export const lastWrite = (records: readonly JournalRecord[]): readonly JournalRecord[] => {
  const last = records.findLast(isWrite)
  const group = last ? records.filter((record) => isWrite(record) && isOneAct(last, record)) : []
  const changes = group.filter((record) => !onlyConfirmed(record))
  return changes.length > 0 ? changes : group
}

/** The umbrella that a record of a merge is about. */
const umbrellaOf = ({ op }: JournalRecord): string | undefined => {
  if (op?.action === 'archive') return op.absorbedInto
  return op && 'name' in op ? op.name : undefined
}

const isOneMerge = (one: JournalRecord, other: JournalRecord): boolean => {
  const umbrella = umbrellaOf(one)
  return one.actor === 'curator' && isAtOnce(one, other) && umbrella !== undefined && umbrella === umbrellaOf(other)
}

/** The records that can only be undone together with this one: those of one decision, merge or undo. `records`: all of its time, oldest first. */
export const undoneTogether = (record: JournalRecord, records: readonly JournalRecord[]): readonly JournalRecord[] => {
  const { kind, pendingId, undoes } = record
  if (undoes !== undefined) return records.filter((one) => isWrite(one) && isOfUndo(record, one))
  const isPart = (one: JournalRecord): boolean =>
    one.id === record.id ||
    (pendingId !== undefined && isAtOnce(one, record) && one.pendingId === pendingId) ||
    (pendingId === undefined && isOneMerge(record, one))
  const whole = records.filter((one) => one.kind === kind && isPart(one))
  return whole.length > 0 ? whole : [record]
}

/** One of these records that has been undone, by an undo that stands. `latest`: oldest first. */
export const findUndone = (records: readonly JournalRecord[], latest: readonly JournalRecord[]): JournalRecord | undefined => {
  const undos = latest.filter(({ kind }) => kind !== 'held')
  const undoOf = new Map(undos.flatMap(({ id, undoes = [] }) => undoes.map((undone) => [undone, id] as const)))
  const isUndone = (id: string): boolean => {
    const undo = undoOf.get(id)
    return undo !== undefined && !isUndone(undo)
  }
  return records.find(({ id }) => isUndone(id))
}

const refuse = (message: string): Result<never> => err(new HermesError('rejected', message))

const REDACTED = /\[redacted: looks like a secret\]/
const CUT = / \[… cut: [\d,.]+ characters in all\]$/
const NOT_TEXT = /^\[[\d,]+ bytes that are not text\]$/

const SECRET = 'It held something that looks like a secret, which the journal does not keep, so it cannot be undone.'
const BACKUPS = "'hermes curator rollback --list' lists backups."

type Steps = Result<readonly UndoStep[]>

const planMemory = (record: JournalRecord, target: MemoryTarget): Steps => {
  const store = storeOf(target, record)
  const { op, previous = [], facts, evicted = [] } = record
  const [before] = previous
  const back = evicted.map(({ text }): UndoStep => ({ kind: 'restore-entry', ...store, text }))
  if (op?.action === 'add') {
    if (onlyConfirmed(record)) return refuse('It only confirmed an entry that was there already, so there is nothing to undo.')
    // The entry was there, and counted as somebody else's words or held on other days.
    if (facts?.previous)
      return ok([{ kind: 'memory', ...store, op: { action: 'replace', oldText: op.content, content: op.content }, dates: facts.previous }])
    return ok([{ kind: 'memory', ...store, op: { action: 'remove', oldText: op.content } }, ...back])
  }
  if (before === undefined) return refuse('The journal does not say what was there before.')
  if (op?.action === 'replace') {
    const taken = { action: 'replace', oldText: op.content, content: before } as const
    return ok([{ kind: 'memory', ...store, op: taken, dates: facts?.previous }, ...back])
  }
  const pin: readonly UndoStep[] = facts?.previous?.pinned ? [{ kind: 'pin-entry', ...store, text: before, pinned: true }] : []
  return ok([{ kind: 'restore-entry', ...store, text: before }, ...pin])
}

const writtenBy = (op: NonNullable<JournalRecord['op']>): WrittenFile | undefined => {
  if (op.action === 'patch') return { oldText: op.oldText, newText: op.newText, replaceAll: op.replaceAll === true }
  return op.action === 'create' || op.action === 'edit' || op.action === 'write_file' ? { text: op.content } : undefined
}

const planSkill = ({ op, previous: [before] = [], at, files = [] }: JournalRecord): Steps => {
  if (!op || !('name' in op)) return refuse('The journal does not say which skill it was.')
  const { name } = op
  if (op.action === 'archive') return ok([{ kind: 'restore-skill', name, at }])
  const filePath = 'filePath' in op && op.filePath !== undefined ? op.filePath : SKILL_FILE
  const kept = files.find((file) => file.path === filePath)
  const written = kept ? { version: kept.version } : writtenBy(op)
  if (Object.values(written ?? {}).some((text) => CUT.test(String(text))))
    return refuse(`It is too long for the journal, so it is unknown whether it is still the same. ${BACKUPS}`)
  if (before !== undefined && NOT_TEXT.test(before))
    return refuse(`The file before was not text, and the journal does not keep it. ${BACKUPS}`)
  if (op.action === 'create') return ok([{ kind: 'archive-skill', name, written }])
  const beside = files
    .filter((file) => file !== kept)
    .map(({ path, version }): UndoStep => ({ kind: 'skill-file', name, filePath: path, written: { version }, before: undefined }))
  return ok([...beside, { kind: 'skill-file', name, filePath, written, before }])
}

const planUpkeep = (record: JournalRecord): Steps => {
  const { upkeep, target } = record
  const { action = 'backup', subject = '', before, after = '' } = upkeep ?? {}
  switch (action) {
    case 'pin':
    case 'unpin': {
      const pinned = action === 'unpin'
      if (isMemoryTarget(target)) return ok([{ kind: 'pin-entry', ...storeOf(target, record), text: subject, pinned }])
      return ok([{ kind: 'pin-skill', name: subject, pinned }])
    }
    case 'restore':
      return ok([{ kind: 'archive-skill', name: subject }])
    case 'pause':
    case 'resume':
      return ok([{ kind: 'pause', paused: action === 'resume' }])
    case 'rollback':
      if (before === undefined) return refuse('The journal does not name the backup from before.')
      return ok([{ kind: 'rollback', backup: before, since: after, archived: [] }])
    case 'manage':
      return refuse(`Take it back with: hermes skills unmanage (${subject || after}).`)
    case 'unmanage':
      return refuse(`Hand it over again with: hermes skills manage (${subject}).`)
    case 'prune':
      return refuse(
        `Archived skills that were deleted come back only with a backup. ${after === '' ? '' : `It is ${after}: `}hermes curator rollback --list.`,
      )
    case 'erase':
      return refuse('What was forgotten is erased for good and cannot be brought back.')
    default:
      return refuse('A backup changes nothing, so there is nothing to undo.')
  }
}

/** The proposal as it waited, from the records of the decision and from the one of when it began to wait. */
const toProposal = (group: readonly JournalRecord[], held: JournalRecord | undefined): PendingProposal | undefined => {
  const [first] = group
  if (!first?.pendingId || first.target === undefined) return undefined
  const proposal: unknown = {
    id: first.pendingId,
    at: held?.at ?? first.at,
    ...{ sessionId: first.sessionId, project: first.project },
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

const PARTIAL =
  'The journal has only the text of this proposal, without its files or the skills that it merges, so it cannot wait again. A run of the curator proposes a merge again once one of its skills has changed.'
const INCOMPLETE =
  'The journal has only a part of its text, so the proposal cannot wait again. Ask the agent for it again, or write it yourself.'

/** A proposal waits again with its whole text, or not at all. */
const planDecision = (group: readonly JournalRecord[], records: readonly JournalRecord[]): Steps => {
  const [first] = group
  if (first?.partial) return first.kind === 'rejected' ? refuse(PARTIAL) : ok([{ kind: 'no-proposal' }])
  const texts = group.flatMap(({ op }) => Object.values(op ?? {})).filter((value) => typeof value === 'string')
  if (texts.some((text) => REDACTED.test(text))) return refuse(SECRET)
  if (texts.some((text) => CUT.test(text))) return refuse(INCOMPLETE)
  const waits = records.filter(({ kind, pendingId }) => kind === 'held' && pendingId === first?.pendingId)
  // A decision that was taken back before left a record too, without the reason to wait.
  const held = waits.findLast(({ actor }) => !DECIDERS.has(actor)) ?? waits.at(-1)
  const proposal = toProposal(group, held)
  return proposal ? ok([{ kind: 'put-back', proposal }]) : refuse('The journal does not say what was decided.')
}

const planRecord = (record: JournalRecord, blobs: PythonBlobs): Steps => {
  const { op, upkeep, target, python } = record
  if (python) return planPythonUndo(python, blobs)
  if (REDACTED.test(JSON.stringify([op, record.previous]))) return refuse(SECRET)
  if (upkeep) return planUpkeep(record)
  if (target === 'skill') return planSkill(record)
  return target === undefined || !op ? refuse('The journal does not say what was written.') : planMemory(record, target)
}

type Decide = Extract<UndoStep, { readonly kind: 'decide' }>

const placeOf = ({ target, project }: JournalRecord): Pick<Decide, 'target' | 'project'> =>
  project === undefined ? { target } : { target, project }

/** The decisions that an undo took back, one for each proposal that it let wait again. `records`: oldest first. */
const decisionsTakenBack = ([first]: readonly JournalRecord[], records: readonly JournalRecord[]): readonly Decide[] => {
  const decisions = new Map<string, Decide>()
  for (const [index, record] of records.entries()) {
    const { kind, pendingId: id, op } = record
    if (!first || kind !== 'held' || id === undefined || !op || decisions.has(id) || !isOfUndo(first, record)) continue
    const before = records.slice(0, index).findLast((each) => each.pendingId === id && each.kind !== 'held')
    if (before?.kind === 'applied') decisions.set(id, { kind: 'decide', id, verb: 'approve', op, ...placeOf(record) })
    if (before?.kind === 'rejected') decisions.set(id, { kind: 'decide', id, verb: 'reject', op, ...placeOf(record) })
  }
  return [...decisions.values()]
}

/**
 * The steps that undo the records of one act, the last change first. A proposal that was decided waits again; if the act was itself such an undo, it is decided
 * again. `rejected` with the reason if not. `records`: all that are known, oldest first, for what a decision was about. `blobs`: files that Python Hermes keeps.
 */
export const planUndo = (group: readonly JournalRecord[], records: readonly JournalRecord[], blobs: PythonBlobs = new Map()): Steps => {
  const decisions = decisionsTakenBack(group, records)
  // An approval writes all that the undo of it took away.
  if (decisions.some(({ verb }) => verb === 'approve')) return ok(decisions)
  const rejected = group.filter(({ kind }) => kind === 'rejected')
  const steps: UndoStep[] = []
  for (const record of group.toReversed().filter((one) => !rejected.includes(one))) {
    const planned = planRecord(record, blobs)
    if (!planned.ok) return planned
    steps.push(...planned.value)
  }
  const [first] = group
  const isDecision = rejected.length > 0 || (first?.pendingId !== undefined && first.op !== undefined)
  if (!isDecision) return ok([...steps, ...decisions])
  const again = planDecision(rejected.length > 0 ? rejected : group, records)
  return again.ok ? ok([...steps, ...again.value]) : again
}
