/** The composition root of one home. Contains no logic of its own. */

import { createLearning, type Learning } from './create-learning.ts'
import { everyGate } from './gate/every-gate.ts'
import { evidenceGate } from './gate/evidence-gate.ts'
import { scoreThresholdGate } from './gate/score-threshold-gate.ts'
import type { Hermes } from './hermes.ts'
import type { HermesOptions } from './hermes-options.ts'
import { earlyWritesOf, type HomeStorage } from './homes/early-writes.ts'
import { type HomeIdentity, isSameHome } from './homes/home-identity.ts'
import { recordHostWrites } from './journal/host-writes.ts'
import { createJournal } from './journal/journal.ts'
import { createPending } from './journal/pending.ts'
import { lateCurator } from './late-curator.ts'
import type { MemoryWrite } from './memory/memory-write.ts'
import { type ResolvedHermesOptions, resolveOptions } from './resolve-options.ts'
import { createActivity } from './session/activity.ts'
import { createSession } from './session/create-session.ts'
import { pendingDecisions } from './session/decide-pending.ts'
import { type HermesEvent, type WiringFailure, wiringEvent } from './session/hermes-event.ts'
import { memoryStores } from './session/memory-stores.ts'
import { operatorWarning } from './session/operator-warning.ts'
import { sessionHandles } from './session/session-handles.ts'
import { sessionOfCall, type ToolCallReference } from './session/session-of-call.ts'
import { sharedTools } from './session/shared-tools.ts'
import { type TendedHome, tendHome } from './session/tidy-home.ts'
import { closeSteps, stepsOfHome } from './session/waiting-steps.ts'
import { withinLimit } from './session/within-limit.ts'
import { callSafely } from './shared/call-safely.ts'
import { systemClock } from './shared/clock.ts'
import { HermesError } from './shared/hermes-error.ts'
import { withLate } from './shared/load-late.ts'
import { SkillStore } from './skills/skill-store.ts'
import { guardedBackend } from './storage/guarded-backend.ts'
import { UsageStore } from './usage/usage-store.ts'

/** The closed learning loop over one storage, the home of one person (DESIGN 1). Every option except `storage` has a default. Throws a TypeError for an invalid option. */
export const createHermes = (options: HermesOptions): Hermes => {
  const resolved = resolveOptions(options)
  return openHermes(resolved, { storage: resolved.storage, identity: { storage: resolved.storage } }).hermes
}

/** The storage and identity of one home. */
export interface HomeParts {
  /** Closed together with the home. */
  readonly storage: HomeStorage
  readonly identity: HomeIdentity
}

export interface OpenedHermes {
  readonly hermes: Hermes
  /** True if nothing is unsaved and no work is running. */
  readonly idle: boolean
  /** Cancels running work. Afterwards no session stores or shows anything. */
  forgetAll(): Promise<void>
  /** Upkeep that does not depend on a turn. Never rejects; failures are events. */
  upkeep(signal: AbortSignal): Promise<TendedHome>
  /** Runs a review that a worker has claimed. */
  readonly workOn: Learning['workOn']
}

/** Opens one home. The options must be resolved. */
export const openHermes = (options: ResolvedHermesOptions, home: HomeParts): OpenedHermes => {
  const {
    memory,
    skills,
    nudge,
    review,
    curator: { model = review.model, ...upkeep },
    sessions: kept,
    journal: { retainDays: journalRetainDays },
    ...parts
  } = options
  const storage = guardedBackend(home.storage)
  const {
    clock = systemClock,
    createId = () => crypto.randomUUID(),
    background,
    onEvent: listener = operatorWarning(parts.storage),
  } = parts
  const { owner } = home.identity
  const onEvent = owner === undefined ? listener : (event: HermesEvent) => listener({ ...event, owner })

  const gate = parts.gate ?? everyGate(scoreThresholdGate(), evidenceGate({ trust: parts.trust }))
  const journal = createJournal({ storage, clock, createId })
  const pending = createPending({ storage, clock })
  const emit = (event: HermesEvent) => callSafely(onEvent, event)
  const stores = memoryStores({ options: { storage, ...memory }, clock, emit })
  const createUsageStore = (onProblem: (problem: HermesError) => void) => new UsageStore({ storage, clock, onProblem })
  const skillStore = new SkillStore({ storage, clock })
  // Includes shared skills and is used for reading only. Writers and the curator use the home's own store.
  const sharedLimitMs = Math.ceil(kept.loadTimeoutMs / 4)
  const skillReader = skillStore.withShared(skills.shared, (work) => withinLimit(work, sharedLimitMs))
  // For work that a person or the host's code requested: it has no session to report to.
  const failed = (error: HermesError, operation: string) => emit({ type: 'storage-failed', at: clock(), operation, error })
  const host = recordHostWrites(journal, parts.actor, failed)
  // Journals host writes. The loop uses other stores, because it journals its decisions itself.
  const hostSkillStore = new SkillStore({ storage, clock, onWrite: host.onSkillWrite })
  const usageStore = createUsageStore((error) => failed(error, 'skill usage'))
  const activity = createActivity({ storage, clock })

  const shared = { storage, clock, createId, gate, journal }
  const curating = lateCurator({
    ...shared,
    pending,
    actor: parts.actor,
    record: host.record,
    skills: skillStore,
    usage: usageStore,
    settings: { ...upkeep, ...(model ? { model } : {}) },
    loadMerging: async () => (await import('./merging/merging.ts')).merging,
    emit,
    lastStepAt: () => activity.lastStepAt,
  })
  const { curator } = curating

  const intervals = {
    memoryInterval: memory.memoryEnabled || memory.userProfileEnabled ? nudge.memoryInterval : 0,
    skillInterval: skills.enabled ? nudge.skillInterval : 0,
  }
  const keeping = { storage, clock, retainDays: kept.retainDays, journalRetainDays }
  const onMemoryWrite = (write: MemoryWrite) => stores.tell(write, { actor: parts.actor })
  const importing = { storage, clock, createId, actor: parts.actor, memory, onFailure: failed, onMemoryWrite }
  const loadExport = () => import('./portability/export-home.ts')
  const loadImport = () => import('./portability/import-archive.ts')

  const crashed = (cause: unknown) =>
    failed(HermesError.isInstance(cause) ? cause : new HermesError('io', `A review stopped: ${String(cause)}`, { cause }), 'background')
  const tell = { emit, failed, crashed, turnsSettled: () => sessions.settled() }
  const learning = createLearning({
    ...options,
    ...shared,
    ...tell,
    createMemoryStore: (over, onFailure) => stores.create({ actor: 'review' }, onFailure, { storage: over }),
    intervals,
    background,
    owner,
  })

  const sessions = sessionHandles((id, checkpoint) =>
    createSession({
      id,
      checkpoint,
      home: home.identity,
      openSession: (other) => sessions.get(other),
      provider: undefined,
      recallChars: 0,
      ...shared,
      early: earlyWritesOf(home.storage),
      pending,
      createMemoryStore: (onFailure) => stores.create({ actor: 'agent', sessionId: id }, onFailure),
      reviews: learning.runner,
      hasBudget: review.budget !== undefined,
      skills: skills.enabled ? { store: skillStore, reader: skillReader, createUsageStore, catalog: skills.catalog } : undefined,
      intervals,
      activity: upkeep.enabled ? activity : undefined,
      ...keeping,
      keepText: kept.keepText,
      loadTimeoutMs: kept.loadTimeoutMs,
      trustedTools: new Set(parts.trustedTools),
      background,
      onEvent,
    }),
  )

  const forgetting = learning.forgetting(sessions)

  const settled = async () => {
    await Promise.all([sessions.settled(), curating.settled(), learning.settled()])
  }

  const findSession = (call: ToolCallReference, runs: boolean) => {
    const found = sessionOfCall(call, (other) => isSameHome(other, home.identity), { runs })
    return found && sessions.get(found.sessionId)
  }
  const reportWiring = (failure: WiringFailure) => emit(wiringEvent(failure, clock))

  const hermes: Hermes = {
    session: (id = createId(), checkpoint) => sessions.get(id, checkpoint),
    memoryStore: () =>
      stores.create({ actor: parts.actor }, (error) => failed(error, 'memory'), { onWrite: host.onMemoryWrite, onPin: host.onMemoryPin }),
    skillStore: () => hostSkillStore,
    skillReader: () => skillReader,
    usageStore: () => usageStore,
    journal,
    pending: pendingDecisions({
      pending,
      journal,
      actor: parts.actor,
      createMemoryStore: () => stores.create({ actor: parts.actor }, () => {}),
      ...(skills.enabled ? { skills: { store: skillStore, reader: skillReader, usage: usageStore, storage, clock } } : {}),
      onFailure: failed,
    }),
    curator,
    export: () => withLate('The code of exports', loadExport, ({ exportHome }) => exportHome(storage)),
    import: (archive, options) =>
      withLate('The code of imports', loadImport, ({ importArchive }) => importArchive(importing, archive, options)),
    sessionOfCall: (call) => findSession(call, false),
    ...sharedTools({ pattern: () => sessions.get(createId()), sessionOfRun: (call) => findSession(call, true), reportWiring }),
    reportWiring,
    settled,
    review: learning.review,
    work: learning.work,
    forgetSession: (id) => learning.forgetSession(forgetting, id),
    forget: (target, options) => {
      const erasing = { storage, clock, journal, actor: parts.actor, sessions: forgetting, onFailure: failed }
      return withLate(
        'The code of erasure',
        () => import('./erasure/forget.ts'),
        ({ forget }) => forget(erasing, target, options),
      )
    },
    async close() {
      learning.stop()
      curating.stop()
      const done = await withinLimit(
        settled().then(() => true),
        CLOSE_LIMIT_MS,
      )
      if (done === undefined) failed(notDone(), 'close')
      await storage.close()
    },
  }
  return {
    hermes,
    get idle() {
      return sessions.idle && curating.idle && learning.idle
    },
    forgetAll() {
      curating.stop()
      // Also closes the steps of sessions whose handles were dropped.
      closeSteps(stepsOfHome(home.identity))
      learning.stop()
      return sessions.forgetAll()
    },
    workOn: learning.workOn,
    upkeep: (signal) =>
      tendHome({
        ...keeping,
        review: learning.tend,
        maybeRun: upkeep.enabled ? () => curator.maybeRun({ signal }) : undefined,
        onFailure: (operation, error) => failed(error, operation),
        signal,
      }),
  }
}

/** Cancelled work ends at once; this is the time for writes that are in progress. */
const CLOSE_LIMIT_MS = 900

const notDone = (): HermesError =>
  new HermesError('timeout', `Not everything was saved within ${CLOSE_LIMIT_MS} ms. Await settled() before close() to wait longer.`)
