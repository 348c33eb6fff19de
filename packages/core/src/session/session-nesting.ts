/**
 * Classifies the model calls of a session as user turns or runs inside a tool, and finds the owner of a tool call (DESIGN 5, 6). The calls of this process that wait
 * for tool results are known for all homes together: a tool call is recognised by its id, in whichever home the tool was made.
 */
import { type HomeIdentity, isSameHome } from '../homes/owner.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { Clock } from '../shared/clock.ts'
import { processWide } from '../shared/process-wide.ts'
import { withoutSpace } from '../shared/without-space.ts'
import {
  answersTool,
  argumentTexts,
  isAskedBy,
  type ModelToolCall,
  relateToStep,
  resultsIn,
  sameTexts,
  userTexts,
  type WaitingStep,
} from './nested-run.ts'

interface StepEntry extends WaitingStep {
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

const closeSteps = (closed: readonly StepEntry[]): void => {
  if (closed.length === 0) return
  const all = entries()
  all.splice(0, all.length, ...all.filter((entry) => !closed.includes(entry)))
}

/** Drops the steps of aborted turns. */
const live = (): readonly StepEntry[] => {
  closeSteps(entries().filter(({ signal }) => signal?.aborted === true))
  return entries()
}

const stepsOfHome = (home: HomeIdentity): readonly StepEntry[] => live().filter((entry) => isSameHome(entry.home, home))

const hasNoOwner = ({ home }: StepEntry): boolean => home.storage === NOBODY.storage

/** Includes the steps of calls that belong to no session. */
const stepsWithCall = (id: string, name: string): readonly StepEntry[] => live().filter(({ callKeys }) => callKeys.has(keyOf(id, name)))

const openStep = (home: HomeIdentity, sessionId: string, nested: boolean, prompt: readonly TurnMessage[], at = 0): StepEntry => {
  const entry: StepEntry = {
    home,
    sessionId,
    nested,
    said: userTexts(prompt),
    results: resultsIn(prompt),
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

const addCall = (entry: StepEntry, { id, name, input, signal }: ModelToolCall): void => {
  entry.toolNames.push(name)
  entry.argumentTexts.push(...argumentTexts(input))
  entry.callKeys.add(keyOf(id, name))
  entry.signal ??= signal
}

/** Adds a tool call of a model call that belongs to no session; it makes calls with the same id and conversation ambiguous. */
export const addNobodysCall = (call: ModelToolCall): void => addCall(openStep(NOBODY, '', false, call.prompt), call)

/** Closes the oldest call without a session whose result this prompt shows. */
export const closeNobodysCall = (prompt: readonly TurnMessage[]): void => {
  const said = userTexts(prompt)
  const closed = entries().find((entry) => hasNoOwner(entry) && answersTool(entry, prompt) && sameTexts(entry.said, said))
  if (closed) closeSteps([closed])
}

/** Closes the waiting steps of all sessions of a home. */
export const closeStepsOfHome = (home: HomeIdentity): void => closeSteps(stepsOfHome(home))

export interface ToolCallReference {
  /** The model's id of the call. Not unique: several providers restart their numbering in every answer. */
  readonly id: string
  /** The name under which the host offers the tool. */
  readonly name: string
  /** The conversation that the tool was called with. */
  readonly messages?: readonly TurnMessage[] | undefined
}

/**
 * The session that made a call. Undefined if no reported call has this id, name and conversation, or if calls of two sessions have, or one of a model call
 * without a session. `belongs`: the homes to search. `runs`: the tool is about to run, which each call may do once, since a conversation sent by a client can
 * repeat another person's call.
 */
export const sessionOfCall = (
  { id, name, messages }: ToolCallReference,
  belongs: (home: HomeIdentity) => boolean,
  { runs }: { readonly runs: boolean },
): Pick<StepEntry, 'home' | 'sessionId'> | undefined => {
  const shown = messages && userTexts(messages)
  const isMeant = (entry: StepEntry) => (belongs(entry.home) || hasNoOwner(entry)) && (shown === undefined || sameTexts(shown, entry.said))
  const steps = stepsWithCall(id, name).filter(isMeant)
  const [first, ...others] = steps
  if (first === undefined) return undefined
  const isUnambiguous = others.every(({ home, sessionId }) => sessionId === first.sessionId && isSameHome(home, first.home))
  if (!isUnambiguous || hasNoOwner(first)) return undefined
  const key = keyOf(id, name)
  const waiting = steps.find(({ ranKeys }) => !ranKeys.has(key))
  if (runs) waiting?.ranKeys.add(key)
  return runs && !waiting ? undefined : { home: first.home, sessionId: first.sessionId }
}

/** `own`: made in a user's turn of this home. `unknown`: no reported model call made it. */
export type CallOwner = 'own' | 'nested' | 'other-home' | 'unknown'

/** A call that gets no result for so long is given up, so that it does not silence the session. In milliseconds. */
const MAX_OPEN_MS = 900_000

export class SessionNesting {
  readonly #home: HomeIdentity
  readonly #sessionId: string
  readonly #clock: Clock
  // Adapters pass the same array to each method for one model call.
  readonly #begun = new WeakMap<readonly TurnMessage[], { readonly nested: boolean; entry?: StepEntry }>()
  #forgotten = false

  constructor(home: HomeIdentity, sessionId: string, clock: Clock) {
    this.#home = home
    this.#sessionId = sessionId
    this.#clock = clock
  }

  /** True if `begin` would say so. */
  wouldNest(prompt: readonly TurnMessage[], known?: boolean): boolean {
    return known ?? this.#relate(prompt).nested
  }

  /**
   * Called before a model call. True if the call belongs to a nested run, which is neither counted nor recorded. `known`: what the framework knows of it; false
   * also says that no tool is running. `wasAsked`: the model asked a tool this, in a step that may be unknown here.
   */
  begin(prompt: readonly TurnMessage[], known?: boolean, wasAsked?: boolean): boolean {
    const { continued, nested: found } = this.#relate(prompt, wasAsked)
    const nested = known ?? found
    // A retry starts its step again; a tool result closes the step.
    const others = () => (known === false ? this.#ownSteps() : this.#abandoned(prompt))
    closeSteps(nested ? continued.filter((entry) => entry.nested) : [...continued, ...others()])
    this.#begun.set(prompt, { nested })
    return nested
  }

  noteCall(call: ModelToolCall): void {
    if (this.#forgotten) return
    const step = this.#begun.get(call.prompt) ?? { nested: this.#relate(call.prompt).nested }
    step.entry ??= openStep(this.#home, this.#sessionId, step.nested, call.prompt, this.#clock())
    addCall(step.entry, call)
    this.#begun.set(call.prompt, step)
  }

  /** What the model said in a call that was not completed. */
  noteInterrupted(prompt: readonly TurnMessage[], reply: readonly TurnMessage[]): void {
    const entry = this.#begun.get(prompt)?.entry
    if (entry) entry.replied = withoutSpace(reply.map(({ text }) => text).join(''))
  }

  /** Called after a model call or a whole turn. True if it is part of a nested run. */
  end(prompt: readonly TurnMessage[], turnFinished: boolean, reply: readonly TurnMessage[] = []): boolean {
    const step = this.#begun.get(prompt)
    this.noteInterrupted(prompt, reply)
    if (step?.entry) step.entry.complete = true
    const nested = step?.nested ?? this.#relate(prompt).nested
    if (turnFinished) {
      const newest = userTexts(prompt).at(-1)
      closeSteps(this.#ownSteps().filter((entry) => entry.nested === nested && entry.said.at(-1) === newest))
    }
    return nested
  }

  /** True if `begin` has said so of this prompt. */
  isNestedStep(prompt: readonly TurnMessage[]): boolean {
    return this.#begun.get(prompt)?.nested === true
  }

  /** True if this conversation, shown by a host or given to a tool, is a nested run. False if its newest words are those of a waiting turn. */
  isNested(messages: readonly TurnMessage[]): boolean {
    const newest = userTexts(messages).at(-1)
    return !this.#ownSteps().some(({ said }) => said.at(-1) === newest) && this.#relate(messages).nested
  }

  ownerOfCall(id: string, name: string): CallOwner {
    const steps = stepsWithCall(id, name).filter((entry) => !hasNoOwner(entry))
    if (steps.length === 0) return 'unknown'
    const ours = steps.filter((entry) => isSameHome(entry.home, this.#home))
    if (ours.length === 0) return 'other-home'
    return ours.every((entry) => entry.nested) ? 'nested' : 'own'
  }

  /** Forgets all tool calls of this session. */
  forget(): void {
    this.#forgotten = true
    closeSteps(this.#ownSteps())
  }

  #ownSteps(): readonly StepEntry[] {
    const steps = stepsOfHome(this.#home).filter((entry) => entry.sessionId === this.#sessionId)
    const given = steps.filter(({ openedAt }) => this.#clock() - openedAt > MAX_OPEN_MS)
    closeSteps(given)
    return steps.filter((entry) => !given.includes(entry))
  }

  #relate(prompt: readonly TurnMessage[], wasAsked = false) {
    const related = this.#ownSteps().map((entry) => ({ entry, relation: relateToStep(entry, prompt) }))
    const continued = related.filter(({ relation }) => relation === 'continues').map(({ entry }) => entry)
    const isInside = related.some(({ relation }) => relation === 'nested')
    // The next step of a nested run is nested, and the next step of the user's turn is the user's, whatever else is running.
    const goesOn = continued.some((entry) => !entry.nested)
    const asked = () => stepsOfHome(this.#home).some((entry) => entry.sessionId !== this.#sessionId && isAskedBy(entry, prompt))
    return { continued, nested: !goesOn && (continued.length > 0 || isInside || wasAsked || asked()) }
  }

  /** Waiting steps that the conversation has passed: a later message of the user follows theirs. */
  #abandoned(prompt: readonly TurnMessage[]): readonly StepEntry[] {
    const earlier = userTexts(prompt).slice(0, -1)
    return this.#ownSteps().filter(({ said }) => earlier.includes(said.at(-1) ?? ''))
  }
}
