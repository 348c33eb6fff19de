/** A session that only writes down what an adapter tells it, for tests of the adapter's own decisions. */
import type { Hermes, Session, TurnMessage } from '@hermes/core'
import type { ModelToolCall, WiringFailure } from '@hermes/core/adapter'

type StepEnd = Parameters<Session['endStep']>[0]

export interface RecordingSession extends Session {
  readonly begun: readonly (readonly TurnMessage[])[]
  readonly ended: readonly StepEnd[]
  readonly toolCalls: readonly ModelToolCall[]
  readonly wiring: readonly WiringFailure[]
}

export const recordingSession = (id = 'chat', block = 'BLOCK', more: Partial<Session> = {}): RecordingSession => {
  const begun: (readonly TurnMessage[])[] = []
  const ended: StepEnd[] = []
  const toolCalls: ModelToolCall[] = []
  const wiring: WiringFailure[] = []
  return {
    id,
    begun,
    ended,
    toolCalls,
    wiring,
    noteToolCall: (call) => {
      toolCalls.push(call)
    },
    reportWiring: (failure) => {
      wiring.push(failure)
    },
    systemBlock: async () => block,
    refresh: async () => block,
    beginStep: (prompt) => {
      begun.push(prompt)
    },
    endStep: (step) => {
      ended.push(step)
    },
    recordTurn: () => undefined,
    submit: () => Promise.reject(new Error('not used here')),
    tools: [],
    toolsWithPrefix: (prefix, only) =>
      (more.tools ?? [])
        .filter((tool) => only === undefined || only.includes(tool.name))
        .map((tool) => ({ ...tool, name: `${prefix}${tool.name}` })),
    end: async () => ({ ok: true, value: { kind: 'nothing-due', unreadTurns: 0 } }),
    settled: async () => undefined,
    ...more,
  }
}

export interface RecordingHermes extends Hermes {
  readonly wiring: readonly WiringFailure[]
}

export const hermesOf = (...sessions: readonly Session[]): RecordingHermes => {
  const wiring: WiringFailure[] = []
  const session = (id?: string): Session => {
    const found = sessions.find((candidate) => candidate.id === id)
    if (found === undefined) throw new TypeError(`'${id}' is not a session id`)
    return found
  }
  const reportWiring = (failure: WiringFailure) => {
    wiring.push(failure)
  }
  return {
    wiring,
    session,
    reportWiring,
    noteOffered: () => undefined,
    noteUnownedCall: () => undefined,
    beginUnownedStep: () => undefined,
    settled: async () => undefined,
    close: async () => undefined,
  } as Partial<Hermes> as RecordingHermes
}
