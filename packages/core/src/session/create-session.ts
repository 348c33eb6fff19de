/** One session: the frozen text, the counters, the agent's tools, and the work behind the turn. Implements the contract of `Session`. */
import type { MemoryStore } from '../memory/memory-store.ts'
import { callSafely } from '../shared/call-safely.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import { writeActivity } from './activity.ts'
import { backgroundError, backgroundTasks, resultOf } from './background-tasks.ts'
import { createSessionStore } from './create-session-store.ts'
import { type HermesEvent, wiringEvent } from './hermes-event.ts'
import { loadRecord } from './load-record.ts'
import { freezeBlock, openSession } from './open-session.ts'
import { recordSteps } from './record-steps.ts'
import type { Session } from './session.ts'
import type { SessionDeps } from './session-deps.ts'
import type { OwnedSession } from './session-handles.ts'
import { sessionNesting } from './session-nesting.ts'
import { sessionProvider } from './session-provider.ts'
import { sessionRecall } from './session-recall.ts'
import { hostTokens, sessionSaver } from './session-saver.ts'
import { skillCounts } from './skill-counts.ts'
import { createSubmissions } from './submissions.ts'
import { pruneOldJournal, pruneOldSessions } from './tidy-home.ts'
import { toolTrust } from './trusted-tools.ts'
import { storagePatience } from './within-limit.ts'

/** Reports the session's failures to the host's listener. */
const sessionReports = ({ id, clock, onEvent }: Pick<SessionDeps, 'id' | 'clock' | 'onEvent'>) => {
  // A listener that throws must not break the session, and there is nowhere else to report it.
  const emit = (event: HermesEvent) => callSafely(onEvent, event)
  const failed = (operation: string, error: HermesError) => emit({ type: 'storage-failed', sessionId: id, at: clock(), operation, error })
  const misused = (operation: string, error: HermesError) => emit({ type: 'host-failed', sessionId: id, at: clock(), operation, error })
  return {
    emit,
    /** Hermes could not read or write. */
    failed,
    /** A method was called with invalid arguments. */
    misused,
    /** Work behind the turn threw: a defect. */
    crashed: (cause: unknown) => failed('background', backgroundError(cause)),
    /** The host's `background` threw or rejected. */
    notTaken: (cause: unknown) => {
      const message = `The function passed as 'background' failed: ${String(cause)}. The work goes on, but a platform that stops after the response may not let it finish.`
      misused('background', new HermesError('invalid', message, { cause }))
    },
  }
}

export const createSession = (deps: SessionDeps): OwnedSession => {
  const { id, isNew, storage, clock, intervals, keepText, checkpoint, loadTimeoutMs } = deps
  const { emit, failed, misused, crashed, notTaken } = sessionReports(deps)
  const reporting = { background: deps.background, onCrash: crashed, onBackgroundFailure: notTaken }
  const tasks = backgroundTasks(reporting)
  // These wait for all tasks, so they cannot be tasks themselves.
  const endings = backgroundTasks(reporting)
  const { inTime, toolInTime } = storagePatience({ limitMs: loadTimeoutMs, tasks, failed })
  const nesting = sessionNesting(deps.home, id, clock)
  const reportWiring: Session['reportWiring'] = (failure) => emit(wiringEvent(failure, clock, id))

  const trust = toolTrust(deps.trustedTools)
  const usage = deps.skills?.createUsageStore((error) => failed('skill usage', error))
  const skills = deps.skills && usage && { store: deps.skills.store, reader: deps.skills.reader, usage, storage, clock }
  const memory: MemoryStore = deps.createMemoryStore((error) => failed('load memory', error))

  const freeze = () =>
    freezeBlock({
      memory,
      skills: skills && deps.skills && { ...skills, catalog: deps.skills.catalog, toolName: submissions.nameOf },
      skillsLimitMs: Math.ceil(loadTimeoutMs / 2),
      providerBlock: deps.provider?.systemPromptBlock ?? '',
      onFailure: failed,
    })
  const record = { id, isNew, checkpoint, clock, intervals, settleLimitMs: Math.ceil(loadTimeoutMs / 4) }
  const storing = {
    id,
    storage,
    clock,
    intervals,
    keepText,
    isTrusted: trust.isTrusted,
  }
  const home = { ...deps, onFailure: failed }
  const opened = openSession({
    load: () => loadRecord({ ...record, storage, freeze: async () => (await freeze()).text }),
    create: (loaded) => createSessionStore(storing, loaded),
    freeze,
    onOpened(store, { isOurs }) {
      emit({ type: 'session-started', sessionId: id, at: clock(), newSession: isOurs, chars: store.block.length })
      // Saved at once, so that another process of this session finds the same text.
      if (isOurs && store.unsaved) save()
      if (isOurs) tasks.run(() => pruneOldSessions(home))
      // The caller who waits for the text goes first.
      tasks.run(() => pause().then(() => pruneOldJournal(home)))
    },
    onRefreshed: () => save(),
    inTime,
    tasks,
    failed,
  })
  const { ready, whenReady } = opened

  const tokens = hostTokens(deps.hasBudget)
  const onDropped = (turns: number) => emit({ type: 'turns-dropped', sessionId: id, at: clock(), turns })
  const save = sessionSaver({ ready, tasks, tokens, sessionId: id, reviews: deps.reviews, onFailure: failed, onDropped })
  const counts = skillCounts({ usage, tasks, failed, whenReady })
  const noteActivity = () => {
    const record = deps.activity?.note()
    if (record) tasks.run(() => writeActivity(record, failed))
  }
  const { provider, recallChars, openSession: open } = deps
  const recall = sessionRecall({
    sessionId: id,
    provider,
    recallChars,
    nesting,
    store: () => opened.store,
    whenOpen: opened.whenOpen,
    inTime: (work) =>
      inTime(
        'load session',
        work.then(() => true),
      ),
    crashed,
    onFull: (chars) => emit({ type: 'recall-full', sessionId: id, at: clock(), chars }),
  })
  /** From now on, text from outside is in sight. */
  const taint = () => {
    whenReady((store) => store.taint())
    save()
  }
  let inherited: Promise<void> | undefined
  const isTainted = async () => {
    await inherited
    return (await ready()).isTainted()
  }
  const goesOn = (tainted: Promise<boolean>) => {
    // If it is not known, text from outside may have been in sight.
    const marked = tainted
      .catch(() => true)
      .then(async (isInSight) => {
        if (!isInSight) return
        await ready()
        taint()
      })
    inherited = marked
    tasks.run(() => marked)
  }
  const telling = sessionProvider({ sessionId: id, provider, tasks, openSession: open, isTainted })
  const { turnFinished } = telling
  const steps = recordSteps({ nesting, trust, memory, counts, tokens, whenReady, save, recall, turnFinished, noteActivity, misused })

  const submissions = createSubmissions({
    sessionId: id,
    nesting,
    reportWiring,
    gate: deps.gate,
    journal: deps.journal,
    pending: deps.pending,
    prove: async (messages, opens) => (await ready()).prove(messages, opens),
    noteResult: (result, did) => whenReady((store) => store.noteResult(result, did)),
    taint,
    store: memory,
    inTime: toolInTime,
    skills: skills && { ...skills, ...counts, noteLoaded: (name) => whenReady((store) => store.noteLoadedSkill(name)) },
    modelId: () => steps.modelId,
    openTurn: () => steps.openTurn,
    isTainted,
    provider: deps.provider,
    onFailure: (error, operation) => failed(operation, error),
  })

  const turnsSettled = async () => {
    await tasks.settled()
    if (!opened.store?.unsaved) return
    save()
    await tasks.settled()
  }

  return {
    id,
    offerTools: submissions.offer,
    get idle() {
      return tasks.idle && endings.idle && opened.store?.unsaved !== true
    },
    systemBlock: opened.systemBlock,
    refresh: opened.refresh,
    recall: recall.recall,
    beforeCompress: telling.beforeCompress,
    switchTo: telling.switchTo,
    goesOn,
    beginStep: steps.beginStep,
    noteToolCall: nesting.noteCall,
    noteInterrupted: steps.noteInterrupted,
    endStep: steps.endStep,
    recordTurn: steps.recordTurn,
    submit: submissions.submit,
    reportWiring,
    async settled() {
      await turnsSettled()
      await endings.settled()
    },
    end: ({ minTurns, signal } = {}) =>
      resultOf(endings, async () => {
        await turnsSettled()
        await telling.ended()
        const { counts: saved, shown } = opened.store?.lastSaved ?? {}
        return deps.reviews.review({ why: 'end', saved, shown, minTurns }, { sessionId: id, model: steps.newestModel, signal })
      }),
    forget() {
      nesting.forget()
      telling.forget()
      return opened.forget()
    },
    redact: opened.redact,
  }
}
