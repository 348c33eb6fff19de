/** A memory provider that a test defines and that records what it is told, and a host that sends model calls as an adapter does. */
import { beginModelCall, type ModelCallEnd, type ModelCallStart } from '../../src/adapter/model-call.ts'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import type { HomeProvider, MemoryProvider } from '../../src/provider/memory-provider.ts'
import type { Session } from '../../src/session/session.ts'
import { assistant, user } from '../session/open-home.ts'

export interface RecordingProvider extends MemoryProvider {
  /** Names of the hooks that were called, with what each was given. */
  readonly calls: readonly (readonly [hook: string, given: unknown])[]
  /** What was given to one hook. */
  of<Hook extends keyof HomeProvider>(hook: Hook): readonly Parameters<Required<HomeProvider>[Hook]>[0][]
}

/** `hooks` replaces hooks; by default each of them only records its call, and `prefetch` recalls one new text for each query. */
export const recordingProvider = (hooks: HomeProvider = {}, more: Partial<MemoryProvider> = {}): RecordingProvider => {
  const calls: (readonly [string, unknown])[] = []
  let recalls = 0
  const record =
    <Given, T>(name: string, answer: (given: Given) => T) =>
    (given: Given): T => {
      calls.push([name, given])
      return answer(given)
    }
  const preset: HomeProvider = {
    onTurnStart: () => {},
    prefetch: async ({ text }) => `Fact ${++recalls} about: ${text}`,
    queuePrefetch: () => {},
    syncTurn: async () => {},
    onMemoryWrite: async () => {},
    onPreCompress: async () => 'Keep the port.',
    onSessionSwitch: async () => {},
    onSessionEnd: async () => {},
    callTool: async ({ input }) => ({ found: input }),
    forget: async () => 1,
    shutdown: async () => {},
  }
  const all = Object.fromEntries(
    Object.entries({ ...preset, ...hooks }).map(([name, hook]) => [name, record(name, hook as (given: unknown) => unknown)]),
  )
  return {
    name: 'notes',
    initialize: (home) => {
      calls.push(['initialize', home])
      return all as HomeProvider
    },
    ...more,
    calls,
    of: (hook) => calls.filter(([name]) => name === hook).map(([, given]) => given as never),
  }
}

/** What the model was sent: the frozen text, then the messages with recalled text appended. */
export interface SentCall {
  readonly block: string
  readonly messages: readonly string[]
}

const ended = { calledTools: false, turnFinished: true }

/** One model call of a host that passes `prompt`. The answer ends the turn, unless `step` says otherwise. */
export const callModel = async (
  session: Session,
  prompt: readonly TurnMessage[],
  reply: readonly TurnMessage[],
  step: Partial<ModelCallEnd> = {},
  start: Partial<ModelCallStart> = {},
): Promise<SentCall> => {
  const { block, recalled, end } = await beginModelCall({ session, offering: [] }, { prompt, ...start })
  end({ ...ended, ...step, reply })
  const fences = new Map(recalled.map(({ index, text }) => [index, text]))
  return { block, messages: prompt.map(({ text }, index) => [text, fences.get(index) ?? []].flat().join('\n\n')) }
}

/** One turn of a host that passes its history, or the newest `window` messages of it. */
export const say = async (session: Session, history: TurnMessage[], text: string, window = Number.POSITIVE_INFINITY): Promise<SentCall> => {
  history.push(user(text))
  const reply = assistant(`answer to ${text}`)
  const sent = await callModel(session, history.slice(-window), [reply])
  history.push(reply)
  return sent
}
