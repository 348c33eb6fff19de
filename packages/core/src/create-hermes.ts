/** The composition root of one home. Contains no logic of its own. */

import { createLearning } from './create-learning.ts'
import { forgetInHome } from './forget-in-home.ts'
import { everyGate } from './gate/every-gate.ts'
import { evidenceGate } from './gate/evidence-gate.ts'
import { scoreThresholdGate } from './gate/score-threshold-gate.ts'
import type { Hermes } from './hermes.ts'
import type { HermesOptions } from './hermes-options.ts'
import { connectProvider } from './home-provider.ts'
import { isSameHome } from './homes/home-identity.ts'
import { recordHostWrites } from './journal/host-writes.ts'
import { lateCurator } from './late-curator.ts'
import { latePortability } from './late-portability.ts'
import { lateDecisions, lateJournal, latePending, lateSessionReader } from './late-records.ts'
import type { MemoryWrite } from './memory/memory-write.ts'
import type { HomeParts, OpenedHermes } from './opened-hermes.ts'
import { guardedQueue } from './queue/guarded-queue.ts'
import { type ResolvedHermesOptions, resolveOptions } from './resolve-options.ts'
import { tend } from './run-upkeep.ts'
import { createActivity } from './session/activity.ts'
import { backgroundError } from './session/background-tasks.ts'
import { type HermesEvent, operatorWarning, type WiringFailure, wiringEvent } from './session/hermes-event.ts'
import { HomeCounts } from './session/home-counts.ts'
import { HomeSession } from './session/home-session.ts'
import { memoryStores } from './session/memory-stores.ts'
import type { SessionHome } from './session/session-home.ts'
import { Sessions } from './session/sessions.ts'
import { sharedTools } from './session/shared-tools.ts'
import { closeSteps, sessionOfCall, stepsOfHome, type ToolCallReference } from './session/waiting-steps.ts'
import { endsWithin, withinLimit } from './session/within-limit.ts'
import { callSafely } from './shared/call-safely.ts'
import { systemClock } from './shared/clock.ts'
import { HermesError } from './shared/hermes-error.ts'
import { loadOnce, withLate } from './shared/load-late.ts'
import { ok } from './shared/result.ts'
import { SkillStore } from './skills/skill-store.ts'
import { guardedBackend } from './storage/guarded-backend.ts'
import { UsageStore } from './usage/usage-store.ts'

/** The closed learning loop over one storage, the home of one person (DESIGN 1). Every option except `storage` has a default. Throws a TypeError for an invalid option. */
export const createHermes = (options: HermesOptions): Hermes => {
  const resolved = resolveOptions(options)
  return openHermes(resolved, { storage: resolved.storage, identity: { storage: resolved.storage } }).hermes
}

/** Opens one home. The options must be resolved. */
export const openHermes = (options: ResolvedHermesOptions, home: HomeParts): OpenedHermes => {
  const {
    memory: { provider, providerTimeoutMs, recallChars, ...memory },
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
  const appendNames = { lastAt: Number.NEGATIVE_INFINITY }
  const journal = lateJournal({ storage, clock, createId, names: appendNames })
  const pending = latePending({ storage, clock })
  const emit = (event: HermesEvent) => {
    callSafely(onEvent, event)
    if (event.type === 'memory-changed') external.memoryChanged(event)
  }
  const stores = memoryStores({ options: { storage, maxBlockChars: kept.maxBlockChars, ...memory }, clock, emit })
  const createUsageStore = (onProblem: (problem: HermesError) => void) => new UsageStore({ storage, clock, onProblem })
  const skillStore = new SkillStore({ storage, clock })
  // Includes shared skills and is used for reading only. Writers and the curator use the home's own store.
  const withShared = (store: SkillStore) => store.withShared(skills.shared, (work) => withinLimit(work, Math.ceil(kept.loadTimeoutMs / 4)))
  const skillReader = withShared(skillStore)
  // For work that a person or the host's code requested: it has no session to report to.
  const failed = (error: HermesError, operation: string) => emit({ type: 'storage-failed', at: clock(), operation, error })
  const host = recordHostWrites(journal, parts.actor, failed)
  // Journals host writes. The loop uses other stores, because it journals its decisions itself.
  const hostSkillStore = new SkillStore({ storage, clock, onWrite: host.onSkillWrite })
  const usageStore = createUsageStore((error) => failed(error, 'skill usage'))
  const activity = createActivity({ storage, clock })
  const library = skills.enabled ? { store: skillStore, reader: skillReader, createUsageStore, catalog: skills.catalog } : undefined

  const shared = { storage, clock, createId, gate, journal, appendNames }
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

  const intervals = {
    memoryInterval: memory.memoryEnabled || memory.userProfileEnabled ? nudge.memoryInterval : 0,
    skillInterval: skills.enabled ? nudge.skillInterval : 0,
  }
  const onMemoryWrite = (write: MemoryWrite) => stores.tell(write, { actor: parts.actor })
  const quietStore = () => stores.create({ actor: parts.actor }, () => {})
  const crashed = (cause: unknown) => failed(backgroundError(cause), 'background')
  const told = { emit, failed, crashed, background, owner }
  const external = connectProvider({
    ...shared,
    ...told,
    options: { provider, providerTimeoutMs, recallChars },
    memory: () => stores.create({ actor: parts.actor }, (error) => failed(error, 'memory')),
    skills: skillStore,
    keepText: kept.keepText,
  })
  const queue = review.queue && guardedQueue(review.queue)
  const openReviews = loadOnce(async () => new (await import('./session/reviews.ts')).Reviews(sessionHome, queue))
  const loadReviews = () => withLate('The code of reviews', openReviews, async (reviews) => ok(reviews))
  const sessionOptions = {
    intervals,
    minTurns: nudge.minTurns,
    limits: { budget: review.budget, maxTokensPerDay: review.maxTokensPerDay },
    review,
    ...kept,
    journalRetainDays,
    recallChars,
    trustedTools: parts.trustedTools,
    background,
  }
  const counts = new HomeCounts({ storage, clock, options: sessionOptions, emit }, queue !== undefined)
  const sessionHome: SessionHome = {
    ...shared,
    identity: home.identity,
    options: sessionOptions,
    pending,
    skills: library,
    provider: external.connection,
    counts,
    reviews: loadReviews,
    activity: upkeep.enabled ? activity : undefined,
    emit,
    session: (id) => sessions.get(id),
    memoryOf: (sessionId, onFailure) => stores.create({ actor: 'agent', sessionId }, onFailure),
    reviewStores(over) {
      const store = new SkillStore({ storage: over, clock })
      const usage = new UsageStore({ storage: over, clock, onProblem: (error) => failed(error, 'skill usage') })
      return {
        createMemoryStore: (onFailure) => stores.create({ actor: 'review' }, onFailure, { storage: over }),
        skills: skills.enabled ? { store, reader: withShared(store), usage, storage: over, clock } : undefined,
        journal: lateJournal({ storage: over, clock, createId, names: appendNames }),
        pending: latePending({ storage: over, clock }),
      }
    },
  }
  const sessions = new Sessions((id, checkpoint, isNew) => new HomeSession(sessionHome, id, checkpoint, isNew))
  const learning = createLearning({ home: sessionHome, counts, loadReviews, sessions, queue, failed, crashed })

  const homeSettled = async () => {
    await Promise.all([sessions.settled(), curating.settled(), learning.settled()])
  }
  const settled = async () => {
    await homeSettled()
    await external.settled()
  }

  const findSession = (call: ToolCallReference, runs: boolean) => {
    const found = sessionOfCall(call, (other) => isSameHome(other, home.identity), { runs })
    return found && sessions.get(found.sessionId)
  }
  const reportWiring = (failure: WiringFailure) => emit(wiringEvent(failure, clock))

  const hermes: Hermes = {
    session: (id, checkpoint) => (id === undefined ? sessions.get(createId(), checkpoint, true) : sessions.get(id, checkpoint)),
    memoryStore: () =>
      stores.create({ actor: parts.actor }, (error) => failed(error, 'memory'), { onWrite: host.onMemoryWrite, onPin: host.onMemoryPin }),
    skillStore: () => hostSkillStore,
    skillReader: () => skillReader,
    usageStore: () => usageStore,
    journal,
    sessions: lateSessionReader(sessionHome),
    pending: lateDecisions({
      ...shared,
      pending,
      actor: parts.actor,
      createMemoryStore: quietStore,
      ...(skills.enabled ? { skills: { store: skillStore, reader: skillReader, usage: usageStore, storage, clock } } : {}),
      onFailure: failed,
    }),
    curator: curating.curator,
    ...latePortability({ storage, gate, clock, createId, actor: parts.actor, memory, onFailure: failed, onMemoryWrite }),
    sessionOfCall: (call) => findSession(call, false),
    ...sharedTools({ pattern: () => sessions.get(createId()), sessionOfRun: (call) => findSession(call, true), reportWiring }),
    reportWiring,
    settled,
    review: learning.review,
    work: learning.work,
    ...forgetInHome({
      ...shared,
      actor: parts.actor,
      sessions: learning.forgetting,
      provider: external.connection,
      onFailure: failed,
    }),
    async close() {
      learning.stop()
      curating.stop()
      const ended = homeSettled().then(() => external.close(CLOSE_LIMIT_MS / 2))
      if (!(await endsWithin(ended, CLOSE_LIMIT_MS))) failed(new HermesError('timeout', NOT_DONE), 'close')
      await storage.close()
    },
  }
  return {
    hermes,
    get idle() {
      return sessions.idle && curating.idle && learning.idle && external.idle
    },
    release: external.release,
    async forgetAll() {
      curating.stop()
      // Also closes the steps of sessions whose handles were dropped.
      closeSteps(stepsOfHome(home.identity))
      learning.stop()
      await sessions.forgetAll()
      await external.close(0)
    },
    workOn: learning.workOn,
    upkeep: (signal) =>
      tend({
        ...sessionOptions,
        storage,
        clock,
        review: learning.tend,
        deliver: external.deliver,
        maybeRun: upkeep.enabled ? () => curating.curator.maybeRun({ signal }) : undefined,
        onFailure: (operation, error) => failed(error, operation),
        signal,
      }),
  }
}

/** Cancelled work ends at once; this is the time for writes that are in progress. */
const CLOSE_LIMIT_MS = 900
const NOT_DONE = `Not everything was saved within ${CLOSE_LIMIT_MS} ms. Await settled() before close() to wait longer.`
