/** `hermes.curator`: the upkeep of the skills of a home. Each verb is a method and one update, with its line in the journal. Loaded at its first use. */
import * as z from 'zod/mini'
import { toUpkeepRecord } from '../journal/host-writes.ts'
import type { LearningCost } from '../model/learning-cost.ts'
import { type GrantTerms, listGrants } from '../ownership/grants.ts'
import type { GrantScope, OwnershipGrant } from '../ownership/skill-ownership.ts'
import { withAnySignal } from '../shared/any-signal.ts'
import { checkShape } from '../shared/check-shape.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { ArchivedSkill } from '../skills/archive.ts'
import type { SkillStore } from '../skills/skill-store.ts'
import { takeBackup } from './backup.ts'
import type { SkillBackup } from './backup-manifest.ts'
import { type BackupListing, listBackups } from './backups.ts'
import {
  type ArchiveOutcome,
  type ArchiveSkillOptions,
  archiveByHand,
  handOver,
  type PinnedSkill,
  pinByHand,
  type RestoreOutcome,
  restoreByHand,
  takeBack,
} from './by-hand.ts'
import { type CuratorHome, journalAt } from './curator-home.ts'
import { toBackupBounds } from './curator-options.ts'
import { type PrunedArchive, prunableEntries, pruneByHand } from './prune.ts'
import type { CuratorRun, CuratorRunReason, RequestedRunOptions, ScheduledRun, ScheduledRunOptions } from './report.ts'
import { type RollbackReport, rollBack } from './rollback.ts'
import { runCurator, runIfDue } from './run.ts'
import { type CuratorStateChanged, updateCuratorState } from './state.ts'
import { type CuratorStatus, readCuratorStatus } from './status.ts'

const options = z.optional(z.looseObject({}))
const skill = z.string('must be the name or the folder of a skill')
const skillNames = z.array(z.string()).check(z.minLength(1))
const scopeShape = z.union(
  [z.looseObject({ skills: skillNames }), z.looseObject({ category: z.string() }), z.looseObject({ all: z.literal(true) })],
  "must be { skills: ['name', …] }, { category: 'name' } or { all: true }",
)
const entriesShape = z.array(
  z.looseObject({ id: z.string(), name: z.string(), path: z.string() }),
  'must be entries that `prunable()` returned',
)

const invalid = (verb: string, { issues: [first] }: z.core.$ZodError): HermesError => {
  const place = first && first.path.length > 0 ? `argument ${Number(first.path[0]) + 1}` : 'the list of arguments'
  return new HermesError('invalid', `hermes.curator.${verb}() was not carried out: ${place} ${first?.message ?? 'is wrong'}.`)
}

const unexpected = (verb: string, cause: unknown): HermesError => {
  if (HermesError.isInstance(cause)) return cause
  const message = `hermes.curator.${verb}() stopped: ${String(cause)}. Check the clock, the id source and the back end that createHermes was given.`
  return new HermesError('io', message, { cause })
}

/**
 * For people and the schedule; never offer these verbs to the agent. None of them rejects or throws: a wrong argument is `invalid`. A verb that fails has changed
 * nothing.
 */
export class Curator {
  readonly #home: CuratorHome
  readonly #stopping: AbortSignal

  /** `stopping`: ends runs in progress before their next update. */
  constructor(home: CuratorHome, stopping: AbortSignal = new AbortController().signal) {
    this.#home = home
    this.#stopping = stopping
  }

  /** Checks the arguments, and turns what anything throws into a result. */
  async #verb<T>(
    verb: string,
    shape: readonly z.ZodMiniType[],
    given: readonly unknown[],
    work: () => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const checked = checkShape(z.tuple(shape as [z.ZodMiniType], z.unknown()), given)
    if (!checked.success) return err(invalid(verb, checked.error))
    try {
      return await work()
    } catch (cause) {
      return err(unexpected(verb, cause))
    }
  }

  /** Epoch milliseconds for an event; 0 if the host's clock throws, because the event must still be emitted. */
  #eventTime(): number {
    try {
      return this.#home.clock()
    } catch {
      return 0
    }
  }

  #report(reason: CuratorRunReason, outcome: Result<CuratorRun>, cost: LearningCost | undefined): void {
    const at = this.#eventTime()
    const spent = cost ? { cost } : {}
    if (outcome.ok) this.#home.emit({ type: 'curator-finished', at, reason, outcome: outcome.value, ...spent })
    else this.#home.emit({ type: 'curator-failed', at, reason, error: outcome.error, ...spent })
  }

  /**
   * Runs the curator if it is due and the home is idle. Call it at start, at the end of a session, and now and then while idle; if no run
   * is due it costs a few small reads. At most one run of a home is due at a time. Calls `onEvent`.
   */
  async maybeRun(given: ScheduledRunOptions = {}): Promise<ScheduledRun> {
    let cost: LearningCost | undefined
    const ran = await this.#verb('maybeRun', [options], [given], () =>
      withAnySignal([this.#stopping, given.signal], async (signal) =>
        ok(await runIfDue(this.#home, { idleMs: given.idleMs, signal, onCost: (spent) => (cost = spent) })),
      ),
    )
    const outcome: ScheduledRun = ran.ok ? ran.value : { ran: false, reason: 'failed', error: ran.error }
    const { ran: _, reason, error, report, nextAt: _at, problems = [], reportPath, backupId, ...rest } = outcome
    if (reason === 'failed' && error) this.#report('scheduled', err(error), cost)
    else if (report) this.#report('scheduled', ok({ ...rest, report, reportPath, backupId, problems }), cost)
    else
      for (const problem of problems)
        this.#home.emit({ type: 'storage-failed', at: this.#eventTime(), operation: 'curator state', error: problem })
    return outcome
  }

  /**
   * Runs now, regardless of the schedule. Fails with `disabled`, `unreadable` for marks or counts that cannot be read, errors of the storage, and `invalid` for
   * `consolidate: true` without a model.
   */
  async run(given: RequestedRunOptions = {}): Promise<Result<CuratorRun>> {
    let cost: LearningCost | undefined
    const ran = await this.#verb('run', [options], [given], () =>
      withAnySignal([this.#stopping, given.signal], (signal) =>
        runCurator(this.#home, { ...given, signal, onCost: (spent) => (cost = spent) }),
      ),
    )
    const isEvent = given?.dryRun !== true && (ran.ok || !['disabled', 'invalid'].includes(ran.error.code))
    if (isEvent) this.#report('requested', ran, cost)
    return ran
  }

  status(): Promise<Result<CuratorStatus>> {
    return this.#verb('status', [], [], () => readCuratorStatus(this.#home, this.#home.options.curator))
  }

  #setPaused(verb: 'pause' | 'resume'): Promise<Result<CuratorStateChanged>> {
    return this.#verb(verb, [], [], () => {
      const journal = journalAt(this.#home, this.#home.clock())
      const next = verb === 'pause'
      const upkeep = next
        ? ({ action: 'pause', before: 'running', after: 'paused' } as const)
        : ({ action: 'resume', before: 'paused', after: 'running' } as const)
      const record = toUpkeepRecord(upkeep, `The curator was ${next ? 'paused' : 'resumed'}.`, this.#home.actor)
      return updateCuratorState(this.#home.storage, ({ paused }) => (paused === next ? undefined : { paused: next }), {
        paths: [journal.path],
        append: () => journal.append([record]),
      })
    })
  }

  /** Stops scheduled runs in every process until `resume`. */
  pause(): Promise<Result<CuratorStateChanged>> {
    return this.#setPaused('pause')
  }

  resume(): Promise<Result<CuratorStateChanged>> {
    return this.#setPaused('resume')
  }

  /** Takes a name or a folder. Automatic changes skip pinned skills. `rejected` for a bundled or hub skill. */
  pin(target: string): Promise<Result<PinnedSkill>> {
    return this.#verb('pin', [skill], [target], () => pinByHand(target, true, this.#home))
  }

  unpin(target: string): Promise<Result<PinnedSkill>> {
    return this.#verb('unpin', [skill], [target], () => pinByHand(target, false, this.#home))
  }

  /** `rejected` for a pinned or bundled skill, and without `uninstall` for one from a hub. Nothing is deleted. */
  archive(target: string, given?: ArchiveSkillOptions): Promise<Result<ArchiveOutcome>> {
    return this.#verb('archive', [skill, options], [target, given], () => archiveByHand(target, this.#home, given))
  }

  /** Takes a name (its newest entry) or an id. The skill's age starts anew, and it ages more slowly. */
  restore(nameOrId: string): Promise<Result<RestoreOutcome>> {
    return this.#verb('restore', [skill], [nameOrId], () => restoreByHand(nameOrId, this.#home))
  }

  /** Newest first. */
  listArchived(): ReturnType<SkillStore['listArchived']> {
    return this.#verb('listArchived', [], [], () => this.#home.skills.listArchived())
  }

  /** Lets the curator manage skills of a person. Bundled and hub skills are excluded. */
  manage(scope: GrantScope, terms?: GrantTerms): Promise<Result<OwnershipGrant>> {
    return this.#verb('manage', [scopeShape, options], [scope, terms], () => handOver(scope, terms, this.#home))
  }

  /** Revokes grants; returns those that remain. */
  unmanage(scope: GrantScope): Promise<Result<readonly OwnershipGrant[]>> {
    return this.#verb('unmanage', [scopeShape], [scope], () => takeBack(scope, this.#home))
  }

  grants(): ReturnType<typeof listGrants> {
    return this.#verb('grants', [], [], () => listGrants(this.#home.storage, this.#home.clock))
  }

  /** Takes a verified snapshot of all skills. `reason` is shown in the list; default `manual`. */
  backup(reason = 'manual'): Promise<Result<SkillBackup>> {
    return this.#verb('backup', [z.string()], [reason], () => {
      const { storage, clock, actor, options: given } = this.#home
      const at = clock()
      const journal = journalAt(this.#home, at)
      return takeBackup(storage, { reason, at, bounds: toBackupBounds(given.curator.backup) }, async () =>
        ok({
          paths: [journal.path],
          plan: (_, { id, archive, reason: said }) => {
            const upkeep = { action: 'backup', subject: id, after: archive } as const
            return { append: journal.append([toUpkeepRecord(upkeep, `A backup of all skills was taken (${said}).`, actor)]) }
          },
        }),
      )
    })
  }

  /** Newest first. */
  backups(): Promise<Result<BackupListing>> {
    return this.#verb('backups', [], [], () => listBackups(this.#home.storage))
  }

  /** `target`: a UTC day or an id; default the newest backup. The present state is backed up in the same update. */
  rollback(target?: string): Promise<Result<RollbackReport>> {
    return this.#verb('rollback', [z.optional(z.string())], [target], () => rollBack(this.#home, target))
  }

  /** Skills archived for at least this many days, default 90. Show them to a person before `prune`. */
  prunable(olderThanDays?: number): Promise<Result<readonly ArchivedSkill[]>> {
    return this.#verb('prunable', [z.optional(z.number())], [olderThanDays], async () => {
      const listed = await this.#home.skills.listArchived()
      return listed.ok ? ok(prunableEntries(listed.value.entries, { now: this.#home.clock(), olderThanDays })) : listed
    })
  }

  /**
   * Deletes archived skills permanently, in the update that puts a backup with them. Call it only with a person's consent; no other verb deletes
   * skills.
   */
  prune(entries: readonly ArchivedSkill[]): Promise<Result<PrunedArchive>> {
    return this.#verb('prune', [entriesShape], [entries], () => pruneByHand(entries, this.#home))
  }
}

/** The verbs of a curator, as `hermes.curator` has them. */
export type HermesCurator = { [Verb in keyof Curator]: Curator[Verb] }
