/**
 * The transitions of a run. State, backup, moves, counts, report and the journal's lines are one update, so that a run has happened or not; what was used meanwhile is
 * in the cut that decides (seed 000, reference skills-curator 10 and 12).
 */
import type { JournalRecordInput } from '../journal/journal.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import { ok, type Result } from '../shared/result.ts'
import { runAtOnce, runWithPauses, type Steps } from '../shared/steps.ts'
import { SKILLS_FOLDER } from '../skills/skill-discovery.ts'
import { equalContent } from '../storage/equal-content.ts'
import { inTransaction } from '../storage/in-transaction.ts'
import { orError, readDocument } from '../storage/one-document.ts'
import { STALE } from '../storage/state-read.ts'
import type { Cut, DocumentInfo, Plan, StoredDocument } from '../storage/storage-backend.ts'
import { checkNothingAside, decodeSidecar, USAGE_PATH } from '../usage/usage-sidecar.ts'
import { checkAgeing } from './age.ts'
import { type PackedBackup, packBackup, planBackup, planRetention } from './backup.ts'
import { BACKUPS_FOLDER, manifestPath, type SkillBackup } from './backup-manifest.ts'
import { type CuratorHome, journalAt, type LibraryHome, readLibrary, withoutBlocked } from './curator-home.ts'
import { toBackupBounds } from './curator-options.ts'
import {
  type CuratorPlan,
  changesSomething,
  type Library,
  type PlannedChanges,
  planChanges,
  planTransitions,
  recordsIn,
} from './plan-transitions.ts'
import { byName, type CuratorReport, type SkillTransition } from './report.ts'
import { CURATOR_STATE_PATH, type CuratorState, planState, updateCuratorState } from './state.ts'
import { CURATOR_LOGS_FOLDER, type RunFacts, reportFolder, reportPuts, summariseReport } from './write-report.ts'

const HOUR_MS = 3_600_000

const toReport = (plan: CuratorPlan, library: Pick<Library, 'now'>, finishedAt: number, done: Partial<CuratorReport>): CuratorReport => ({
  checkedAt: library.now,
  finishedAt,
  dryRun: false,
  transitioned: plan.transitions.map(({ name, from, to, reason }) => ({ name, from, to, reason })),
  skipped: plan.skipped,
  repaired: plan.repairs.map(({ name }) => name),
  warnings: plan.warnings,
  aborted: false,
  ...done,
})

/** What a run would do. `clock`: for a forecast, a later time. `toldAt`: the time up to which its reasons count the days, in epoch milliseconds; default: now. */
export const previewRun = async (
  home: LibraryHome,
  ageingOptions: Parameters<typeof checkAgeing>[0],
  toldAt?: number,
): Promise<Result<CuratorReport>> => {
  const ageing = checkAgeing(ageingOptions)
  if (!ageing.ok) return ageing
  // Read before the skills: one created in between has no record here and is skipped.
  const records = await home.usage.load()
  if (!records.ok) return records
  const library = await readLibrary(home, home.storage, { ageing: ageing.value, now: home.clock(), toldAt })
  if (!library.ok) return library
  const plan = planTransitions({ ...library.value, records: records.value })
  return ok(toReport(plan, library.value, home.clock(), { dryRun: true }))
}

const toJournalRecord = ({ name, from, to, reason }: SkillTransition): JournalRecordInput => ({
  actor: 'curator',
  kind: 'applied',
  target: 'skill',
  reason: `The skill '${name}' went from ${from} to ${to}. ${reason}`,
  ...(to === 'archived' ? { op: { action: 'archive', name } } : {}),
})

/** A problem that counts the files a rollback could not restore; the manifest lists them. */
const leftOutOf = ({ id, leftOut }: SkillBackup): readonly HermesError[] => {
  const [first] = leftOut
  if (!first) return []
  const count = leftOut.length === 1 ? '1 file' : `${leftOut.length} files`
  const message = `The backup ${id} does not contain ${count}: '${first.path}' (${first.why})${leftOut.length > 1 ? ' and others' : ''}. A rollback leaves such files unchanged; the manifest '${manifestPath(id)}' lists them.`
  return [new HermesError('unreadable', message, { details: { path: first.path, leftOut } })]
}

/** What a run has done before it merges. */
export interface DoneRun {
  readonly facts: RunFacts
  readonly reportPath: string
  readonly problems: readonly HermesError[]
}

/** What a run decides on a sidecar. */
interface Decided {
  /** The sidecar as it was read. */
  readonly usage: StoredDocument | undefined
  readonly plan: CuratorPlan
  readonly changes: PlannedChanges
}

interface Prepared {
  readonly library: Omit<Library, 'records'>
  readonly documents: readonly DocumentInfo[]
  readonly backup: PackedBackup | undefined
  readonly decided: Decided
}

type Blocked = ReadonlyMap<string, HermesError>

function* decide(
  usage: StoredDocument | undefined,
  { library, documents }: Pick<Prepared, 'library' | 'documents'>,
  blocked: Blocked,
): Steps<Decided> {
  const sidecar = decodeSidecar(usage)
  if (!sidecar.ok) throw sidecar.error
  yield
  const records = recordsIn(sidecar.value)
  yield
  const plan = planTransitions({ ...library, records })
  yield
  return { usage, plan, changes: planChanges(plan, sidecar.value, documents, library.now, blocked) }
}

/** Everything that takes long is done here, and not under the lock: in the update it holds if nothing was counted meanwhile. */
const prepare = async (
  home: CuratorHome,
  library: Omit<Library, 'records'>,
  documents: readonly DocumentInfo[],
  blocked: Blocked,
): Promise<Result<Prepared>> => {
  const { enabled = true, ...settings } = home.options.curator.backup ?? {}
  const usage = await readDocument(home.storage, USAGE_PATH)
  if (!usage.ok) return usage
  const decided = await runWithPauses(decide(usage.value, { library, documents }, blocked))
  if (!enabled || !changesSomething(decided.plan)) return ok({ library, documents, backup: undefined, decided })
  await pause()
  const packed = await packBackup(home.storage, documents, { reason: 'pre-curator-run', at: library.now, bounds: toBackupBounds(settings) })
  return packed.ok ? ok({ library, documents, backup: packed.value, decided }) : packed
}

interface RunOptions {
  /** Called with the state in the cut; `false`: the run is not done. Pure. */
  readonly mayStart: (state: CuratorState) => boolean
  /** More fields of the state that the run writes. Pure. */
  readonly alsoState?: (state: CuratorState) => Partial<CuratorState>
}

const transition = async (
  home: CuratorHome,
  { mayStart, alsoState = () => ({}) }: RunOptions,
  now: number,
  blocked: Blocked,
): Promise<Result<DoneRun | undefined>> => {
  const { storage, clock, options } = home
  const ageing = checkAgeing(options.curator)
  if (!ageing.ok) return ageing
  const journal = journalAt(home, now)
  let done: DoneRun | undefined
  const planRun = (prepared: Prepared, endedAt: number, cut: Cut): Plan<unknown> => {
    done = undefined
    const { library, backup, decided } = prepared
    const usage = cut.document(USAGE_PATH)
    const { plan, changes: planned } = equalContent(usage, decided.usage) ? decided : runAtOnce(decide(usage, prepared, blocked))
    const { transitioned, skipped, ...changes } = planned
    const isChange = transitioned.length + plan.repairs.length > 0
    // Something was used or left alone meanwhile.
    if (isChange && !backup && options.curator.backup?.enabled !== false) return { value: STALE }
    const saved = isChange && backup ? planBackup(cut, backup) : undefined
    const report = toReport(plan, library, endedAt, { transitioned, skipped: [...plan.skipped, ...skipped].sort(byName) })
    const reportPath = reportFolder(cut, now)
    const state = planState(cut, (current) =>
      mayStart(current)
        ? {
            lastRunAt: now,
            runCount: current.runCount + 1,
            lastRunDurationSeconds: (endedAt - now) / 1000,
            lastRunSummary: summariseReport(report),
            lastReportPath: reportPath,
            retryAt: undefined,
            ...alsoState(current),
          }
        : undefined,
    )
    if (!state.changed) return { value: undefined }
    const facts: RunFacts = { report, startedAt: now, endedAt, backupId: saved?.backup.id }
    done = { facts, reportPath, problems: [...(state.problem ? [state.problem] : []), ...(saved ? leftOutOf(saved.backup) : [])] }
    return {
      move: changes.move,
      put: {
        ...changes.put,
        ...(saved ? { ...planRetention(cut, now, options.curator.backup?.retainWeeks), ...saved.put } : {}),
        ...reportPuts(reportPath, facts),
        ...state.put,
      },
      append: journal.append(transitioned.map(toJournalRecord)),
      value: undefined,
    }
  }
  const written = await orError(() =>
    inTransaction(
      storage,
      async (over) => {
        const listed = await over.list(SKILLS_FOLDER)
        if (!listed.ok) return listed
        const settled = await checkNothingAside(over)
        if (!settled.ok) return settled
        const library = await readLibrary(home, over, { ageing: ageing.value, now })
        return library.ok ? prepare(home, library.value, listed.value, blocked) : library
      },
      (prepared) => {
        const endedAt = clock()
        return {
          paths: [`${SKILLS_FOLDER}/`, CURATOR_STATE_PATH, USAGE_PATH, `${BACKUPS_FOLDER}/`, `${CURATOR_LOGS_FOLDER}/`, journal.path],
          plan: (cut) => planRun(prepared, endedAt, cut),
        }
      },
    ),
  )
  return written.ok ? ok(done) : written
}

/**
 * Changes only skills of the agent or granted by a person, and never a pinned one. Nothing is done if it fails: `unreadable` marks or records, a backup that cannot be
 * taken, or an error of the storage; then the state says so, and the run may be tried again after an hour. `undefined` if `mayStart` returned false.
 */
export const runTransitions = async (home: CuratorHome, options: RunOptions): Promise<Result<DoneRun | undefined>> => {
  const now = home.clock()
  const done = await withoutBlocked((blocked) => transition(home, options, now, blocked))
  if (!done.ok && done.error.code !== 'locked') await noteFailure(home, now, done.error)
  return done
}

/** If this cannot be written either, the run is due at the next check. */
const noteFailure = ({ storage }: CuratorHome, now: number, { message }: HermesError): Promise<unknown> =>
  updateCuratorState(storage, ({ runCount }) => ({
    lastRunAt: now,
    runCount: runCount + 1,
    lastRunSummary: `auto: not done; failed: ${message}`,
    retryAt: now + HOUR_MS,
  }))
