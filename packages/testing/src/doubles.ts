/** Doubles for tests: a clock that only the test moves, a model that answers from a list, and sessions that keep what an adapter tells them. */
import type {
  Clock,
  CompletedTurn,
  Hermes,
  HostModel,
  HostModelRequest,
  OpenOptions,
  Session,
  SessionCheckpoint,
  StepEnd,
  TurnMessage,
} from '@hermes/core'
import type { ModelToolCall, ToolDefinition, WiringFailure } from '@hermes/core/adapter'

export interface ManualClock extends Clock {
  /** Moves the clock forward by `ms` milliseconds. */
  advance(ms: number): void
  /** Sets the clock. `at`: epoch milliseconds. */
  set(at: number): void
}

const NOON = Date.UTC(2026, 0, 5, 12)

/** `startAt`: epoch milliseconds. Default: Monday, 5 January 2026, 12:00 UTC. */
export const manualClock = (startAt: number = NOON): ManualClock => {
  let now = startAt
  return Object.assign(() => now, {
    advance(ms: number) {
      now += ms
    },
    set(at: number) {
      now = at
    },
  })
}

/** A text to answer, an error to reject with, or a function of the request. */
export type ScriptedAnswer = string | Error | ((request: HostModelRequest) => string | Promise<string>)

export interface ScriptedHostModel extends HostModel {
  /** All requests so far, in order. */
  readonly requests: readonly HostModelRequest[]
}

/** Uses one answer for each call, in order, and repeats the last one. Without answers, the model proposes nothing. */
export const scriptedHostModel = (...answers: readonly ScriptedAnswer[]): ScriptedHostModel => {
  const requests: HostModelRequest[] = []
  const model: HostModel = async (request) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)] ?? '{"proposals":[]}'
    requests.push(request)
    if (answer instanceof Error) throw answer
    return typeof answer === 'string' ? answer : answer(request)
  }
  return Object.assign(model, { requests })
}

export interface RecordingSession extends Session {
  readonly begun: readonly (readonly TurnMessage[])[]
  readonly ended: readonly StepEnd[]
  readonly turns: readonly CompletedTurn[]
  readonly toolCalls: readonly ModelToolCall[]
  readonly wiring: readonly WiringFailure[]
}

export interface RecordingSessionOptions extends Partial<Session> {
  /** What `offerTools` offers. Default none. */
  readonly tools?: readonly ToolDefinition[]
}

/** `block`: its frozen text. `options` replaces methods of the session. */
export const recordingSession = (id = 'chat', block = 'BLOCK', { tools = [], ...more }: RecordingSessionOptions = {}): RecordingSession => {
  const begun: (readonly TurnMessage[])[] = []
  const ended: StepEnd[] = []
  const turns: CompletedTurn[] = []
  const toolCalls: ModelToolCall[] = []
  const wiring: WiringFailure[] = []
  return {
    id,
    begun,
    ended,
    turns,
    toolCalls,
    wiring,
    systemBlock: async () => block,
    refresh: async () => block,
    recall: async () => [],
    beforeCompress: async () => '',
    switchTo: (to) => recordingSession(to, block, { tools, ...more }),
    beginStep: (prompt) => void begun.push(prompt),
    noteToolCall: (call) => void toolCalls.push(call),
    noteInterrupted: () => undefined,
    endStep: (step) => void ended.push(step),
    recordTurn: (turn) => void turns.push(turn),
    takeLearned: () => undefined,
    reportWiring: (failure) => void wiring.push(failure),
    submit: () => Promise.reject(new Error('A recording session writes nothing.')),
    offerTools: ({ prefix = '', only } = {}) =>
      tools.filter((tool) => only === undefined || only.includes(tool.name)).map((tool) => ({ ...tool, name: `${prefix}${tool.name}` })),
    end: async () => ({ ok: true, value: { kind: 'nothing-due', unreadTurns: 0 } }),
    settled: async () => undefined,
    ...more,
  }
}

export interface RecordingHermes extends Hermes {
  /** One for each time that a session was asked for. */
  readonly checkpoints: readonly (SessionCheckpoint | undefined)[]
  readonly wiring: readonly WiringFailure[]
}

/** It has these sessions and no other, and of a Hermes just what adapters call. */
export const recordingHermes = (...sessions: readonly Session[]): RecordingHermes => {
  const checkpoints: (SessionCheckpoint | undefined)[] = []
  const wiring: WiringFailure[] = []
  const session = (id?: string, { checkpoint }: OpenOptions = {}): Session => {
    const found = sessions.find((candidate) => candidate.id === id)
    if (found === undefined) throw new TypeError(`'${id}' is not a session id`)
    checkpoints.push(checkpoint)
    return found
  }
  return {
    checkpoints,
    wiring,
    session,
    reportWiring: (failure: WiringFailure) => void wiring.push(failure),
    offerTools: () => [],
    noteOffered: () => undefined,
    noteUnownedCall: () => undefined,
    beginUnownedStep: () => undefined,
    settled: async () => undefined,
    close: async () => undefined,
  } as Partial<RecordingHermes> as RecordingHermes
}
