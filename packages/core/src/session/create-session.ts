/** One session: the frozen text, the counts, the agent's tools, and what runs behind the turn. Implements the contract of `Session`. */
import type { MemoryStore } from '../memory/memory-store.ts'
import type { HostModel } from '../model/host-model.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { HermesError } from '../shared/hermes-error.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { backgroundTasks } from './background-tasks.ts'
import type { HermesEvent } from './hermes-event.ts'
import { pruneSessions } from './prune-sessions.ts'
import { type ReviewDeps, reviewScheduler } from './review-scheduler.ts'
import type { CompletedTurn, Session, StepEnd } from './session.ts'
import { openSessionStore, type SessionStore } from './session-store.ts'
import { createSubmissions } from './submissions.ts'
import { renderSystemBlock } from './system-block.ts'
import { withinLimit } from './within-limit.ts'

export interface SessionDeps extends Omit<ReviewDeps, 'sessionId' | 'emit'> {
  readonly id: string
  readonly storage: StorageBackend
  readonly memoryInterval: number
  readonly retainDays: number
  /** How long a turn waits for the storage. */
  readonly loadTimeoutMs: number
  readonly background: ((task: Promise<unknown>) => void) | undefined
  /** What it throws is ignored. */
  readonly onEvent: (event: HermesEvent) => void
}

/** A session that the composition root can drop from its cache. */
export interface OwnedSession extends Session {
  /** Nothing is unsaved and nothing is under way. */
  readonly idle: boolean
}

interface Save {
  readonly finishedTurns: readonly (readonly TurnMessage[])[]
  readonly model: HostModel | undefined
}

const NOTHING_FINISHED: Save = { finishedTurns: [], model: undefined }

const tooSlow = (limitMs: number): HermesError =>
  new HermesError('timeout', `The storage did not answer within ${limitMs} ms; this session runs without memory in this process.`)

export const createSession = (deps: SessionDeps): OwnedSession => {
  const { id, storage, clock, retainDays } = deps
  const emit = (event: HermesEvent) => {
    try {
      deps.onEvent(event)
    } catch {
      // A listener's fault is not the session's; there is nobody left to tell.
    }
  }
  const failed = (operation: string, error: HermesError) => emit({ type: 'storage-failed', sessionId: id, at: clock(), operation, error })
  const crashed = (cause: unknown) =>
    failed(
      'background',
      HermesError.isInstance(cause) ? cause : new HermesError('io', `Work behind the turn stopped: ${String(cause)}`, { cause }),
    )

  const tasks = backgroundTasks({ background: deps.background, onCrash: crashed })
  const reviews = reviewScheduler({ ...deps, sessionId: id, emit })
  const memory: MemoryStore = deps.createMemoryStore((error) => failed('load memory', error))

  let conversation: readonly TurnMessage[] = []
  let store: SessionStore | undefined
  let queued: Save | undefined
  // Storage that hangs must not hold up the turn. Once a prompt went out without the block, it stays out: the prefix must not move.
  let startedBlank = false

  const freeze = async (): Promise<string> => {
    const loaded = await memory.load()
    if (!loaded.ok) failed('load memory', loaded.error)
    return renderSystemBlock(memory)
  }

  const open = async (): Promise<SessionStore> => {
    const opened = await openSessionStore({ id, storage, clock, memoryInterval: deps.memoryInterval, freeze })
    if (opened.problem) failed('load session', opened.problem)
    store = opened.store
    emit({ type: 'session-started', sessionId: id, at: clock(), newSession: opened.newSession, chars: opened.store.block.length })
    if (opened.newSession) {
      tasks.run(async () => {
        const pruned = await pruneSessions(storage, retainDays, clock)
        if (!pruned.ok) failed('prune sessions', pruned.error)
      })
    }
    return opened.store
  }
  let opening: Promise<SessionStore> | undefined
  const ready = (): Promise<SessionStore> => {
    opening ??= open()
    return opening
  }

  // Counting is immediate once the record is there, so that a fast model cannot overtake it; before that it waits its turn.
  const whenReady = (count: (store: SessionStore) => void) => {
    if (store) count(store)
    else tasks.run(async () => count(await ready()))
  }

  const saveQueued = async () => {
    const opened = await ready()
    const save = queued
    queued = undefined
    if (!save) return
    const saved = await opened.save({ finishedTurns: save.finishedTurns, mayReview: !reviews.running })
    if (!saved.ok) failed('save session', saved.error)
    else if (saved.value) {
      const { value: due } = saved
      const { model } = save
      tasks.run(() => reviews.run(due, model))
    }
  }

  // One save at a time; steps that end while one is under way share the next.
  let saving: Promise<void> = Promise.resolve()
  const scheduleSave = (save: Save) => {
    const waiting = queued
    queued = waiting ? { finishedTurns: [...waiting.finishedTurns, ...save.finishedTurns], model: save.model ?? waiting.model } : save
    if (waiting) return
    tasks.run(() => {
      saving = saving.then(saveQueued)
      return saving
    })
  }

  const submissions = createSubmissions({
    sessionId: id,
    gate: deps.gate,
    journal: deps.journal,
    pending: deps.pending,
    trustedTools: deps.trustedTools,
    store: memory,
    conversation: () => conversation,
    onFailure: (error, operation) => failed(operation, error),
  })

  return {
    id,
    tools: submissions.tools,
    get idle() {
      return tasks.idle && store?.unsaved !== true
    },
    async systemBlock() {
      const opened = store ?? (await withinLimit(ready(), deps.loadTimeoutMs))
      if (!opened) {
        if (!startedBlank) failed('load session', tooSlow(deps.loadTimeoutMs))
        startedBlank = true
      }
      return startedBlank ? '' : (opened?.block ?? '')
    },
    async refresh() {
      const opened = await ready()
      startedBlank = false
      const block = await freeze()
      if (memory.loadProblems().length > 0) return opened.block
      opened.replaceBlock(block)
      scheduleSave(NOTHING_FINISHED)
      return block
    },
    beginStep(prompt) {
      conversation = prompt
      whenReady((opened) => {
        if (opened.beginTurn(prompt)) memory.newTurn()
      })
    },
    endStep({ prompt, turnFinished, calledTools, reply, model }: StepEnd) {
      const said = [...(prompt ?? conversation), ...reply]
      conversation = said
      whenReady((opened) => {
        opened.endStep(calledTools, turnFinished)
        scheduleSave({ finishedTurns: turnFinished ? [said] : [], model })
      })
    },
    recordTurn({ messages, toolIterations = 0, model }: CompletedTurn) {
      conversation = messages
      whenReady((opened) => {
        memory.newTurn()
        opened.countTurn()
        for (let step = 0; step < toolIterations; step++) opened.endStep(true, false)
        opened.endStep(false, true)
        scheduleSave({ finishedTurns: [messages], model })
      })
    },
    submit: (proposal, messages) => submissions.submit(proposal, messages),
    async settled() {
      await tasks.settled()
      if (store?.unsaved) {
        scheduleSave(NOTHING_FINISHED)
        await tasks.settled()
      }
    },
  }
}
