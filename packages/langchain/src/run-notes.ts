/** Data of a run's model calls, by session, for the hook at its end. Other hooks would each add a step to the agent's graph. */
import type { HostModel, Session } from '@hermes/core'
import type { SystemMessage } from '@langchain/core/messages'
import type { RunCounts } from './agent-state.ts'

export interface RunNotes {
  /** Called before a model call. `beginsTurn`: the newest message is the user's. `thread`: of LangGraph; `''` if unknown. */
  begin(session: Session, call: { readonly systemMessage: SystemMessage; readonly beginsTurn: boolean; readonly thread: string }): void
  /** The thread of the latest call; `''` if unknown. LangGraph runs one turn of a thread at a time. */
  threadOf(session: Session): string
  /** Called after a model call. `reviewer`: the model that answered. */
  end(session: Session, reviewer: HostModel, calledTools: boolean): void
  /** The host's system message of the latest call. The agent's state does not contain it, and documents may be fenced in it. */
  systemMessageOf(session: Session): SystemMessage | undefined
  /** The model of the latest call, for the review after the run. */
  reviewerOf(session: Session): HostModel | undefined
  /** What the ending run adds to the counts in the agent's state. */
  takeCounts(session: Session): RunCounts
}

interface Note extends RunCounts {
  readonly systemMessage: SystemMessage
  readonly thread: string
  readonly reviewer?: HostModel
}

export const runNotes = (): RunNotes => {
  const notes = new WeakMap<Session, Note>()
  return {
    begin(session, { systemMessage, beginsTurn, thread }) {
      const { isTurn = false, iterations = 0, ...before } = notes.get(session) ?? {}
      notes.set(session, { ...before, systemMessage, thread, isTurn: isTurn || beginsTurn, iterations })
    },
    threadOf: (session) => notes.get(session)?.thread ?? '',
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
