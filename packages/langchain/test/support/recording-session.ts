/** A session that only writes down what an adapter tells it, for tests of the adapter's own decisions. */
import type { CompletedTurn, Hermes, Session, SessionCheckpoint, StepEnd, TurnMessage } from '@hermes/core'
import type { ModelToolCall, WiringFailure } from '@hermes/core/adapter'

export interface RecordingSession extends Session {
  readonly begun: readonly (readonly TurnMessage[])[]
  readonly ended: readonly StepEnd[]
  readonly turns: readonly CompletedTurn[]
  readonly toolCalls: readonly ModelToolCall[]
  readonly wiring: readonly WiringFailure[]
}

export const recordingSession = (id = 'chat', block = 'BLOCK', more: Partial<Session> = {}): RecordingSession => {
  const begun: (readonly TurnMessage[])[] = []
  const ended: StepEnd[] = []
  const turns: CompletedTurn[] = []
  const toolCalls: ModelToolCall[] = []
  const wiring: WiringFailure[] = []
  return {
    id,
    toolCalls,
    wiring,
    noteToolCall: (call) => {
      toolCalls.push(call)
    },
    reportWiring: (failure) => {
      wiring.push(failure)
    },
    begun,
    ended,
    turns,
    systemBlock: async () => block,
    refresh: async () => block,
    beginStep: (prompt) => {
      begun.push(prompt)
    },
    endStep: (step) => {
      ended.push(step)
    },
    recordTurn: (turn) => {
      turns.push(turn)
    },
    submit: () => Promise.reject(new Error('not used here')),
    tools: [],
    toolsWithPrefix: (prefix) => (more.tools ?? []).map((tool) => ({ ...tool, name: `${prefix}${tool.name}` })),
    end: async () => ({ ok: true, value: { kind: 'nothing-due', unreadTurns: 0 } }),
    settled: async () => undefined,
    ...more,
  }
}

export interface RecordingHermes extends Hermes {
  readonly checkpoints: readonly (SessionCheckpoint | undefined)[]
  readonly wiring: readonly WiringFailure[]
}

export const hermesOf = (...sessions: readonly Session[]): RecordingHermes => {
  const checkpoints: (SessionCheckpoint | undefined)[] = []
  const wiring: WiringFailure[] = []
  const session = (id?: string, checkpoint?: SessionCheckpoint): Session => {
    if (id === undefined) return recordingSession('pattern')
    const found = sessions.find((candidate) => candidate.id === id)
    if (found === undefined) throw new TypeError(`'${id}' is not a session id`)
    checkpoints.push(checkpoint)
    return found
  }
  return {
    session,
    toolsWithPrefix: () => [],
    noteOffered: () => undefined,
    checkpoints,
    wiring,
    reportWiring: (failure: WiringFailure) => {
      wiring.push(failure)
    },
    settled: async () => undefined,
    close: async () => undefined,
  } as Partial<RecordingHermes> as RecordingHermes
}
