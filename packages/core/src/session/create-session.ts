/** One session: the frozen text, the counts, the agent's tools, and what runs behind the turn. Implements the contract of `Session`. */
import type { MemoryStore } from '../memory/memory-store.ts'
import type { HostModel } from '../model/host-model.ts'
import { readModelId } from '../model/learning-cost.ts'
import { markTrustedResults } from '../proposal/stamp-transcript.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { writeActivity } from './activity.ts'
import { backgroundTasks, resultOf } from './background-tasks.ts'
import { problemOfPrompt, problemOfStep, problemOfTurn } from './check-input.ts'
import { freezeBlock } from './freeze-block.ts'
import { type WiringFailure, wiringEvent } from './hermes-event.ts'
import { loadRecord } from './load-record.ts'
import type { CompletedTurn, StepEnd } from './session.ts'
import type { SessionDeps } from './session-deps.ts'
import type { OwnedSession } from './session-handles.ts'
import { sessionNesting } from './session-nesting.ts'
import { sessionReports } from './session-reports.ts'
import { hostTokens, sessionSaver } from './session-saver.ts'
import { createSessionStore, type SessionStore } from './session-store.ts'
import { skillCounts } from './skill-effects.ts'
import { createSubmissions } from './submissions.ts'
import { pruneOldSessions, tidyOldJournal } from './tidy-home.ts'
import { storagePatience } from './within-limit.ts'

export const createSession = (deps: SessionDeps): OwnedSession => {
  const { id, storage, clock } = deps
  const { emit, failed, misused, crashed, notTaken } = sessionReports(deps)
  const reporting = { background: deps.background, onCrash: crashed, onBackgroundFailure: notTaken }
  const tasks = backgroundTasks(reporting)
  // Each waits for the tasks, so it is none of them.
  const endings = backgroundTasks(reporting)
  // Names under which this session's own tools were offered: what they answer is not text from outside.
  const ownTools = new Set<string>()
  const usage = deps.skills?.createUsageStore((error) => failed('skill usage', error))
  const skills = deps.skills && usage && { store: deps.skills.store, reader: deps.skills.reader, usage, storage, clock }
  const memory: MemoryStore = deps.createMemoryStore((error) => failed('load memory', error))

  // The turn that is under way, as the host showed it; undefined between turns.
  let openTurn: readonly TurnMessage[] | undefined
  let store: SessionStore | undefined
  let modelId: string | undefined
  // Storage that fails or hangs must not hold up the turn. Once a prompt went out without the block, it stays out: the prefix must not move.
  let startedBlank = false

  const freeze = () =>
    freezeBlock({
      memory,
      skills: skills && deps.skills && { ...skills, catalog: deps.skills.catalog, toolName: submissions.nameOf },
      skillsLimitMs: Math.ceil(deps.loadTimeoutMs / 2),
      onFailure: failed,
    })

  const withTrust = (messages: readonly TurnMessage[]) => markTrustedResults(messages, new Set([...deps.trustedTools, ...ownTools]))
  const home = { ...deps, onFailure: failed }
  const open = async (): Promise<SessionStore> => {
    const { intervals, keepText, checkpoint } = deps
    const settleLimitMs = Math.ceil(deps.loadTimeoutMs / 4)
    const loaded = await loadRecord({ id, checkpoint, storage, clock, intervals, settleLimitMs, freeze: async () => (await freeze()).text })
    const { problem, isOurs } = loaded
    if (problem) failed('load session', problem)
    // A record that is none was moved aside; any other problem may pass, and the prompt must not move when it does.
    startedBlank = problem !== undefined && problem.code !== 'unreadable'
    const opened = createSessionStore({ id, storage, clock, intervals, keepText, withTrust }, loaded)
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
  const tokens = hostTokens(deps.hasBudget)
  const save = sessionSaver({
    ready,
    tasks,
    tokens,
    sessionId: id,
    reviews: deps.reviews,
    onFailure: failed,
    onDropped: (turns) => emit({ type: 'turns-dropped', sessionId: id, at: clock(), turns }),
  })

  // For a review when the session ends.
  let newestModel: HostModel | undefined
  const saveTurn = (model: HostModel | undefined) => {
    newestModel = model ?? newestModel
    save(model)
  }

  const { inTime, toolInTime } = storagePatience({ limitMs: deps.loadTimeoutMs, tasks, failed })

  // Counting is immediate once the record is there, so that a fast model cannot overtake it; before that it waits its turn.
  const whenReady = (count: (store: SessionStore) => void) => {
    if (store) count(store)
    else tasks.run(async () => count(await ready()))
  }

  const counts = skillCounts({ usage, tasks, failed, whenReady })

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
    skills: skills && { ...skills, ...counts, noteLoaded: (name) => whenReady((opened) => opened.noteLoadedSkill(name)) },
    modelId: () => modelId,
    openTurn: () => openTurn,
    isTainted: async () => (await ready()).tainted,
    onFailure: (error, operation) => failed(operation, error),
  })

  const turnsSettled = async () => {
    await tasks.settled()
    if (store?.unsaved) {
      save()
      await tasks.settled()
    }
  }

  return {
    id,
    offerTools: submissions.offer,
    get idle() {
      return tasks.idle && endings.idle && store?.unsaved !== true
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
    beginStep(prompt, about = {}) {
      const problem = problemOfPrompt(prompt)
      if (problem) return misused('beginStep', problem)
      noteActivity()
      if (nesting.begin(prompt, about.nested ?? false)) return
      openTurn = prompt
      modelId = readModelId(about.modelId)
      whenReady((opened) => {
        if (!opened.beginTurn(prompt)) return
        memory.newTurn()
        counts.turnBegan()
      })
    },
    noteToolCall: nesting.noteCall,
    endStep(step: StepEnd) {
      const problem = problemOfStep(step)
      if (problem) return misused('endStep', problem)
      const { prompt, turnFinished, calledTools, reply, model } = step
      if (nesting.end(prompt ?? openTurn ?? [], turnFinished)) return
      const said = [...(prompt ?? openTurn ?? []), ...reply]
      tokens.count(said, step.usage)
      openTurn = turnFinished ? undefined : said
      noteActivity()
      whenReady((opened) => {
        opened.endStep(said, { calledTools, turnFinished })
        if (turnFinished) counts.turnEnded()
        saveTurn(model)
      })
    },
    recordTurn(turn: CompletedTurn) {
      const problem = problemOfTurn(turn)
      if (problem) return misused('recordTurn', problem)
      const { messages, toolIterations = 0, model } = turn
      if (nesting.isNested(messages)) return
      tokens.count(messages, turn.usage)
      openTurn = undefined
      noteActivity()
      whenReady((opened) => {
        memory.newTurn()
        opened.recordTurn(messages, toolIterations)
        counts.turnEnded()
        saveTurn(model)
      })
    },
    submit: (proposal, messages) => submissions.submit(proposal, messages),
    reportWiring,
    async settled() {
      await turnsSettled()
      await endings.settled()
    },
    end: ({ minTurns, signal } = {}) =>
      resultOf(endings, async () => {
        await turnsSettled()
        const { counts: saved, shown } = store?.lastSaved ?? {}
        return deps.reviews.review({ why: 'end', saved, shown, minTurns }, { sessionId: id, model: newestModel, signal })
      }),
    async forget() {
      nesting.forget()
      startedBlank = true
      // One that could not be opened keeps nothing.
      await (await opening?.catch(() => undefined))?.forget()
    },
    async redact(redaction) {
      ;(await opening)?.redact(redaction)
    },
  }
}
