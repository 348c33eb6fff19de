/** The composition root: reads top to bottom, and holds no logic of its own. */

import { everyGate } from './gate/every-gate.ts'
import { evidenceGate } from './gate/evidence-gate.ts'
import { scoreThresholdGate } from './gate/score-threshold-gate.ts'
import { createHermesCurator, type HermesCurator } from './hermes-curator.ts'
import { guardedCurator } from './hermes-curator-guard.ts'
import { type HermesOptions, resolveOptions } from './hermes-options.ts'
import { createJournal, type Journal } from './journal/journal.ts'
import { createPending } from './journal/pending.ts'
import { recordHostWrites } from './journal/record-host-writes.ts'
import { MemoryStore } from './memory/memory-store.ts'
import { createActivity } from './session/activity.ts'
import { createSession } from './session/create-session.ts'
import { type PendingDecisions, pendingDecisions } from './session/decide-pending.ts'
import { removeSession } from './session/forget-session.ts'
import type { HermesEvent, WiringFailure } from './session/hermes-event.ts'
import { operatorWarning } from './session/operator-warning.ts'
import type { Session, SessionCheckpoint } from './session/session.ts'
import { sessionHandles } from './session/session-handles.ts'
import { wiringEvent } from './session/wiring-event.ts'
import { withinLimit } from './session/within-limit.ts'
import { callSafely } from './shared/call-safely.ts'
import { systemClock } from './shared/clock.ts'
import { HermesError } from './shared/hermes-error.ts'
import type { Result } from './shared/result.ts'
import { SkillStore } from './skills/skill-store.ts'
import { guardedBackend } from './storage/guarded-backend.ts'
import { UsageStore } from './usage/usage-store.ts'

export interface Hermes {
  /**
   * A cheap handle; it loads or resumes on first use. The same id is the same session, in whichever process. Without an id: a new session.
   * Throws a TypeError for an id that is empty, over 512 characters or holds half a character.
   * `checkpoint`: for adapters whose framework keeps state of its own; it counts only where the storage has no record of the session.
   */
  session(id?: string, checkpoint?: SessionCheckpoint): Session
  /**
   * A store over the same files with the same limits, for a host that shows or edits memory itself. Call `load()` first. What is written through it is in the
   * journal; where that fails the write stands, and the failure is an event.
   */
  memoryStore(): MemoryStore
  /** The skills of this home, for a host that shows or edits them itself; always the same store, journalled like `memoryStore()`. Not affected by `skills.enabled`. */
  skillStore(): SkillStore
  /** What is counted for each skill, and its state; always the same store. */
  usageStore(): UsageStore
  /** Every proposal of the loop and what became of it, and every write of a person or the host's code through this object, kept for `journal.retainDays`. */
  readonly journal: Pick<Journal, 'list'>
  /** Held proposals: a person or the host's code approves or rejects them. Never hand this to the agent. */
  readonly pending: PendingDecisions
  /** The upkeep of the skills of this home: `await hermes.curator.maybeRun()` at start and when nobody works. Not affected by `skills.enabled`. */
  readonly curator: HermesCurator
  /**
   * Removes what is kept of a session: its record with the text that no review has read, and copies of it that could not be read. What was learned from it stays. It does not come back with
   * a save that is under way, in whichever process. Handles of it keep nothing any more; `session(id)` begins anew. Throws a TypeError as `session` does.
   */
  forgetSession(id: string): Promise<Result<void>>
  /** A call that belongs to no session was wired up wrongly: an event. For adapters. Never throws. */
  reportWiring(failure: WiringFailure): void
  /** Resolves when everything behind the turns of all sessions is done, and every run of the curator that was begun here. Never rejects. */
  settled(): Promise<void>
  /**
   * Calls off the reviews and runs of the curator that are under way, saves what there is to save, and closes the storage. Takes at most a second on a storage that
   * answers. What a review had not read yet the next one reads.
   */
  close(): Promise<void>
}

/** The closed learning loop over one storage (DESIGN 1). Every option but `storage` has a default. Throws a TypeError for a wrong option. */
export const createHermes = (options: HermesOptions): Hermes => {
  const {
    memory,
    skills,
    nudge,
    review,
    curator: { model = review.model, ...upkeep },
    sessions: kept,
    journal: { retainDays: journalRetainDays },
    ...parts
  } = resolveOptions(options)
  const storage = guardedBackend(parts.storage)
  const { clock = systemClock, createId = () => crypto.randomUUID(), background, onEvent = operatorWarning(parts.storage) } = parts

  const gate = parts.gate ?? everyGate(scoreThresholdGate(), evidenceGate({ trust: parts.trust }))
  const journal = createJournal({ storage, clock, createId })
  const pending = createPending({ storage, clock })
  const createMemoryStore = (onFailure: MemoryStoreFailure) => new MemoryStore({ storage, clock, onFailure, ...memory })
  const createUsageStore = (onProblem: (problem: HermesError) => void) => new UsageStore({ storage, clock, onProblem })
  const skillStore = new SkillStore({ storage, clock })
  const emit = (event: HermesEvent) => callSafely(onEvent, event)
  // What no session hears of, because a person or the host's code asked for it.
  const failed = (error: HermesError, operation: string) => emit({ type: 'storage-failed', at: clock(), operation, error })
  const host = recordHostWrites(journal, parts.actor, failed)
  // The loop writes through stores of its own, since it journals what it decides.
  const hostSkillStore = new SkillStore({ storage, clock, onWrite: host.onSkillWrite })
  const usageStore = createUsageStore((error) => failed(error, 'skill usage'))
  const activity = createActivity({ storage, clock })

  const curating = createHermesCurator({
    storage,
    clock,
    createId,
    gate,
    journal,
    pending,
    actor: parts.actor,
    record: host.record,
    skills: skillStore,
    usage: usageStore,
    settings: { ...upkeep, ...(model ? { model } : {}) },
    emit,
    lastStepAt: () => activity.lastStepAt,
  })
  const curator = guardedCurator(curating.curator)

  const sessions = sessionHandles((id, checkpoint) =>
    createSession({
      id,
      checkpoint,
      home: parts.storage,
      storage,
      clock,
      gate,
      journal,
      pending,
      createMemoryStore,
      settings: review,
      skills: skills.enabled ? { store: skillStore, createUsageStore, catalog: skills.catalog } : undefined,
      intervals: {
        memoryInterval: memory.memoryEnabled || memory.userProfileEnabled ? nudge.memoryInterval : 0,
        skillInterval: skills.enabled ? nudge.skillInterval : 0,
      },
      activity: upkeep.enabled ? activity : undefined,
      retainDays: kept.retainDays,
      journalRetainDays,
      keepText: kept.keepText,
      loadTimeoutMs: kept.loadTimeoutMs,
      trustedTools: new Set(parts.trustedTools),
      background,
      onEvent,
    }),
  )

  const settled = async () => {
    await Promise.all([sessions.settled(), curating.settled()])
  }

  return {
    session: (id = createId(), checkpoint) => sessions.get(id, checkpoint),
    memoryStore: () =>
      new MemoryStore({ storage, clock, onFailure: (error) => failed(error, 'memory'), onWrite: host.onMemoryWrite, ...memory }),
    skillStore: () => hostSkillStore,
    usageStore: () => usageStore,
    journal,
    pending: pendingDecisions({
      pending,
      journal,
      actor: parts.actor,
      createMemoryStore: () => createMemoryStore(() => {}),
      ...(skills.enabled ? { skills: { store: skillStore, usage: usageStore, storage, clock } } : {}),
      onFailure: failed,
    }),
    curator,
    reportWiring: (failure) => emit(wiringEvent(failure, clock)),
    settled,
    async forgetSession(id) {
      await sessions.forget(id)
      return removeSession(storage, id)
    },
    async close() {
      sessions.stopReviews()
      curating.stop()
      const done = await withinLimit(
        settled().then(() => true),
        CLOSE_LIMIT_MS,
      )
      if (done === undefined) failed(notDone(), 'close')
      await storage.close()
    },
  }
}

/** What is called off ends at once; this is for what is being written. */
const CLOSE_LIMIT_MS = 900

const notDone = (): HermesError =>
  new HermesError(
    'timeout',
    `Not everything could be saved within ${CLOSE_LIMIT_MS} ms, and the storage was closed. Await settled() before close() to wait longer.`,
  )

type MemoryStoreFailure = NonNullable<ConstructorParameters<typeof MemoryStore>[0]['onFailure']>
