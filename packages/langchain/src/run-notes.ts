/** What the model calls of a run leave for its end, by session. The end of a run is one step of the agent's graph, and so is every other hook, so there is no other. */
import type { HostModel, Session } from '@hermes/core'
import type { SystemMessage } from '@langchain/core/messages'
import type { RunCounts } from './agent-state.ts'

export interface RunNotes {
  /** Before a model call. `beginsTurn`: the newest message is the user's. */
  begin(session: Session, systemMessage: SystemMessage, beginsTurn: boolean): void
  /** After it. `reviewer`: the model that answered. */
  end(session: Session, reviewer: HostModel, calledTools: boolean): void
  /** The host's own, of the newest call: the agent's state has none, and documents may be fenced in it. */
  systemMessageOf(session: Session): SystemMessage | undefined
  /** Of the newest call, for the review behind the run. */
  reviewerOf(session: Session): HostModel | undefined
  /** What the run that ends adds to the counts of the agent's state. */
  takeCounts(session: Session): RunCounts
}

interface Note extends RunCounts {
  readonly systemMessage: SystemMessage
  readonly reviewer?: HostModel
}

export const runNotes = (): RunNotes => {
  const notes = new WeakMap<Session, Note>()
  return {
    begin(session, systemMessage, beginsTurn) {
      const { isTurn = false, iterations = 0, ...before } = notes.get(session) ?? {}
      notes.set(session, { ...before, systemMessage, isTurn: isTurn || beginsTurn, iterations })
    },
    end(session, reviewer, calledTools) {
      const note = notes.get(session)
      if (note) notes.set(session, { ...note, reviewer, iterations: note.iterations + (calledTools ? 1 : 0) })
    },
    systemMessageOf: (session) => notes.get(session)?.systemMessage,
    reviewerOf: (session) => notes.get(session)?.reviewer,
    takeCounts(session) {
      const note = notes.get(session)
      if (!note) return { isTurn: false, iterations: 0 }
      notes.set(session, { ...note, isTurn: false, iterations: 0 })
      return note
    },
  }
}
