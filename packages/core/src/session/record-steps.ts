/** Handles the steps and turns that the host reports: counts them and tracks the current turn. */
import type { MemoryStore } from '../memory/memory-store.ts'
import type { HostModel } from '../model/host-model.ts'
import { readModelId } from '../model/learning-cost.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { HermesError } from '../shared/hermes-error.ts'
import type { OpenSession } from './open-session.ts'
import type { CompletedTurn, Session, StepEnd } from './session.ts'
import type { SessionNesting } from './session-nesting.ts'
import type { SessionRecall } from './session-recall.ts'
import type { HostTokens } from './session-saver.ts'
import type { SkillCounts } from './skill-counts.ts'
import type { ToolTrust } from './trusted-tools.ts'
import { areMessages, isObject } from './valid-messages.ts'

const isModel = (value: unknown): boolean => value === undefined || typeof value === 'function'

const invalid = (message: string): HermesError => new HermesError('invalid', `${message} Nothing was counted.`)

const MESSAGES = "a list of messages, each with a 'role' of user, assistant or tool and a 'text'"

/** What is wrong with a prompt; undefined if it is valid. */
const problemOfPrompt = (prompt: readonly TurnMessage[]): HermesError | undefined =>
  areMessages(prompt) ? undefined : invalid(`The prompt must be ${MESSAGES}.`)

const problemOfStep = (step: StepEnd): HermesError | undefined => {
  if (!isObject(step)) return invalid('endStep takes an object that says what the step ended with.')
  const { prompt, reply, turnFinished, calledTools, model } = step
  if (typeof turnFinished !== 'boolean' || typeof calledTools !== 'boolean')
    return invalid("'turnFinished' and 'calledTools' must be true or false.")
  if (!areMessages(reply)) return invalid(`'reply' must be ${MESSAGES}.`)
  if (prompt !== undefined && !areMessages(prompt)) return invalid(`'prompt' must be ${MESSAGES}.`)
  return isModel(model) ? undefined : invalid("'model' must be a function.")
}

/** Validates what untyped callers pass, so that nothing throws in the middle of their turn. */
const problemOfTurn = (turn: CompletedTurn): HermesError | undefined => {
  if (!isObject(turn)) return invalid('recordTurn takes an object that holds the messages of the turn.')
  const { messages, before = [], toolIterations = 0, model } = turn
  if (!areMessages(messages)) return invalid(`'messages' must be ${MESSAGES}.`)
  if (!areMessages(before)) return invalid(`'before' must be ${MESSAGES}.`)
  if (!Number.isSafeInteger(toolIterations) || toolIterations < 0) return invalid("'toolIterations' must be a whole number, 0 or more.")
  return isModel(model) ? undefined : invalid("'model' must be a function.")
}

export interface StepRecorderDeps {
  readonly nesting: Pick<SessionNesting, 'begin' | 'noteInterrupted' | 'end' | 'isNested' | 'isNestedStep'>
  readonly trust: Pick<ToolTrust, 'noteOffered'>
  readonly memory: Pick<MemoryStore, 'newTurn'>
  readonly counts: Pick<SkillCounts, 'turnBegan' | 'turnEnded'>
  readonly tokens: Pick<HostTokens, 'count'>
  readonly whenReady: OpenSession['whenReady']
  readonly save: (model: HostModel | undefined) => void
  readonly recall: Pick<SessionRecall, 'seen' | 'turnBegan'>
  /** Called once for each finished turn, with its messages alone. */
  readonly turnFinished: (messages: readonly TurnMessage[], automated: boolean) => void
  readonly noteActivity: () => void
  readonly misused: (method: string, error: HermesError) => void
}

export interface StepRecorder extends Pick<Session, 'beginStep' | 'noteInterrupted' | 'endStep' | 'recordTurn'> {
  /** The current turn as the host showed it; undefined between turns. */
  readonly openTurn: readonly TurnMessage[] | undefined
  /** Model of the current step, as the provider names it. */
  readonly modelId: string | undefined
  /** Used for a review when the session ends. */
  readonly newestModel: HostModel | undefined
}

export const recordSteps = (deps: StepRecorderDeps): StepRecorder => {
  const { nesting, trust, memory, counts, tokens, whenReady, noteActivity, misused, recall } = deps
  const { seen } = recall
  // Adapters pass the same array to each method for one model call.
  const automated = new WeakSet<readonly TurnMessage[]>()
  let openTurn: readonly TurnMessage[] | undefined
  let modelId: string | undefined
  let newestModel: HostModel | undefined
  const saveTurn = (model: HostModel | undefined) => {
    newestModel = model ?? newestModel
    deps.save(model)
  }

  return {
    get openTurn() {
      return openTurn
    },
    get modelId() {
      return modelId
    },
    get newestModel() {
      return newestModel
    },
    beginStep(prompt, about = {}) {
      const problem = problemOfPrompt(prompt)
      if (problem) return misused('beginStep', problem)
      noteActivity()
      if (nesting.begin(prompt, about.nested)) return
      const shown = seen(prompt)
      openTurn = shown
      modelId = readModelId(about.modelId)
      if (about.automated === true) automated.add(prompt)
      if (about.offered) trust.noteOffered(about.offered)
      whenReady((opened) => {
        if (!opened.beginTurn(shown)) return
        recall.turnBegan(prompt)
        memory.newTurn()
        counts.turnBegan()
      })
    },
    noteInterrupted(prompt, reply) {
      if (!areMessages(prompt) || !areMessages(reply))
        return misused('noteInterrupted', invalid(`'prompt' and 'reply' must be ${MESSAGES}.`))
      nesting.noteInterrupted(prompt, reply)
      if (nesting.isNestedStep(prompt)) return
      whenReady((opened) => {
        opened.noteInterrupted(reply)
        saveTurn(undefined)
      })
    },
    endStep(step) {
      const problem = problemOfStep(step)
      if (problem) return misused('endStep', problem)
      const { prompt, turnFinished, calledTools, reply, model } = step
      if (nesting.end(prompt ?? openTurn ?? [], turnFinished, reply)) return
      const said = [...(prompt ? seen(prompt) : (openTurn ?? [])), ...reply]
      const isAutomated = prompt !== undefined && automated.has(prompt)
      tokens.count(said, step.usage)
      openTurn = turnFinished ? undefined : said
      noteActivity()
      whenReady((opened) => {
        const turn = opened.endStep(said, { calledTools, turnFinished, reply })
        if (turn) deps.turnFinished(turn.messages, isAutomated)
        if (turnFinished) counts.turnEnded()
        saveTurn(model)
      })
    },
    recordTurn(turn) {
      const problem = problemOfTurn(turn)
      if (problem) return misused('recordTurn', problem)
      const { messages, before = [], toolIterations = 0, model } = turn
      if (nesting.isNested(messages)) return
      tokens.count(messages, turn.usage)
      openTurn = undefined
      noteActivity()
      whenReady((opened) => {
        memory.newTurn()
        recall.turnBegan(messages)
        opened.recordTurn(seen(messages), toolIterations, seen(before))
        deps.turnFinished(messages, turn.automated === true)
        counts.turnEnded()
        saveTurn(model)
      })
    },
  }
}
