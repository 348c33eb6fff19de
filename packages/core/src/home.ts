/** One home: its storage, options and clock, its stores and records, and where its events go. Whatever works for a home is handed this object. */
import { everyGate, evidenceGate, scoreThresholdGate } from './gate/gates.ts'
import type { ReviewGate } from './gate/review-gate.ts'
import type { HomeIdentity, OwnerId } from './homes/owner.ts'
import { type HostActor, type HostRecorder, recordHostWrites } from './journal/host-recorder.ts'
import type { Journal } from './journal/journal.ts'
import type { Pending } from './journal/pending.ts'
import type { MemoryStore } from './memory/memory-store.ts'
import type { MemoryWriter } from './memory/memory-store-options.ts'
import type { NudgeIntervals } from './nudge/nudge-intervals.ts'
import type { ResolvedHermesOptions } from './resolve-options.ts'
import { type Activity, BackgroundTasks, backgroundError, createActivity } from './session/background-tasks.ts'
import { type HermesEvent, operatorWarning } from './session/hermes-event.ts'
import { type MemoryStores, memoryStores } from './session/memory-stores.ts'
import type { ReviewStores } from './session/session-home.ts'
import { withinLimit } from './session/within-limit.ts'
import { callSafely } from './shared/call-safely.ts'
import { type Clock, isTimeZone } from './shared/clock.ts'
import { HermesError } from './shared/hermes-error.ts'
import { lazyVerbs, withLazy } from './shared/lazy.ts'
import { ok, type Result } from './shared/result.ts'
import type { SkillReader } from './skills/skill-reader.ts'
import { SkillStore, type SkillStoreOptions } from './skills/skill-store.ts'
import { guardedBackend } from './storage/guarded-backend.ts'
import type { LastPlan } from './storage/in-transaction.ts'
import type { StorageBackend } from './storage/storage-backend.ts'
import { UsageStore } from './usage/usage-store.ts'

export class Home {
  readonly options: ResolvedHermesOptions
  readonly identity: HomeIdentity
  /** Never throws of itself. */
  readonly storage: StorageBackend
  readonly clock: Clock
  readonly createId: () => string
  readonly gate: ReviewGate
  readonly journal: Journal
  readonly pending: Pending
  /** Journals what a person or the host's code writes. The loop journals its own decisions. */
  readonly host: HostRecorder
  readonly memory: MemoryStores
  readonly skills: SkillStore
  /** What the agent can read: also has the shared skills. Writers and the curator use the home's own store. */
  readonly skillReader: SkillReader
  readonly usage: UsageStore
  readonly activity: Activity
  readonly intervals: NudgeIntervals
  /** The user's. Undefined: that of the system. */
  readonly timeZone: string | undefined
  /** Called with each event, behind the host's own listener. */
  readonly listeners: ((event: HermesEvent) => void)[] = []

  /** The options must be resolved. */
  constructor(options: ResolvedHermesOptions, storage: StorageBackend, identity: HomeIdentity) {
    const { clock, createId, memory, profile, skills, nudge, sessions, trust } = options
    this.options = options
    this.identity = identity
    this.storage = guardedBackend(storage)
    this.clock = clock
    this.createId = createId
    this.timeZone = this.#zoneOf(options.timeZone)
    this.gate = options.gate ?? everyGate(scoreThresholdGate(), evidenceGate({ trust }))
    this.journal = this.#journalOver(this.storage)
    this.pending = this.#pendingOver(this.storage)
    this.host = recordHostWrites(this.journal, this.failed)
    const stores = { storage: this.storage, maxBlockChars: sessions.maxBlockChars, profile, timeZone: this.timeZone, ...memory }
    this.memory = memoryStores({ options: stores, clock, emit: this.emit })
    this.skills = this.openSkills()
    this.skillReader = this.readerOf(this.skills)
    this.usage = this.openUsage()
    this.activity = createActivity({ storage: this.storage, clock })
    this.intervals = {
      memoryInterval: memory.memoryEnabled || memory.userProfileEnabled ? nudge.memoryInterval : 0,
      skillInterval: skills.enabled ? nudge.skillInterval : 0,
    }
  }

  /** A function of the host may answer anything: without a zone, the system's is taken. */
  #zoneOf(given: ResolvedHermesOptions['timeZone']): string | undefined {
    if (typeof given !== 'function') return given
    let named: unknown
    callSafely((owner) => {
      named = given(owner)
    }, this.owner)
    if (isTimeZone(named)) return named
    const message = "'timeZone' must return a time zone, such as 'Europe/Lisbon': days are those of the system's instead."
    this.emit({ type: 'host-failed', at: this.clock(), operation: 'timeZone', error: new HermesError('invalid', message) })
    return undefined
  }

  #journalOver(storage: StorageBackend): Journal {
    const load = async () => (await import('./journal/journal.ts')).createJournal({ ...this, storage })
    return lazyVerbs('The journal', load, 'append', 'list')
  }

  #pendingOver(storage: StorageBackend): Pending {
    const load = async () => (await import('./journal/pending.ts')).createPending({ ...this, storage })
    return lazyVerbs('The code of held proposals', load, 'hold', 'list', 'get', 'putBack', 'remove')
  }

  /** The stores of the home over another storage, such as a transaction. `actor`: whose writes they are. `emit`: gets the events of these. */
  storesOver(storage: StorageBackend, actor: MemoryWriter['actor'], emit: (event: HermesEvent) => void): ReviewStores {
    const { clock, options } = this
    const onProblem = (error: HermesError) => emit(this.#failure(error, 'skill usage'))
    const store = this.openSkills({ storage, onProblem })
    return {
      createMemoryStore: (onFailure, project) => this.memory.create({ actor }, onFailure, { storage, emit, project }),
      skills: options.skills.enabled
        ? { store, reader: this.readerOf(store), usage: this.openUsage(onProblem, storage), storage, clock }
        : undefined,
      journal: this.#journalOver(storage),
      pending: this.#pendingOver(storage),
    }
  }

  /** Does work over stores of its own and writes in one update what it wrote there; may do the work again. Events are sent once it is written. */
  inOneUpdate<T>(
    actor: MemoryWriter['actor'],
    work: (stores: ReviewStores, over: StorageBackend, emit: (event: HermesEvent) => void) => Promise<Result<T>>,
    last?: (done: T) => LastPlan<unknown>,
  ): Promise<Result<T>> {
    return withLazy(
      'The code of updates',
      () => import('./storage/in-transaction.ts'),
      async ({ inTransaction }) => {
        let events: HermesEvent[] = []
        const inTurn = (over: StorageBackend) => {
          events = []
          const emit = (event: HermesEvent) => events.push(event)
          return work(this.storesOver(over, actor, emit), over, emit)
        }
        const done = await inTransaction(this.storage, inTurn, last)
        if (done.ok) for (const event of events) this.emit(event)
        return done
      },
    )
  }

  /** Undefined for a storage with a single home. */
  get owner(): OwnerId | undefined {
    return this.identity.owner
  }

  /** Who writes on request of the host. */
  get actor(): HostActor {
    return this.options.actor
  }

  /** Never throws. */
  readonly emit = (event: HermesEvent): void => {
    const { onEvent = operatorWarning(this.options.storage) } = this.options
    callSafely(onEvent, this.owner === undefined ? event : { ...event, owner: this.owner })
    for (const listener of this.listeners) listener(event)
  }

  /** For work that a person or the host's code requested: it has no session to report to. */
  readonly failed = (error: HermesError, operation: string): void => this.emit(this.#failure(error, operation))

  #failure(error: HermesError, operation: string): HermesEvent {
    return { type: 'storage-failed', at: this.clock(), operation, error }
  }

  /** Reports what background work has thrown: a defect. */
  readonly crashed = (cause: unknown): void => this.failed(backgroundError(cause), 'background')

  /** Work behind the turn, which the host is told of. */
  backgroundTasks(): BackgroundTasks {
    const { background } = this.options
    return new BackgroundTasks({ background, onCrash: this.crashed, onBackgroundFailure: this.crashed })
  }

  /** Journals what the host's stores write. */
  readonly memoryLog = () =>
    withLazy(
      'The journal',
      () => import('./journal/memory-log.ts'),
      async ({ openMemoryLog }) => ok(openMemoryLog(this, this.actor)),
    )

  /** The same for skills. */
  readonly skillLog = () =>
    withLazy(
      'The journal',
      () => import('./journal/skill-log.ts'),
      async ({ openSkillLog }) => ok(openSkillLog(this, this.actor)),
    )

  /** For the host. */
  openMemory(own?: Parameters<MemoryStores['create']>[2]): MemoryStore {
    return this.memory.create({ actor: this.actor }, (error) => this.failed(error, 'memory'), { project: this.options.project, ...own })
  }

  openSkills(own: Partial<SkillStoreOptions> = {}): SkillStore {
    const { storage, clock } = this
    return new SkillStore({ storage, clock, onProblem: (error) => this.failed(error, 'skill usage'), ...own })
  }

  openUsage(onProblem = (error: HermesError) => this.failed(error, 'skill usage'), storage = this.storage): UsageStore {
    return new UsageStore({ storage, clock: this.clock, onProblem })
  }

  /** Reads these skills, then the shared ones. */
  readerOf(skills: SkillStore): SkillReader {
    const limitMs = Math.ceil(this.options.sessions.loadTimeoutMs / 4)
    return skills.withShared(this.options.skills.shared, (work) => withinLimit(work, limitMs))
  }
}
