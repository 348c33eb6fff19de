/** The model calls of this process that wait for tool results, of all homes: a tool call is recognised by its id, in whichever home the tool was made. */
import { type HomeIdentity, isSameHome } from '../homes/owner.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { processWide } from '../shared/process-wide.ts'
import { answersTool, argumentTexts, type ModelToolCall, sameTexts, userTexts, type WaitingStep } from './nested-run.ts'

export interface StepEntry extends WaitingStep {
  readonly home: HomeIdentity
  readonly sessionId: string
  readonly toolNames: string[]
  readonly argumentTexts: string[]
  complete: boolean
  replied: string
  /** Ids of the calls, each with its tool's name, since several providers restart their numbering in every answer. */
  readonly callKeys: Set<string>
  /** The keys in `callKeys` whose tool was run. */
  readonly ranKeys: Set<string>
  /** Epoch milliseconds. */
  readonly openedAt: number
  signal?: AbortSignal | undefined
}

/** Maximum number of steps kept, oldest dropped first. Abandoned steps without an abort signal stay until then. */
const MAX_STEPS = 5_000
const MAX_STEPS_OF_HOME = 50

/** Stands for model calls that belong to no session. */
const NOBODY: HomeIdentity = processWide('nobody', () => ({ storage: {} }))

const entries = (): StepEntry[] => processWide<StepEntry[]>('waiting-steps-5', () => [])

const keyOf = (id: string, name: string): string => `${id}\n${name}`

const removeWhere = (isGone: (entry: StepEntry) => boolean): void => {
  const all = entries()
  const kept = all.filter((entry) => !isGone(entry))
  if (kept.length < all.length) all.splice(0, all.length, ...kept)
}

/** Drops the steps of aborted turns. */
const live = (): readonly StepEntry[] => {
  removeWhere(({ signal }) => signal?.aborted === true)
  return entries()
}

export const stepsOfHome = (home: HomeIdentity): readonly StepEntry[] => live().filter((entry) => isSameHome(entry.home, home))

export const hasNoOwner = ({ home }: StepEntry): boolean => home.storage === NOBODY.storage

/** Includes the steps of calls that belong to no session. */
export const stepsWithCall = (id: string, name: string): readonly StepEntry[] =>
  live().filter(({ callKeys }) => callKeys.has(keyOf(id, name)))

/** Marks the call's tool as run in one of these steps. False if all of them ran it before. */
export const beginRun = (steps: readonly StepEntry[], id: string, name: string): boolean => {
  const key = keyOf(id, name)
  const waiting = steps.find(({ ranKeys }) => !ranKeys.has(key))
  waiting?.ranKeys.add(key)
  return waiting !== undefined
}

export const openStep = (home: HomeIdentity, sessionId: string, nested: boolean, prompt: ModelToolCall['prompt'], at = 0): StepEntry => {
  const entry: StepEntry = {
    home,
    sessionId,
    nested,
    said: userTexts(prompt),
    toolNames: [],
    argumentTexts: [],
    complete: false,
    replied: '',
    callKeys: new Set(),
    ranKeys: new Set(),
    openedAt: at,
  }
  const all = entries()
  all.push(entry)
  const ofHome = all.filter((each) => isSameHome(each.home, home))
  closeSteps(ofHome.slice(0, Math.max(0, ofHome.length - MAX_STEPS_OF_HOME)))
  closeSteps(all.slice(0, Math.max(0, all.length - MAX_STEPS)))
  return entry
}

export const addCall = (entry: StepEntry, { id, name, input, signal }: ModelToolCall): void => {
  entry.toolNames.push(name)
  entry.argumentTexts.push(...argumentTexts(input))
  entry.callKeys.add(keyOf(id, name))
  entry.signal ??= signal
}

/** Adds a tool call of a model call that belongs to no session; it makes calls with the same id and conversation ambiguous. */
export const addNobodysCall = (call: ModelToolCall): void => addCall(openStep(NOBODY, '', false, call.prompt), call)

/** Closes the oldest call without a session whose result this prompt shows. */
export const closeNobodysCall = (prompt: ModelToolCall['prompt']): void => {
  const said = userTexts(prompt)
  const closed = entries().find((entry) => hasNoOwner(entry) && answersTool(entry, prompt) && sameTexts(entry.said, said))
  if (closed) closeSteps([closed])
}

export const closeSteps = (closed: readonly StepEntry[]): void => {
  if (closed.length > 0) removeWhere((entry) => closed.includes(entry))
}

export interface ToolCallReference {
  /** The model's id of the call. Not unique: several providers restart their numbering in every answer. */
  readonly id: string
  /** The name under which the host offers the tool. */
  readonly name: string
  /** The conversation that the tool was called with. */
  readonly messages?: readonly TurnMessage[] | undefined
}

export interface SessionReference {
  readonly home: HomeIdentity
  readonly sessionId: string
}

const isShownIn = (messages: readonly TurnMessage[] | undefined, { said }: StepEntry): boolean =>
  messages === undefined || sameTexts(userTexts(messages), said)

/**
 * The session that made a call. Undefined if no reported call has this id, name and conversation, or if calls of two sessions have, or one of a model call
 * without a session. `belongs`: the homes to search. `runs`: the tool is about to run, which each call may do once, since a conversation sent by a client can
 * repeat another person's call.
 */
export const sessionOfCall = (
  { id, name, messages }: ToolCallReference,
  belongs: (home: HomeIdentity) => boolean,
  { runs }: { readonly runs: boolean },
): SessionReference | undefined => {
  const steps = stepsWithCall(id, name).filter((entry) => (belongs(entry.home) || hasNoOwner(entry)) && isShownIn(messages, entry))
  const [first, ...others] = steps
  if (first === undefined) return undefined
  const isUnambiguous = others.every(({ home, sessionId }) => sessionId === first.sessionId && isSameHome(home, first.home))
  if (!isUnambiguous || hasNoOwner(first)) return undefined
  return !runs || beginRun(steps, id, name) ? { home: first.home, sessionId: first.sessionId } : undefined
}
