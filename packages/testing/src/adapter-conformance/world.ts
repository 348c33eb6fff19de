/** The world of a test: a storage that outlives processes and fails on demand, the host under test, whose model is the suite, and a record of calls and events. */

import {
  createHermes,
  err,
  type Hermes,
  HermesError,
  type HermesEvent,
  type HermesOptions,
  inMemoryBackend,
  type StorageBackend,
} from '@hermes/core'
import { asRecord, asText } from '@hermes/core/adapter'
import { readDocument } from '@hermes/core/storage'
import { manualClock } from '../doubles.ts'
import type { AdapterHost, CreateAdapterHost, ModelCall, SendOptions } from './adapter-host.ts'
import { type Answers, type RecordedCalls, recordCalls, rememberIn, skillText } from './model.ts'

/** `errors`: returns an error result, as the port requires. `rejects`: rejects, like a faulty database driver. `throws`: throws synchronously. */
export type StorageFault = 'errors' | 'rejects' | 'throws'

export const STORAGE_FAULTS = ['errors', 'rejects', 'throws'] as const satisfies readonly StorageFault[]

interface FaultyStorage extends StorageBackend {
  /** Makes every further call fail in this way. */
  fail(how: StorageFault): void
}

const GONE = 'The disk is gone (a scripted failure).'

const faultyStorage = (inner: StorageBackend): FaultyStorage => {
  let fault: StorageFault | undefined
  const unlessFailing = <T>(call: () => Promise<T>) => {
    if (fault === undefined) return call()
    if (fault === 'errors') return Promise.resolve(err(new HermesError('io', GONE)))
    if (fault === 'rejects') return Promise.reject(new Error(GONE))
    throw new Error(GONE)
  }
  return {
    fail(how) {
      fault = how
    },
    read: (paths) => unlessFailing(() => inner.read(paths)),
    update: (paths, plan, options) => unlessFailing(() => inner.update(paths, plan, options)),
    list: (prefix) => unlessFailing(() => inner.list(prefix)),
    close: () => inner.close(),
  }
}

/** The system prompt of the host; the snapshot follows it. */
export const INSTRUCTIONS = 'You are the assistant of the conformance suite.'

export interface World extends RecordedCalls {
  readonly storage: FaultyStorage
  readonly events: readonly HermesEvent[]
  /** The `Hermes` of the current process. */
  hermes(): Hermes
  send(sessionId: string, text: string, options?: SendOptions): Promise<string>
  /** Sends a message and waits for the background work. */
  turn(sessionId: string, text: string, options?: SendOptions): Promise<string>
  settled(): Promise<void>
  /** Sets the answers to the next model calls of turns, one for each; afterwards the answer is 'Fine.' again. */
  answerTurns(...answers: readonly Answers[]): void
  /** Sets the result of the host's tool `lookup`, also after a restart. */
  answerLookups(page: string): void
  /** Simulates a new process on the same storage: a new `Hermes`, a new host. */
  restart(): Promise<void>
  /** Drops all but the newest `entries` of a conversation from the host's database, like a window. Has no effect if the framework stores conversations itself. */
  dropHistory(sessionId: string, entries: number): void
  /** A conversation in the host's database. Empty if the framework stores conversations itself. */
  history(sessionId: string): readonly unknown[]
  /** Puts messages that this home has not seen into the host's database, as the beginning of a conversation. */
  adopt(sessionId: string, history: readonly unknown[]): void
  /** Stores a note through the gate of a session, as a tool call would. */
  remember(sessionId: string, note: string): Promise<void>
  /** Creates a skill, as the host would. */
  teach(name: string, description: string, body: string): Promise<void>
  /** Everything that the host's database contains, as text. */
  hostStore(): string
  /** Text of a memory file; empty if it does not exist. */
  stored(target: 'memory' | 'user'): Promise<string>
}

const PATHS = { memory: 'memories/MEMORY.md', user: 'memories/USER.md' } as const

const utf8 = new TextDecoder()

export const createWorld = async (createHost: CreateAdapterHost, options: Omit<HermesOptions, 'storage'> = {}): Promise<World> => {
  const storage = faultyStorage(inMemoryBackend())
  const conversations = new Map<string, readonly unknown[]>()
  const events: HermesEvent[] = []
  const clock = manualClock()
  const queue: Answers[] = []
  let page = 'The page says: nothing of interest.'
  const { calls, model } = recordCalls((call) => queue.shift()?.(call))

  const startProcess = async (): Promise<{ hermes: Hermes; host: AdapterHost }> => {
    const hermes = createHermes({ clock, ...options, storage, onEvent: (event) => events.push(event) })
    const tools = {
      lookup: async () => page,
      delegate: async (input: unknown) => {
        const { sessionId, question } = asRecord(input)
        return (await host.ask(asText(sessionId), asText(question))).text
      },
    }
    const host: AdapterHost = await createHost({ hermes, model, instructions: INSTRUCTIONS, tools, conversations })
    return { hermes, host }
  }

  let current = await startProcess()

  const send = async (sessionId: string, text: string, sendOptions?: SendOptions) =>
    (await current.host.send(sessionId, text, sendOptions)).text

  return {
    storage,
    events,
    ...calls,
    hermes: () => current.hermes,
    send,
    async turn(sessionId, text, sendOptions) {
      const reply = await send(sessionId, text, sendOptions)
      await current.hermes.settled()
      return reply
    },
    settled: () => current.hermes.settled(),
    answerTurns: (...answers) => {
      queue.push(...answers)
    },
    answerLookups: (text) => {
      page = text
    },
    async restart() {
      await current.hermes.settled()
      current = await startProcess()
    },
    dropHistory(sessionId, entries) {
      const known = conversations.get(sessionId)
      if (known !== undefined) conversations.set(sessionId, known.slice(-entries))
    },
    history: (sessionId) => conversations.get(sessionId) ?? [],
    adopt(sessionId, history) {
      if (history.length > 0) conversations.set(sessionId, history)
    },
    remember: (sessionId, note) => rememberIn(current.hermes.session(sessionId), note),
    async teach(name, description, body) {
      const created = await current.hermes.skillStore().create({ name, content: skillText(name, description, body) })
      if (!created.ok) throw created.error
    },
    hostStore: () =>
      JSON.stringify([...conversations], (_key, value: unknown) => (value instanceof Uint8Array ? utf8.decode(value) : value)),
    async stored(target) {
      const read = await readDocument(storage, PATHS[target])
      return read.ok && read.value !== undefined ? utf8.decode(read.value.bytes) : ''
    },
  }
}

/** The turns that each review so far was started for. */
export const reviewedTurns = ({ events }: World): readonly number[] =>
  events.flatMap((event) => (event.type === 'review-started' ? [event.turns] : []))

/** The newest tool result in the newest call of a turn. */
export const lastTool = ({ turnCalls }: World): string => turnCalls.at(-1)?.messages.findLast(({ role }) => role === 'tool')?.text ?? ''

/** The conversation of a call, without the system prompt. */
export const textOf = (call: Pick<ModelCall, 'messages'> | undefined): string => call?.messages.map(({ text }) => text).join('\n') ?? ''
