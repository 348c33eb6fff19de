/** Classifies the model calls of a session as user turns or runs inside a tool, and finds the owner of a tool call (DESIGN 5, 6). */
import { type HomeIdentity, isSameHome } from '../homes/owner.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { Clock } from '../shared/clock.ts'
import { withoutSpace } from '../shared/without-space.ts'
import { isAskedBy, type ModelToolCall, relateToStep, userTexts } from './nested-run.ts'
import { addCall, closeSteps, hasNoOwner, openStep, type StepEntry, stepsOfHome, stepsWithCall } from './waiting-steps.ts'

/** `own`: made in a user's turn of this home. `unknown`: no reported model call made it. */
export type CallOwner = 'own' | 'nested' | 'other-home' | 'unknown'

export interface SessionNesting {
  /** True if `begin` would say so. */
  wouldNest(prompt: readonly TurnMessage[], known?: boolean): boolean
  /**
   * Called before a model call. True if the call belongs to a nested run, which is neither counted nor recorded. `known`: what the framework knows of it; false
   * also says that no tool is running.
   */
  begin(prompt: readonly TurnMessage[], known?: boolean): boolean
  noteCall(call: ModelToolCall): void
  /** What the model said in a call that was not completed. */
  noteInterrupted(prompt: readonly TurnMessage[], reply: readonly TurnMessage[]): void
  /** Called after a model call or a whole turn. True if it is part of a nested run. */
  end(prompt: readonly TurnMessage[], turnFinished: boolean, reply?: readonly TurnMessage[]): boolean
  /** True if `begin` has said so of this prompt. */
  isNestedStep(prompt: readonly TurnMessage[]): boolean
  /** True if this conversation, shown by a host or given to a tool, is a nested run. False if its newest words are those of a waiting turn. */
  isNested(messages: readonly TurnMessage[]): boolean
  ownerOfCall(id: string, name: string): CallOwner
  /** Forgets all tool calls of this session. */
  forget(): void
}

/** A call that gets no result for so long is given up, so that it does not silence the session. In milliseconds. */
const MAX_OPEN_MS = 900_000

export const sessionNesting = (home: HomeIdentity, sessionId: string, clock: Clock): SessionNesting => {
  // Adapters pass the same array to each method for one model call.
  const begun = new WeakMap<readonly TurnMessage[], { readonly nested: boolean; entry?: StepEntry }>()

  let forgotten = false

  const ownSteps = () => {
    const steps = stepsOfHome(home).filter((entry) => entry.sessionId === sessionId)
    const given = steps.filter(({ openedAt }) => clock() - openedAt > MAX_OPEN_MS)
    closeSteps(given)
    return steps.filter((entry) => !given.includes(entry))
  }

  const relate = (prompt: readonly TurnMessage[]) => {
    const related = ownSteps().map((entry) => ({ entry, relation: relateToStep(entry, prompt) }))
    const continued = related.filter(({ relation }) => relation === 'continues').map(({ entry }) => entry)
    const isInside = related.some(({ relation }) => relation === 'nested')
    // The next step of a nested run is nested, and the next step of the user's turn is the user's, whatever else is running.
    const goesOn = continued.some((entry) => !entry.nested)
    const asked = () => stepsOfHome(home).some((entry) => entry.sessionId !== sessionId && isAskedBy(entry, prompt))
    return { continued, nested: !goesOn && (continued.length > 0 || isInside || asked()) }
  }

  /** Waiting steps that the conversation has passed: a later message of the user follows theirs. */
  const abandoned = (prompt: readonly TurnMessage[]): readonly StepEntry[] => {
    const earlier = userTexts(prompt).slice(0, -1)
    return ownSteps().filter(({ said }) => earlier.includes(said.at(-1) ?? ''))
  }

  const noteReply = (prompt: readonly TurnMessage[], reply: readonly TurnMessage[]): void => {
    const entry = begun.get(prompt)?.entry
    if (entry) entry.replied = withoutSpace(reply.map(({ text }) => text).join(''))
  }

  return {
    wouldNest: (prompt, known) => known ?? relate(prompt).nested,
    begin(prompt, known) {
      const { continued, nested: found } = relate(prompt)
      const nested = known ?? found
      // A retry starts its step again; a tool result closes the step.
      closeSteps(nested ? continued.filter((entry) => entry.nested) : [...continued, ...(known === false ? ownSteps() : abandoned(prompt))])
      begun.set(prompt, { nested })
      return nested
    },
    noteCall(call) {
      if (forgotten) return
      const step = begun.get(call.prompt) ?? { nested: relate(call.prompt).nested }
      step.entry ??= openStep(home, sessionId, step.nested, call.prompt, clock())
      addCall(step.entry, call)
      begun.set(call.prompt, step)
    },
    noteInterrupted: noteReply,
    end(prompt, turnFinished, reply = []) {
      const step = begun.get(prompt)
      noteReply(prompt, reply)
      if (step?.entry) step.entry.complete = true
      const nested = step?.nested ?? relate(prompt).nested
      if (turnFinished) {
        const newest = userTexts(prompt).at(-1)
        closeSteps(ownSteps().filter((entry) => entry.nested === nested && entry.said.at(-1) === newest))
      }
      return nested
    },
    isNestedStep: (prompt) => begun.get(prompt)?.nested === true,
    isNested(messages) {
      const newest = userTexts(messages).at(-1)
      return !ownSteps().some(({ said }) => said.at(-1) === newest) && relate(messages).nested
    },
    ownerOfCall(id, name) {
      const steps = stepsWithCall(id, name).filter((entry) => !hasNoOwner(entry))
      if (steps.length === 0) return 'unknown'
      const ours = steps.filter((entry) => isSameHome(entry.home, home))
      if (ours.length === 0) return 'other-home'
      return ours.every((entry) => entry.nested) ? 'nested' : 'own'
    },
    forget() {
      forgotten = true
      closeSteps(ownSteps())
    },
  }
}
