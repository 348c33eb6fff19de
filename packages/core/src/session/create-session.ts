/** One session: the frozen text, the counts, the agent's tools, and what runs behind the turn. Implements the contract of `Session`. */
import type { MemoryStore } from '../memory/memory-store.ts'
import type { NudgeIntervals } from '../nudge/decide-nudges.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { HermesError } from '../shared/hermes-error.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { UsageEvent } from '../usage/usage-event.ts'
import { type Activity, writeActivity } from './activity.ts'
import { backgroundTasks } from './background-tasks.ts'
import { problemOfPrompt, problemOfStep, problemOfTurn } from './check-input.ts'
import { countSkillUse } from './count-skill-use.ts'
import { freezeBlock } from './freeze-block.ts'
import type { HermesEvent, WiringFailure } from './hermes-event.ts'
import { loadRecord } from './load-record.ts'
import { type ReviewDeps, reviewScheduler } from './review-scheduler.ts'
import type { CompletedTurn, Session, SessionCheckpoint, StepEnd } from './session.ts'
import { sessionNesting } from './session-nesting.ts'
import { sessionReports } from './session-reports.ts'
import { sessionSaver } from './session-saver.ts'
import type { SessionSkills } from './session-skills.ts'
import { createSessionStore, type SessionStore } from './session-store.ts'
import { createSubmissions } from './submissions.ts'
import { pruneOldSessions, tidyOldJournal } from './tidy-home.ts'
import { wiringEvent } from './wiring-event.ts'
import { withinLimit } from './within-limit.ts'

export interface SessionDeps extends Omit<ReviewDeps, 'sessionId' | 'emit' | 'ownTools' | 'skills' | 'stopping'> {
  readonly id: string
  /** What tells one home from another in this process: the host's storage object. */
  readonly home: object
  readonly storage: StorageBackend
  readonly intervals: NudgeIntervals
  /** Undefined where they are switched off. */
  readonly skills: SessionSkills | undefined
  /** Stands in for a session record that the storage does not have. */
  readonly checkpoint: SessionCheckpoint | undefined
  readonly retainDays: number
  readonly journalRetainDays: number | 'forever'
  readonly keepText: boolean
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
  /** Calls off the review under way, and lets none start any more. */
  stopReviews(): void
  /** From now on nothing of this session is kept or reviewed. Resolves when nothing is being written to its record. */
  forget(): Promise<void>
}

/** A review may take its whole time budget and write what came of it; after that its process is taken for dead. */
const REVIEW_GRACE_MS = 60_000

const tooSlow = (limitMs: number): HermesError =>
  new HermesError('timeout', `The storage did not answer within ${limitMs} ms, and the turn does not wait for it any longer.`)

export const createSession = (deps: SessionDeps): OwnedSession => {
  const { id, storage, clock } = deps
  const { emit, failed, misused, crashed, notTaken } = sessionReports(deps)
  const tasks = backgroundTasks({ background: deps.background, onCrash: crashed, onBackgroundFailure: notTaken })
  const reviewing = new AbortController()
  // Names under which this session's own tools were offered: what they answer is not text from outside.
  const ownTools = new Set<string>()
  const usage = deps.skills?.createUsageStore((error) => failed('skill usage', error))
  const skills = deps.skills && usage && { store: deps.skills.store, usage, storage, clock }
  const reviews = reviewScheduler({ ...deps, skills, sessionId: id, emit, ownTools, stopping: reviewing.signal })
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

  const home = { ...deps, onFailure: failed }
  const open = async (): Promise<SessionStore> => {
    const { intervals, keepText, checkpoint } = deps
    const settleLimitMs = Math.ceil(deps.loadTimeoutMs / 4)
    const loaded = await loadRecord({ id, checkpoint, storage, clock, intervals, settleLimitMs, freeze: async () => (await freeze()).text })
    const { problem, isOurs } = loaded
    if (problem) failed('load session', problem)
    // A record that is none was moved aside; any other problem may pass, and the prompt must not move when it does.
    startedBlank = problem !== undefined && problem.code !== 'unreadable'
    const reviewStaleAfterMs = deps.settings.timeoutMs + REVIEW_GRACE_MS
    const opened = createSessionStore({ id, storage, clock, intervals, keepText, reviewStaleAfterMs }, loaded)
    store = opened
    emit({ type: 'session-started', sessionId: id, at: clock(), newSession: isOurs, chars: opened.block.length })
    if (isOurs) {
      // At once, so that another process of this session finds the same text, also where it could not be written in time.
      if (opened.unsaved) save()
      tasks.run(() => pruneOldSessions(home))
    }
    tasks.run(() => tidyOldJournal(home))
    return opened
  }
  let opening: Promise<SessionStore> | undefined
  const ready = (): Promise<SessionStore> => {
    opening ??= open()
    return opening
  }
  const save = sessionSaver({
    ready,
    tasks,
    reviews,
    stopping: reviewing.signal,
    onFailure: failed,
    onDropped: (turns) => emit({ type: 'turns-dropped', sessionId: id, at: clock(), turns }),
  })

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

  const count = (name: string, events: readonly UsageEvent[]) => tasks.run(() => countSkillUse(usage, name, events, failed))

  const noteActivity = () => {
    const record = deps.activity?.note()
    if (record) tasks.run(() => writeActivity(record, failed))
  }

  const nesting = sessionNesting(deps.home, id)
  const reportWiring = (failure: WiringFailure) => emit(wiringEvent(failure, clock, id))

  const submissions = createSubmissions({
    sessionId: id,
    nesting,
    reportWiring,
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
      save()
      return fresh.text
    },
    beginStep(prompt, { nested = false } = {}) {
      const problem = problemOfPrompt(prompt)
      if (problem) return misused('beginStep', problem)
      noteActivity()
      if (nesting.begin(prompt, nested)) return
      openTurn = prompt
      whenReady((opened) => {
        if (opened.beginTurn(prompt)) memory.newTurn()
      })
    },
    noteToolCall: nesting.noteCall,
    endStep(step: StepEnd) {
      const problem = problemOfStep(step)
      if (problem) return misused('endStep', problem)
      const { prompt, turnFinished, calledTools, reply, model } = step
      if (nesting.end(prompt ?? openTurn ?? [], turnFinished)) return
      const said = [...(prompt ?? openTurn ?? []), ...reply]
      openTurn = turnFinished ? undefined : said
      noteActivity()
      whenReady((opened) => {
        opened.endStep(said, { calledTools, turnFinished })
        save(model)
      })
    },
    recordTurn(turn: CompletedTurn) {
      const problem = problemOfTurn(turn)
      if (problem) return misused('recordTurn', problem)
      const { messages, toolIterations = 0, model } = turn
      if (nesting.isNested(messages)) return
      openTurn = undefined
      noteActivity()
      whenReady((opened) => {
        memory.newTurn()
        opened.recordTurn(messages, toolIterations)
        save(model)
      })
    },
    submit: (proposal, messages) => submissions.submit(proposal, messages),
    reportWiring,
    async settled() {
      await tasks.settled()
      if (store?.unsaved) {
        save()
        await tasks.settled()
      }
    },
    stopReviews: () => reviewing.abort(),
    async forget() {
      reviewing.abort()
      await (await opening)?.forget()
    },
  }
}
