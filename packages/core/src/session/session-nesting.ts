/** Classifies the model calls of a session as user turns or runs inside a tool, and finds the owner of a tool call (DESIGN 5, 6). */
import { type HomeIdentity, isSameHome } from '../homes/owner.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { Clock } from '../shared/clock.ts'
import { withoutSpace } from '../shared/without-space.ts'
import { isAskedBy, type ModelToolCall, relateToStep, userTexts } from './nested-run.ts'
import { addCall, closeSteps, hasNoOwner, openStep, type StepEntry, stepsOfHome, stepsWithCall } from './waiting-steps.ts'

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
   * also says that no tool is running.
   */
  begin(prompt: readonly TurnMessage[], known?: boolean): boolean {
    const { continued, nested: found } = this.#relate(prompt)
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

  #relate(prompt: readonly TurnMessage[]) {
    const related = this.#ownSteps().map((entry) => ({ entry, relation: relateToStep(entry, prompt) }))
    const continued = related.filter(({ relation }) => relation === 'continues').map(({ entry }) => entry)
    const isInside = related.some(({ relation }) => relation === 'nested')
    // The next step of a nested run is nested, and the next step of the user's turn is the user's, whatever else is running.
    const goesOn = continued.some((entry) => !entry.nested)
    const asked = () => stepsOfHome(this.#home).some((entry) => entry.sessionId !== this.#sessionId && isAskedBy(entry, prompt))
    return { continued, nested: !goesOn && (continued.length > 0 || isInside || asked()) }
  }

  /** Waiting steps that the conversation has passed: a later message of the user follows theirs. */
  #abandoned(prompt: readonly TurnMessage[]): readonly StepEntry[] {
    const earlier = userTexts(prompt).slice(0, -1)
    return this.#ownSteps().filter(({ said }) => earlier.includes(said.at(-1) ?? ''))
  }
}
