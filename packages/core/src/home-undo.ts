/** `hermes.undo`: takes writes back, all that one act wrote in one update (DESIGN 5). */
import { listBackups } from './curator/backups.ts'
import type { Home } from './home.ts'
import type { JournalRecord } from './journal/journal-record.ts'
import { isWrite, lastWrite, planUndo, undoneTogether } from './journal/plan-undo.ts'
import { readPythonBlobs } from './journal/python-ledger.ts'
import type { UndoStep } from './journal/undo-step.ts'
import { HermesError } from './shared/hermes-error.ts'
import { err, ok, type Result } from './shared/result.ts'
import { inTransaction } from './storage/in-transaction.ts'
import { orError } from './storage/one-document.ts'
import type { StorageBackend } from './storage/storage-backend.ts'
import { Transaction } from './storage/transaction.ts'
import { UndoWork } from './undo-work.ts'

export interface UndoOptions {
  /** Checks everything and returns what would be undone; writes nothing. Default false. */
  readonly dryRun?: boolean
}

/** What was undone, or would be. */
export interface Undone {
  /** The journal's records of the act that is taken back, oldest first. */
  readonly records: readonly JournalRecord[]
  /** The changes that undo it, in their order. */
  readonly steps: readonly UndoStep[]
}

const refuse = (message: string): Result<never> => err(new HermesError('rejected', message))
const preview = (text: string): string => `'${text.slice(0, 60)}'`
const shortId = (id: string): string => id.slice(0, 8)

// Which records an undo is about.

/** Enough to find the last write, even if it was a long review. */
const RECORDS = 1_000

/** The record that takes this one back, if it has not been taken back itself. */
export const findUndo = async ({ id, at, python }: JournalRecord, home: Home): Promise<Result<JournalRecord | undefined>> => {
  // The clock of Python may have been ahead.
  const listed = await home.journal.list(python ? { id } : { id, since: at })
  if (!listed.ok) return listed
  const undoing = listed.value.filter(({ undoes }) => undoes?.includes(id))
  // A proposal that waits again is all that the undo of a rejection leaves.
  const undo = undoing.findLast(({ kind }) => kind !== 'held') ?? undoing.at(-1)
  const again = undo ? await findUndo(undo, home) : ok(undefined)
  return again.ok ? ok(again.value ? undefined : undo) : again
}

const findRecord = async (id: string, home: Home): Promise<Result<JournalRecord>> => {
  const asked = typeof id === 'string' ? id.trim() : ''
  const listed = await home.journal.list({ id: asked, python: true })
  if (!listed.ok) return listed
  const matches = asked === '' ? [] : listed.value.filter((record) => record.id.startsWith(asked))
  const record = matches.find((each) => each.id === asked) ?? matches[0]
  if (!record) {
    const message = `The journal has no record with the id ${preview(String(id))}, or what it was about has been forgotten. 'hermes journal list' lists the ids.`
    return err(new HermesError('not_found', message))
  }
  if (matches.length > 1 && record.id !== asked) {
    const candidates = matches.map((each) => each.id)
    const message = `${matches.length} ids begin with ${preview(asked)}, such as ${candidates.slice(0, 5).join(', ')}. Give more characters of the one you mean.`
    return err(new HermesError('ambiguous', message, { details: { candidates } }))
  }
  if (!isWrite(record)) return refuse(`The record ${shortId(record.id)} (${record.kind}) changed nothing, so there is nothing to undo.`)
  const undo = await findUndo(record, home)
  if (!undo.ok) return undo
  if (!undo.value) return ok(record)
  if (undo.value.kind === 'held')
    return refuse(
      `The record ${shortId(record.id)} has been undone already: the proposal waits again, or has been decided again since. 'hermes pending' lists what waits.`,
    )
  const by = shortId(undo.value.id)
  return refuse(`The record ${shortId(record.id)} has been undone already, by ${by}. To take that undo back: hermes undo ${by}`)
}

/** What a whole review wrote, or all reviews of one act of learning, as far as none of it has been taken back. */
const findReview = async (review: string, home: Home): Promise<Result<readonly JournalRecord[]>> => {
  const listed = await home.journal.list({ review })
  if (!listed.ok) return listed
  const writes = lastWrite(listed.value)
  for (const record of writes.length > 0 ? [writes[0], writes.at(-1)] : []) {
    const undone = record && (await findRecord(record.id, home))
    if (undone?.ok === false) return undone
  }
  return ok(writes)
}

const recordsAt = (at: number, { journal }: Home): Promise<Result<readonly JournalRecord[]>> => journal.list({ since: at, until: at })

const chooseRecords = async (ids: readonly string[], home: Home): Promise<Result<readonly JournalRecord[]>> => {
  const chosen = new Set<string>()
  const moments = new Map<number, readonly JournalRecord[]>()
  for (const id of ids) {
    const record = await findRecord(id, home)
    if (!record.ok) return record
    const { at } = record.value
    const beside = moments.has(at) ? ok(moments.get(at) ?? []) : await recordsAt(at, home)
    if (!beside.ok) return beside
    // A record of Python's ledger is not in the journal.
    const all = beside.value.some(({ id: other }) => other === record.value.id) ? beside.value : [...beside.value, record.value]
    moments.set(at, all)
    for (const one of undoneTogether(record.value, all)) chosen.add(one.id)
  }
  const records = [...moments].sort(([a], [b]) => a - b).flatMap(([, beside]) => beside)
  return ok(records.filter(({ id }) => chosen.has(id)))
}

const chooseLast = async (home: Home): Promise<Result<readonly JournalRecord[]>> => {
  const recent = await home.journal.list({ limit: RECORDS })
  if (!recent.ok) return recent
  const last = recent.value.findLast(isWrite)
  if (!last) return err(new HermesError('not_found', 'The journal has no write that could be undone.'))
  // A run may have archived more skills than that, and one act of learning may be many reviews.
  const beside = await (last.review === undefined ? recordsAt(last.at, home) : home.journal.list({ review: last.review }))
  if (!beside.ok) return beside
  const known = new Set(recent.value.map(({ id }) => id))
  return ok(lastWrite([...beside.value.filter(({ id }) => !known.has(id)), ...recent.value]))
}

// What undoes them.

/** A run of the curator backs all skills up before its first change. */
const RUN_BACKUP = 'pre-curator-run'

const isArchivedByRun = ({ actor, kind, op, pendingId }: JournalRecord): boolean =>
  actor === 'curator' && kind === 'applied' && pendingId === undefined && op?.action === 'archive' && op.absorbedInto === undefined

/** All that one run archived comes back with its backup. Undefined if the records are not about that: the merges of a run are acts of their own. */
const planRun = async (group: readonly JournalRecord[], home: Home): Promise<Result<readonly UndoStep[] | undefined>> => {
  const at = group[0]?.at ?? 0
  if (!group.every((record) => record.at === at && isArchivedByRun(record))) return ok(undefined)
  const beside = await recordsAt(at, home)
  if (!beside.ok) return beside
  if (beside.value.filter(isArchivedByRun).length !== group.length) return ok(undefined)
  const listed = await listBackups(home.storage)
  if (!listed.ok) return listed
  const backup = listed.value.backups.find(({ reason, createdAt }) => reason.startsWith(RUN_BACKUP) && createdAt === at)
  if (backup) {
    const archived = group.flatMap(({ op }) => (op?.action === 'archive' ? [op.name] : []))
    return ok([{ kind: 'rollback', backup: backup.id, since: backup.id, archived }])
  }
  if (group.length === 1) return ok(undefined)
  return err(new HermesError('not_found', "There is no backup from before that run. 'hermes curator restore' brings single skills back."))
}

/** With all records about the decisions that were made at its time. */
const planAct = async (group: readonly JournalRecord[], home: Home): Promise<Result<readonly UndoStep[]>> => {
  const known = new Map<string, JournalRecord>()
  for (const at of new Set(group.map((record) => record.at))) {
    const beside = await recordsAt(at, home)
    if (!beside.ok) return beside
    for (const id of new Set(beside.value.flatMap(({ pendingId }) => pendingId ?? []))) {
      const about = await home.journal.list({ id })
      if (!about.ok) return about
      for (const record of about.value) known.set(record.id, record)
    }
  }
  const blobs = await readPythonBlobs(home.storage, group)
  return blobs.ok ? planUndo(group, [...known.values()], blobs.value) : blobs
}

// How it is carried out.

/** No copy was written. */
const withoutCopy = (error: HermesError): Result<never> => err(HermesError.isInstance(error.cause) ? error.cause : error)

const ALONE =
  'A rollback restores all skills, so it is undone by itself: undo the other writes, then the rollback by its id, or the other way round.'

const carryOut = async ({ records, steps }: Undone, home: Home, isDryRun: boolean): Promise<Result<unknown>> => {
  let last = new UndoWork(home, home.storage, records)
  const work = (over: StorageBackend, some = steps): Promise<Result<unknown>> => {
    last = new UndoWork(home, over, records)
    return orError(() => last.carryOut(some))
  }
  // A rollback is one update of its own, which leaves out what the storage cannot move.
  const isRollback = steps.some(({ kind }) => kind === 'rollback')
  if (isRollback && steps.length > 1) return refuse(ALONE)
  const done = await (isDryRun
    ? work(new Transaction(home.storage))
    : isRollback
      ? work(home.storage)
      : inTransaction(home.storage, (over) => work(over)))
  const { failed, events } = last
  if (done.ok && !isDryRun) for (const event of events) home.emit(event)
  if (done.ok || !failed || done.error.details['backupPath'] === undefined) return done
  if (isDryRun) return withoutCopy(done.error)
  // The copy of a file that a refusal of memory names is written by itself.
  let refused: Result<unknown> = done
  const copied = await inTransaction(home.storage, async (over) => {
    const again = await work(over, [failed])
    if (again.ok) return done
    refused = again
    return ok(undefined)
  })
  return copied.ok ? refused : withoutCopy(done.error)
}

const INVALID = 'undo() takes the id of a record of the journal, or a list of ids. Without them it takes the last write back.'

const isIds = (ids: unknown): ids is string | readonly string[] | undefined =>
  ids === undefined || typeof ids === 'string' || (Array.isArray(ids) && ids.length > 0 && ids.every((id) => typeof id === 'string'))

/** See `Hermes.undo`. */
export const undoInHome = async (
  home: Home,
  ids?: string | readonly string[],
  { dryRun = false }: UndoOptions = {},
): Promise<Result<Undone>> => {
  if (!isIds(ids)) return err(new HermesError('invalid', INVALID))
  const ofReview = typeof ids === 'string' && ids !== '' ? await findReview(ids, home) : ok([])
  if (!ofReview.ok) return ofReview
  const isReview = ofReview.value.length > 0
  const chosen = isReview ? ofReview : await (ids === undefined ? chooseLast(home) : chooseRecords([ids].flat(), home))
  if (!chosen.ok) return chosen
  const records = chosen.value
  const run = typeof ids === 'string' ? ok(undefined) : await planRun(records, home)
  const planned = run.ok ? (run.value ? ok(run.value) : await planAct(records, home)) : run
  const undone = planned.ok ? { records, steps: planned.value } : undefined
  const done = undone ? await carryOut(undone, home, dryRun) : planned
  if (undone && done.ok) return ok(undone)
  const { error } = done as { readonly error: HermesError }
  const details = { ...error.details, records: records.map(({ id }) => id) }
  return err(new HermesError(error.code, error.message, { cause: error, details }))
}
