/** Which model calls of a session are the user's turns and which are runs inside a tool; and whose a tool call is (DESIGN 5, 6). */
import { type HomeIdentity, isSameHome } from '../homes/home-identity.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { isAskedBy, type ModelToolCall, relateToStep, userTexts } from './nested-run.ts'
import { addCall, closeSteps, isNobodys, openStep, type StepEntry, stepsOfHome, stepsWithCall } from './waiting-steps.ts'

/** `own`: of a user's turn in this home. `unknown`: no model call that was reported made it. */
export type CallOwner = 'own' | 'nested' | 'other-home' | 'unknown'

export interface SessionNesting {
  /** Before a model call. True where it belongs to a nested run, which is then neither counted nor recorded. */
  begin(prompt: readonly TurnMessage[], known?: boolean): boolean
  noteCall(call: ModelToolCall): void
  /** After a model call, or a whole turn: is it part of a nested run? */
  end(prompt: readonly TurnMessage[], turnFinished: boolean): boolean
  /** Is this conversation, shown by a host or to a tool, a nested run? Never where its newest words are those of a turn that waits. */
  isNested(messages: readonly TurnMessage[]): boolean
  ownerOfCall(id: string, name: string): CallOwner
  /** From now on no tool call is known to be of this session. */
  forget(): void
}

export const sessionNesting = (home: HomeIdentity, sessionId: string): SessionNesting => {
  // Adapters hand the same array to each method of one model call.
  const begun = new WeakMap<readonly TurnMessage[], { readonly nested: boolean; entry?: StepEntry }>()

  let forgotten = false

  const ownSteps = () => stepsOfHome(home).filter((entry) => entry.sessionId === sessionId)

  const relate = (prompt: readonly TurnMessage[]) => {
    const related = ownSteps().map((entry) => ({ entry, relation: relateToStep(entry, prompt) }))
    const continued = related.filter(({ relation }) => relation === 'continues').map(({ entry }) => entry)
    const around = related.filter(({ relation }) => relation === 'nested').map(({ entry }) => entry)
    // A nested run that goes on stays nested; the user's turn that goes on is the user's, whatever else is under way.
    const goesOn = continued.some((entry) => !entry.nested)
    const asked = () => stepsOfHome(home).some((entry) => entry.sessionId !== sessionId && isAskedBy(entry, prompt))
    return { continued, around, nested: !goesOn && (continued.length > 0 || around.length > 0 || asked()) }
  }

  /** Steps that the conversation has gone past: the user's next message stands behind theirs. */
  const abandoned = (prompt: readonly TurnMessage[]): readonly StepEntry[] => {
    const earlier = userTexts(prompt).slice(0, -1)
    return ownSteps().filter(({ said }) => earlier.includes(said.at(-1) ?? ''))
  }

  /**
   * A conversation that shows nothing of the waiting one is taken for nested once. When the user speaks in it again it is one of its own, such as a chat
   * that was cleared while a tool waited for a person: the waiting step is dropped.
   */
  const forgetOutlived = (prompt: readonly TurnMessage[]): void => {
    const said = userTexts(prompt)
    const newest = said.at(-1) ?? ''
    closeSteps(ownSteps().filter(({ strangers }) => !strangers.has(newest) && said.slice(0, -1).some((text) => strangers.has(text))))
  }

  const noteStranger = (prompt: readonly TurnMessage[], around: readonly StepEntry[]): void => {
    const newest = userTexts(prompt).at(-1)
    for (const { strangers, argumentTexts } of around) if (newest !== undefined && !argumentTexts.includes(newest)) strangers.add(newest)
  }

  return {
    begin(prompt, known = false) {
      if (!known) forgetOutlived(prompt)
      const { continued, around, nested: found } = relate(prompt)
      const nested = known || found
      // A retry has its step begin anew; a result closes it.
      closeSteps(nested ? continued.filter((entry) => entry.nested) : [...continued, ...abandoned(prompt)])
      if (nested) noteStranger(prompt, around)
      begun.set(prompt, { nested })
      return nested
    },
    noteCall(call) {
      if (forgotten) return
      const step = begun.get(call.prompt) ?? { nested: relate(call.prompt).nested }
      step.entry ??= openStep(home, sessionId, step.nested, call.prompt)
      addCall(step.entry, call)
      begun.set(call.prompt, step)
    },
    end(prompt, turnFinished) {
      const step = begun.get(prompt)
      if (step?.entry) step.entry.complete = true
      const nested = step?.nested ?? relate(prompt).nested
      if (turnFinished) {
        const newest = userTexts(prompt).at(-1)
        closeSteps(ownSteps().filter((entry) => entry.nested === nested && entry.said.at(-1) === newest))
      }
      return nested
    },
    isNested(messages) {
      const newest = userTexts(messages).at(-1)
      return !ownSteps().some(({ said }) => said.at(-1) === newest) && relate(messages).nested
    },
    ownerOfCall(id, name) {
      const steps = stepsWithCall(id, name).filter((entry) => !isNobodys(entry))
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
