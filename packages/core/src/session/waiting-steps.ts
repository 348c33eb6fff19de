/** The model calls of this process that wait for their tools, of all homes: a tool call is recognised by its id, wherever the tool comes from. */
import { processWide } from '../shared/process-wide.ts'
import { argumentTexts, type ModelToolCall } from './model-tool-call.ts'
import { userTexts, type WaitingStep } from './nested-run.ts'

export interface StepEntry extends WaitingStep {
  /** The host's storage object: equal where two sessions write to the same home. */
  readonly home: object
  readonly sessionId: string
  readonly toolNames: string[]
  readonly argumentTexts: string[]
  complete: boolean
  /** Ids of the calls, each with its tool's name: several providers count anew in every answer. */
  readonly callKeys: Set<string>
  /** The newest words of prompts taken for nested because they show nothing of this conversation. */
  readonly strangers: Set<string>
  signal?: AbortSignal | undefined
}

/** Maximum number of steps kept, oldest dropped first. Abandoned steps without an abort signal stay until then. */
const MAX_STEPS = 500
const MAX_STEPS_OF_HOME = 50

const entries = (): StepEntry[] => processWide<StepEntry[]>('waiting-steps-1', () => [])

const keyOf = (id: string, name: string): string => `${id}\n${name}`

const removeWhere = (isGone: (entry: StepEntry) => boolean): void => {
  const all = entries()
  const kept = all.filter((entry) => !isGone(entry))
  if (kept.length < all.length) all.splice(0, all.length, ...kept)
}

/** Without those of turns that were aborted. */
const live = (): readonly StepEntry[] => {
  removeWhere(({ signal }) => signal?.aborted === true)
  return entries()
}

export const stepsOfHome = (home: object): readonly StepEntry[] => live().filter((entry) => entry.home === home)

export const stepsWithCall = (id: string, name: string): readonly StepEntry[] =>
  live().filter(({ callKeys }) => callKeys.has(keyOf(id, name)))

export const openStep = (home: object, sessionId: string, nested: boolean, prompt: ModelToolCall['prompt']): StepEntry => {
  const entry: StepEntry = {
    home,
    sessionId,
    nested,
    said: userTexts(prompt),
    toolNames: [],
    argumentTexts: [],
    complete: false,
    callKeys: new Set(),
    strangers: new Set(),
  }
  const all = entries()
  all.push(entry)
  const ofHome = all.filter((each) => each.home === home)
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

export const closeSteps = (closed: readonly StepEntry[]): void => {
  if (closed.length > 0) removeWhere((entry) => closed.includes(entry))
}
