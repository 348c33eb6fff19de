/** One session: the frozen text, the counts, the agent's tools, and what runs behind the turn. Implements the contract of `Session`. */
import { tidyJournal } from '../journal/tidy-journal.ts'
import type { MemoryStore } from '../memory/memory-store.ts'
import type { NudgeIntervals } from '../nudge/decide-nudges.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { callSafely } from '../shared/call-safely.ts'
import { HermesError } from '../shared/hermes-error.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { UsageEvent } from '../usage/usage-event.ts'
import type { Activity } from './activity.ts'
import { backgroundTasks } from './background-tasks.ts'
import { freezeBlock } from './freeze-block.ts'
import type { HermesEvent } from './hermes-event.ts'
import { pruneSessions } from './prune-sessions.ts'
import { type ReviewDeps, reviewScheduler } from './review-scheduler.ts'
import type { CompletedTurn, Session, SessionCheckpoint, StepEnd } from './session.ts'
import { NOTHING_FINISHED, sessionSaver } from './session-saver.ts'
import type { SessionSkills } from './session-skills.ts'
import { openSessionStore, type SessionStore } from './session-store.ts'
import { createSubmissions } from './submissions.ts'
import { withinLimit } from './within-limit.ts'

export interface SessionDeps extends Omit<ReviewDeps, 'sessionId' | 'emit' | 'ownTools' | 'skills'> {
  readonly id: string
  readonly storage: StorageBackend
  readonly intervals: NudgeIntervals
  /** Undefined where they are switched off. */
  readonly skills: SessionSkills | undefined
  /** Stands in for a session record that the storage does not have. */
  readonly checkpoint: SessionCheckpoint | undefined
  readonly retainDays: number
  readonly journalRetainDays: number | 'forever'
  /** How long a turn waits for the storage. */
  readonly loadTimeoutMs: number
  /** Undefined where nobody asks when the agent was used. */
  readonly activity: Activity | undefined
  readonly background: ((task: Promise<unknown>) => void) | undefined
  /** What it throws is ignored. */
  readonly onEvent: (event: HermesEvent) => void
}

/** A session that the composition root can drop from its cache. */
export interface OwnedSession extends Session {
  /** Nothing is unsaved and nothing is under way. */
  readonly idle: boolean
}

/** A review may take its whole time budget and write what came of it; after that its process is taken for dead. */
const REVIEW_GRACE_MS = 60_000

const tooSlow = (limitMs: number): HermesError =>
  new HermesError('timeout', `The storage did not answer within ${limitMs} ms, and the turn does not wait for it any longer.`)

export const createSession = (deps: SessionDeps): OwnedSession => {
  const { id, storage, clock, retainDays } = deps
  // A listener's fault is not the session's, and there is nobody left to tell.
  const emit = (event: HermesEvent) => callSafely(deps.onEvent, event)
  const failed = (operation: string, error: HermesError) => emit({ type: 'storage-failed', sessionId: id, at: clock(), operation, error })
  const crashed = (cause: unknown) =>
    failed(
      'background',
      HermesError.isInstance(cause) ? cause : new HermesError('io', `Work behind the turn stopped: ${String(cause)}`, { cause }),
    )

  const tasks = backgroundTasks({ background: deps.background, onCrash: crashed })
  // Names under which this session's own tools were offered: what they answer is not text from outside.
  const ownTools = new Set<string>()
  const usage = deps.skills?.createUsageStore((error) => failed('skill usage', error))
  const skills = deps.skills && usage && { store: deps.skills.store, usage, storage, clock }
  const reviews = reviewScheduler({ ...deps, skills, sessionId: id, emit, ownTools })
  const memory: MemoryStore = deps.createMemoryStore((error) => failed('load memory', error))

  // The turn that is under way, as the host showed it; undefined between turns.
  let openTurn: readonly TurnMessage[] | undefined
  let store: SessionStore | undefined
  // Storage that fails or hangs must not hold up the turn. Once a prompt went out without the block, it stays out: the prefix must not move.
  let startedBlank = false

  const freeze = () =>
    freezeBlock({
      memory,
      skills: skills && deps.skills && { ...skills, catalog: deps.skills.catalog, toolName: submissions.nameOf },
      skillsLimitMs: Math.ceil(deps.loadTimeoutMs / 2),
      onFailure: failed,
    })

  const open = async (): Promise<SessionStore> => {
    const reviewStaleAfterMs = deps.settings.timeoutMs + REVIEW_GRACE_MS
    const opened = await openSessionStore({
      id,
      checkpoint: deps.checkpoint,
      storage,
      clock,
      intervals: deps.intervals,
      settleLimitMs: Math.ceil(deps.loadTimeoutMs / 4),
      reviewStaleAfterMs,
      freeze: async () => (await freeze()).text,
    })
    if (opened.problem) failed('load session', opened.problem)
    // A record that is none was moved aside; any other problem may pass, and the prompt must not move when it does.
    startedBlank = opened.problem !== undefined && opened.problem.code !== 'unreadable'
    store = opened.store
    emit({ type: 'session-started', sessionId: id, at: clock(), newSession: opened.newSession, chars: opened.store.block.length })
    if (opened.newSession) {
      // At once, so that another process of this session finds the same text, also where it could not be written in time.
      if (opened.store.unsaved) save(NOTHING_FINISHED)
      tasks.run(async () => {
        const pruned = await pruneSessions(storage, retainDays, clock)
        if (!pruned.ok) failed('prune sessions', pruned.error)
      })
    }
    tasks.run(async () => {
      const tidied = await tidyJournal({ storage, clock, retainDays: deps.journalRetainDays })
      for (const problem of tidied.ok ? (tidied.value?.problems ?? []) : [tidied.error]) failed('tidy journal', problem)
    })
    return opened.store
  }
  let opening: Promise<SessionStore> | undefined
  const ready = (): Promise<SessionStore> => {
    opening ??= open()
    return opening
  }
  const save = sessionSaver({ ready, tasks, reviews, onFailure: failed })

  /** What the storage answers in time; otherwise an event and undefined. */
  const inTime = async <T>(operation: string, work: Promise<T>): Promise<T | undefined> => {
    const answer = await withinLimit(work, deps.loadTimeoutMs)
    if (answer === undefined) failed(operation, tooSlow(deps.loadTimeoutMs))
    return answer
  }

  /** The same for a tool's work, which goes on where nobody waits for it: a write may still land. */
  const toolInTime = async <T>(operation: string, work: Promise<T>): Promise<T | undefined> => {
    const answer = await inTime(operation, work)
    if (answer === undefined) tasks.run(() => work.then(() => {}))
    return answer
  }

  // Counting is immediate once the record is there, so that a fast model cannot overtake it; before that it waits its turn.
  const whenReady = (count: (store: SessionStore) => void) => {
    if (store) count(store)
    else tasks.run(async () => count(await ready()))
  }

  const count = (name: string, events: readonly UsageEvent[]) =>
    tasks.run(async () => {
      for (const event of events) {
        const counted = await usage?.record(name, event)
        if (counted?.ok === false) failed('count skill use', counted.error)
      }
    })

  const noteActivity = () => {
    const record = deps.activity?.note()
    if (!record) return
    tasks.run(async () => {
      const recorded = await record()
      if (!recorded.ok) failed('record activity', recorded.error)
    })
  }

  const submissions = createSubmissions({
    sessionId: id,
    gate: deps.gate,
    journal: deps.journal,
    pending: deps.pending,
    trustedTools: deps.trustedTools,
    ownTools,
    store: memory,
    inTime: toolInTime,
    skills: skills && { ...skills, count, noteLoaded: (name) => whenReady((opened) => opened.noteLoadedSkill(name)) },
    openTurn: () => openTurn,
    onFailure: (error, operation) => failed(operation, error),
  })

  return {
    id,
    get tools() {
      return submissions.expose('')
    },
    toolsWithPrefix: submissions.expose,
    get idle() {
      return tasks.idle && store?.unsaved !== true
    },
    async systemBlock() {
      if (startedBlank) return ''
      const opened = store ?? (await inTime('load session', ready()))
      startedBlank ||= opened === undefined
      return startedBlank ? '' : (opened?.block ?? '')
    },
    async refresh() {
      const opened = store ?? (await inTime('refresh session', ready()))
      const fresh = opened && (await inTime('refresh session', freeze()))
      if (!opened || !fresh?.complete) return startedBlank ? '' : (opened?.block ?? '')
      startedBlank = false
      opened.replaceBlock(fresh.text)
      save(NOTHING_FINISHED)
      return fresh.text
    },
    beginStep(prompt) {
      openTurn = prompt
      noteActivity()
      whenReady((opened) => {
        if (opened.beginTurn(prompt)) memory.newTurn()
      })
    },
    endStep({ prompt, turnFinished, calledTools, reply, model }: StepEnd) {
      const said = [...(prompt ?? openTurn ?? []), ...reply]
      openTurn = turnFinished ? undefined : said
      noteActivity()
      whenReady((opened) => {
        opened.endStep(calledTools, turnFinished)
        save({ finishedTurns: turnFinished ? [said] : [], model })
      })
    },
    recordTurn({ messages, toolIterations = 0, model }: CompletedTurn) {
      openTurn = undefined
      noteActivity()
      whenReady((opened) => {
        memory.newTurn()
        opened.countTurn()
        for (let step = 0; step < toolIterations; step++) opened.endStep(true, false)
        opened.endStep(false, true)
        save({ finishedTurns: [messages], model })
      })
    },
    submit: (proposal, messages) => submissions.submit(proposal, messages),
    async settled() {
      await tasks.settled()
      if (store?.unsaved) {
        save(NOTHING_FINISHED)
        await tasks.settled()
      }
    },
  }
}
